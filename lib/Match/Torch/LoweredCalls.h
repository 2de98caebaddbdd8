//===- LoweredCalls.h - Recorded calls beside what became of them -*- C++ -*-=//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_LOWEREDCALLS_H
#define MLIR_PROF_LIB_MATCH_TORCH_LOWEREDCALLS_H

#include "FrameworkCalls.h"
#include "TorchWork.h"

#include <map>

namespace mlirprof::match {

/// How much is compared, whatever the input.
struct LoweredLimits {
  /// Calls beside ops at a time, in each of three states; four bytes each.
  uint64_t cells = uint64_t(16) << 20;
  /// Names of calls beside kinds of ops, and places of calls beside runs; a
  /// byte each.
  uint64_t evidence = uint64_t(64) << 20;
};

/// The calls of a framework in a module in which each became several ops: what
/// is left of a call are its place in the source, its order and its work.
/// The module's neighboring ops of one location are a run, which may be of
/// several calls in one line; the ops of one call are of one run.
class LoweredCalls {
public:
  LoweredCalls(const module::ModuleIndex &index,
               llvm::ArrayRef<ModuleCall> runs, const FrameworkCalls &calls,
               LoweredLimits limits = {});

  /// All ops of all runs.
  size_t getNumOps() const { return ops.size(); }

  /// Shares out the ops to recorded calls; both stay in order, and every call
  /// that can has an op of its own work. Calls that have none, but run in one
  /// line between others that have, are given a share that is empty and the
  /// run; any other without an op has no run.
  struct Share {
    uint32_t run = trace::kNone;
    std::vector<uint32_t> ops;
    /// How many of these are work of the call; the others only stand beside
    /// these in one line.
    size_t numOwn = 0;
    /// Whether it may as well be only some of these, in another run.
    bool isAmbiguous = false;
    /// Why it was not compared with the ops; empty when it was.
    std::string reason;
  };
  /// `knowsPlaces`: the functions around recorded calls are all that there
  /// were; a compiled model has only the outermost.
  std::vector<Share> share(llvm::ArrayRef<uint32_t> units, bool knowsPlaces);

private:
  struct Unit {
    uint32_t name = 0, place = 0;
    /// Number of the shape of its first operand, or kNone.
    uint32_t shape = trace::kNone;
  };
  struct Op {
    uint32_t op = 0, run = 0;
    /// Index into kinds.
    uint32_t kind = 0;
  };
  /// Some of the calls, and some of the ops: whole runs.
  struct Part {
    llvm::ArrayRef<Unit> units;
    uint32_t firstUnit, opBegin, opEnd;
  };

  /// Of a call, where the best ways to share have its own work.
  struct Ways {
    /// Ops that it has in one of them.
    std::vector<uint32_t> ops;
    /// Whether it has none in one of them.
    bool mayBeNone = false;
  };

  void addRun(uint32_t run);
  uint32_t addKind(mlir::Operation *op);
  Unit makeUnit(uint32_t number, bool knowsPlaces, Share &share);
  uint32_t addName(llvm::StringRef name);
  uint32_t addPlace(llvm::ArrayRef<SourceCall> frames);
  WorkPart getPart(const Unit &unit, uint32_t op) const;
  uint32_t getValue(const Unit &unit, uint32_t op, unsigned state) const;
  bool isFull(size_t rows, size_t row) const {
    return (uint64_t(rows) + 1) * row > limits.evidence;
  }
  void shareBest(const Part &part, std::vector<uint32_t> &owners,
                 std::vector<Ways> &ways) const;
  class SharingTable;
  void addWays(SharingTable &table, std::vector<Ways> &ways) const;
  void addAmbiguous(llvm::ArrayRef<Ways> ways,
                    std::vector<Share> &shares) const;
  std::vector<Part> cutParts(llvm::ArrayRef<Unit> units) const;
  std::vector<uint32_t> findAnchors(llvm::ArrayRef<Unit> units) const;
  uint64_t countCells(const Part &part) const;
  void dropIncomplete(llvm::ArrayRef<Unit> units,
                      std::vector<uint32_t> &owners) const;
  void fillRuns(std::vector<uint32_t> &owners) const;
  void addLines(llvm::ArrayRef<Unit> units, std::vector<Share> &shares) const;

  const module::ModuleIndex &index;
  llvm::ArrayRef<ModuleCall> runs;
  const FrameworkCalls &calls;
  LoweredLimits limits;
  std::vector<Op> ops;
  /// What differs in ops; and the names that ops of PyTorch's dialect have.
  llvm::StringMap<uint32_t> kindNumbers;
  std::vector<OpWords> kinds;
  llvm::StringSet<> torchNames;
  /// Numbers of the shapes in each run, in order.
  std::map<std::vector<int64_t>, uint32_t> shapeNumbers;
  std::vector<std::vector<uint32_t>> shapes;
  /// First op of each run, and one past the last.
  std::vector<uint32_t> begins;

  /// What each kind of op can be of a name; by name, then kind. The first name
  /// stands for those for which there is no room.
  llvm::StringMap<uint32_t> names;
  std::vector<std::vector<WorkPart>> parts;
  /// Names of work of a kind that nobody knows.
  std::vector<char> isUnknown;

  /// How the functions around calls and runs agree; by chain of functions, then
  /// run. The first stands for those for which there is no room.
  enum class Place : uint8_t { Elsewhere, Unknown, Same };
  void findPlaces(llvm::ArrayRef<SourceCall> frames,
                  std::vector<Place> &row) const;
  llvm::StringMap<uint32_t> chains;
  std::vector<std::vector<Place>> places;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_LOWEREDCALLS_H
