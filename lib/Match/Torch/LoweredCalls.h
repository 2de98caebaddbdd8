//===- LoweredCalls.h - Recorded calls and their lowered ops ----*- C++ -*-===//
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

/// Limits of the comparison, whatever the input.
struct LoweredLimits {
  /// Pairs of calls and ops at a time, in each of three states; four bytes
  /// each.
  uint64_t cells = uint64_t(16) << 20;
  /// Pairs of names of calls and kinds of ops, and of places of calls and runs;
  /// one byte each.
  uint64_t evidence = uint64_t(64) << 20;
};

/// The calls of a framework in a module in which each became several ops: the
/// remaining evidence for a call is its place in the source, its order and its
/// work. The module's neighboring ops of one location are a run, which may
/// belong to several calls in one line; the ops of one call belong to one run.
class LoweredCalls {
public:
  LoweredCalls(const module::ModuleIndex &index,
               llvm::ArrayRef<ModuleCall> runs, const FrameworkCalls &calls,
               LoweredLimits limits = {});

  /// All ops of all runs.
  size_t getNumOps() const { return ops.size(); }

  /// Distributes the ops among recorded calls; both stay in order, and every
  /// call that can has an op of its own work. Calls without one that run in one
  /// line between others with ops get an empty share and the run; any other
  /// call without an op does not have a run.
  struct Share {
    uint32_t run = trace::kNone;
    std::vector<uint32_t> ops;
    /// Number of these that are work of the call; the others are only next to
    /// these in one line.
    size_t numOwn = 0;
    /// Whether it may equally well have only some of these, in another run.
    bool isAmbiguous = false;
    /// The reason for not comparing it with the ops; empty if it was compared.
    std::string reason;
  };
  /// `knowsPlaces`: recorded calls have all functions around them; a compiled
  /// model only has the outermost.
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
  /// Some of the calls, and some of the ops, in whole runs.
  struct Part {
    llvm::ArrayRef<Unit> units;
    uint32_t firstUnit, opBegin, opEnd;
  };

  /// The places of a call's own work in the best distributions.
  struct Ways {
    /// Its ops in one of them.
    std::vector<uint32_t> ops;
    /// Whether it does not have any in one of them.
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
  /// Distinguishing properties of ops; and the names of ops of PyTorch's
  /// dialect.
  llvm::StringMap<uint32_t> kindNumbers;
  std::vector<OpWords> kinds;
  llvm::StringSet<> torchNames;
  /// Numbers of the shapes in each run, in order.
  std::map<std::vector<int64_t>, uint32_t> shapeNumbers;
  std::vector<std::vector<uint32_t>> shapes;
  /// First op of each run, and one past the last.
  std::vector<uint32_t> begins;

  /// The part of each kind of op in a name; by name, then kind. The first name
  /// represents those beyond the limit.
  llvm::StringMap<uint32_t> names;
  std::vector<std::vector<WorkPart>> parts;
  /// Names of unknown kinds of work.
  std::vector<char> isUnknown;

  /// The agreement of the functions around calls and runs; by chain of
  /// functions, then run. The first represents those beyond the limit.
  enum class Place : uint8_t { Elsewhere, Unknown, Same };
  void findPlaces(llvm::ArrayRef<SourceCall> frames,
                  std::vector<Place> &row) const;
  llvm::StringMap<uint32_t> chains;
  std::vector<std::vector<Place>> places;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_LOWEREDCALLS_H
