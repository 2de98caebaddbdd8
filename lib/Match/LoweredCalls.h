//===- LoweredCalls.h - Recorded calls beside what became of them -*- C++ -*-=//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_MATCH_LOWEREDCALLS_H
#define MLIRPROF_LIB_MATCH_LOWEREDCALLS_H

#include "FrameworkCalls.h"
#include "TorchWork.h"

namespace mlirprof {

/// The calls of a framework in a module in which each became several ops: what
/// is left of a call are its place in the source, its order and its work.
/// The module's neighbouring ops of one location are a run, which may be of
/// several calls in one line; the ops of one call are of one run.
class LoweredCalls {
public:
  /// Whether the functions around a recorded call can be those of a run.
  using Agree = llvm::function_ref<bool(llvm::ArrayRef<SourceCall> recorded,
                                        llvm::ArrayRef<SourceCall> module)>;

  LoweredCalls(const ModuleIndex &index, llvm::ArrayRef<ModuleCall> runs,
               const FrameworkCalls &calls);

  /// All ops of all runs.
  size_t getNumOps() const { return ops.size(); }

  /// Shares out the ops to recorded calls; both stay in order, and every call
  /// that can has an op of its own work. Calls that have none, but run in one
  /// line between others that have, are given a share that is empty and the
  /// run; any other without an op has no run.
  struct Share {
    uint32_t run = kNone;
    std::vector<uint32_t> ops;
  };
  /// `knowsPlaces`: the functions around recorded calls are all that there
  /// were; a compiled model has only the outermost.
  std::vector<Share> share(llvm::ArrayRef<uint32_t> units, Agree agree,
                           bool knowsPlaces);

private:
  struct Unit {
    uint32_t name = 0, place = 0;
    const RecordedCall *call = nullptr;
  };
  struct Op {
    uint32_t op = 0, run = 0;
  };
  struct Part;

  uint32_t addName(llvm::StringRef name);
  uint32_t addPlace(llvm::ArrayRef<SourceCall> frames, Agree agree);
  WorkPart getPart(const Unit &unit, uint32_t op) const;
  uint32_t getValue(const Unit &unit, uint32_t op, unsigned state) const;
  uint32_t getRunScore(const Unit &unit, uint32_t run) const;
  void shareBest(const Part &part, std::vector<uint32_t> &owners) const;
  void shareByRuns(llvm::ArrayRef<Unit> units,
                   std::vector<uint32_t> &owners) const;
  void fillRuns(std::vector<uint32_t> &owners) const;

  const ModuleIndex &index;
  llvm::ArrayRef<ModuleCall> runs;
  const FrameworkCalls &calls;
  std::vector<Op> ops;
  /// First op of each run, and one past the last.
  std::vector<uint32_t> begins;

  /// What each op can be of a name; by name, then op.
  llvm::StringMap<uint32_t> names;
  std::vector<std::vector<WorkPart>> parts;
  /// Names of work of a kind that nobody knows.
  std::vector<char> isUnknown;

  /// How the functions around calls and runs agree; by chain of functions, then
  /// run.
  enum class Place : uint8_t { Elsewhere, Unknown, Same };
  llvm::StringMap<uint32_t> chains;
  std::vector<std::vector<Place>> places;
};

} // namespace mlirprof

#endif // MLIRPROF_LIB_MATCH_LOWEREDCALLS_H
