//===- Stalls.h - Disturbed executions --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_STALLS_H
#define MLIR_PROF_LIB_DIFF_STALLS_H

#include "mlir-prof/Profile/Summary.h"

namespace mlirprof::diff {

/// Maximum number of independent executions of a run: stalls occur
/// individually, but slow executions occur together while others use the
/// machine.
inline constexpr double kIndependent = 64;

/// Mean of values and its variance, as if they were independent.
struct Moments {
  double mean = 0;
  /// Variance of the mean; meaningful from two values on.
  double variance = 0;
  double count = 0;
};

Moments getMoments(const profile::Summary &summary);

/// As getMoments, without stalls, whose sum is computed from the middles of
/// their buckets.
Moments getMomentsWithoutStalls(const profile::Summary &summary);

/// The smallest of values that disturbances increase, and its standard
/// deviation from one such set to the next.
struct Quickest {
  double value = 0;
  double deviation = 0;
};

/// If up to a hundredth of the values is far below the others, `value` is the
/// lower end of the bucket before the one in which the others begin. `calm` are
/// the moments without stalls. If the mean lies z deviations s above the
/// smallest of n values, the deviation of the smallest is estimated as s z^4 /
/// n, for n up to kIndependent. That is s / n for exponential noise, typical of
/// disturbances (z = 1), and about right up to normal noise (z = 2.4 and 0.45 s
/// for 64).
Quickest getQuickest(const profile::Summary &summary, const Moments &calm);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_STALLS_H
