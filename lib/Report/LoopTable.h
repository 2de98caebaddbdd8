//===- LoopTable.h - The loops of programs and their times ------*- C++ -*-===//
//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_LOOPTABLE_H
#define MLIR_PROF_LIB_REPORT_LOOPTABLE_H

#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof::report {

/// Program and node.
using NodeKey = std::pair<uint32_t, uint32_t>;

/// Trip counts that runs observed at one loop.
struct ObservedTrips {
  int64_t least = 0;
  int64_t most = 0;
  __int128 sum = 0;
  /// Number of entries into the loop, and the number of entries whose trips
  /// were counted as other.
  uint64_t entered = 0;
  uint64_t other = 0;
};

/// A loop of a program; times are for all runs.
struct ProgramLoop {
  uint32_t program = 0;
  uint32_t node = 0;
  /// Position of the loop around it in the list, or kNone.
  uint32_t parent = trace::kNone;
  int64_t depth = 0;
  int64_t height = 0;
  int64_t selfPs = 0;
  int64_t timePs = 0;
  /// For a loop with a probe: the number of entries, and its time before the
  /// cost of the probes was subtracted.
  bool hasProbe = false;
  uint64_t executions = 0;
  int64_t rawPs = 0;
  int64_t rawSelfPs = 0;
};

/// Collects the loops of one level.
class LoopTable {
public:
  LoopTable(const profile::Profile &profile,
            llvm::ArrayRef<profile::OpSummary> merged, llvm::StringRef level);

  /// Whether the time of a loop is known: the loop was sampled, or has a probe;
  /// or the probes are around other ops, and its time consists of their parts
  /// in the loop.
  bool hasTime(const ProgramLoop &loop) const {
    return loop.hasProbe || sampled[loop.program] ||
           (!probed[loop.program] && loop.timePs > 0);
  }

  llvm::StringRef getFunction(const ProgramLoop &loop) const {
    const profile::Program &program = profile.programs[loop.program];
    uint32_t function = functions[loop.program][loop.node];
    return function == trace::kNone
               ? llvm::StringRef()
               : getString(program, program.nodes[function].name);
  }

  /// The number of the loop's op.
  attribution::OpNumber getNumber(const ProgramLoop &loop) const {
    return {loop.program, indices[loop.program][loop.node]};
  }

  std::vector<ProgramLoop> loops;
  /// Whether some loop has a probe.
  bool hasProbes = false;
  llvm::DenseMap<NodeKey, ObservedTrips> trips;
  const LevelTimes times;

private:
  void findLoops(llvm::StringRef level);
  void nest();
  void chargeSamples();
  void chargeProbes(llvm::ArrayRef<profile::OpSummary> merged);
  void observe();

  const profile::Profile &profile;
  /// For each program, see getOpIndices.
  std::vector<std::vector<uint32_t>> indices;
  llvm::DenseMap<NodeKey, uint32_t> positions;
  /// The same for ops that contain nothing but the loop (omp.wsloop).
  llvm::DenseMap<NodeKey, uint32_t> wrappers;
  /// For each program and node, the innermost loop that contains it (or the
  /// node itself), or kNone.
  std::vector<std::vector<uint32_t>> loopOf;
  std::vector<uint32_t> innermostFirst;
  std::vector<std::vector<uint32_t>> functions;
  /// For each program, whether its instructions were sampled: then the time of
  /// every loop is complete.
  std::vector<bool> sampled;
  /// Whether some loop of it has a probe: then the sums of other loops consist
  /// of the probes in them only.
  std::vector<bool> probed;
};

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_LOOPTABLE_H
