//===- Iterations.h - Times of a run's iterations ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_ITERATIONS_H
#define MLIR_PROF_LIB_DIFF_ITERATIONS_H

#include "mlir-prof/Profile/Profile.h"

namespace mlirprof::diff {

/// A time of an iteration of a run, and its variation within the run.
struct WallTime {
  double timePs = 0;
  /// Standard deviation from run to run, as a part of the time, estimated from
  /// the run; for the median, the deviation of the parts of the run.
  double scatter = 0;
};

/// The wall time of one iteration of a run. The run is cut into 32 parts of
/// equal time (fewer if it has fewer iterations), because neighboring
/// iterations are alike: a part counts as one observation, an iteration does
/// not.
struct RunTimes {
  /// Median over the parts of the medians of their iterations.
  WallTime median;
  /// The time of the undisturbed model, by two estimates: the lower quartile
  /// over the parts of the lower quartiles of their iterations, and the
  /// quickest iteration (see getQuickest).
  WallTime quartile;
  WallTime quickest;
  /// As WallTime::scatter, for the means of the parts: larger than for the
  /// medians if iterations are disturbed.
  double meanScatter = 0;
  /// Whether these two are known, which requires the order of the iterations.
  bool hasOrder = false;
  /// Whether the scatter is known, which requires several iterations.
  bool hasScatter = false;
};

/// Times of a run that knows its iterations. If it does not list them (a folded
/// run), their mean and their standard deviation.
RunTimes getRunTimes(const profile::Run &run);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_ITERATIONS_H
