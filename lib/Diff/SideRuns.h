//===- SideRuns.h - The runs of one side of a diff --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_SIDERUNS_H
#define MLIR_PROF_LIB_DIFF_SIDERUNS_H

#include "Compare.h"
#include "Iterations.h"

namespace mlirprof::diff {

/// Whether the number of iterations of all runs is known.
bool knowsIterations(const profile::Profile &profile);
/// The number of all iterations of `profile`, or of its runs.
uint64_t countUnits(const profile::Profile &profile, DiffUnit unit);

/// One side of a diff: the divisor of the times of each run, and the duration
/// of its iterations; runs in the order of the turns.
struct SideRuns {
  std::vector<uint32_t> order;
  std::vector<double> units;
  std::vector<double> weights;
  std::vector<RunTimes> times;
  /// Variance of the mean iteration due to stalls, as a part of its square.
  std::vector<double> stalls;
  /// Factors for the times of ops, by which all ops together take as long as an
  /// undisturbed iteration; with and without stalls of the ops.
  std::vector<double> calm;
  std::vector<double> steadyCalm;
  double total = 0;

  SideRuns(const profile::Profile &profile, std::vector<uint32_t> runs,
           DiffUnit unit);
  /// The chosen time of an iteration, one per run, all equally weighted.
  Runs getTimes(WallTime RunTimes::*which) const;
};

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_SIDERUNS_H
