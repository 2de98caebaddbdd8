//===- Iterations.h - What the iterations of a run tell ---------*- C++ -*-===//
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

/// A time of an iteration of a run, and how it wanders within the run.
struct WallTime {
  double timePs = 0;
  /// Standard deviation from run to run, as a part of the time, that the run
  /// lets expect; of the median that of the parts of the run.
  double scatter = 0;
};

/// The wall time of one iteration of a run. The run is cut into 32 parts of
/// equal time (fewer where there are fewer iterations), because iterations
/// next to each other are alike: a part counts as one observation, an iteration
/// does not.
struct RunTimes {
  /// Median over the parts of the medians of their iterations.
  WallTime median;
  /// The time while nothing disturbs the model, in two ways: lower quartile
  /// over the parts of the lower quartiles of their iterations, and the
  /// quickest iteration (see getQuickest).
  WallTime quartile;
  WallTime quickest;
  /// As WallTime::scatter, of the means of the parts: more than that of the
  /// medians where iterations are disturbed.
  double meanScatter = 0;
  /// Whether these two are known: the order of the iterations is.
  bool hasOrder = false;
  /// Whether the scatter is known: there are several iterations.
  bool hasScatter = false;
};

/// Of a run that knows its iterations. Where it lists none of them (a folded
/// run), their mean and their standard deviation.
RunTimes getRunTimes(const profile::Run &run);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_ITERATIONS_H
