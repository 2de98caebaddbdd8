//===- Stalls.h - Executions that were disturbed ----------------*- C++ -*-===//
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

/// So many executions of a run are independent of each other at most: stalls
/// come by themselves, but slow executions together, when others use the
/// machine.
inline constexpr double kIndependent = 64;

/// Mean of values and its variance, as if they came independently.
struct Moments {
  double mean = 0;
  /// Of the mean; meaningful from two values on.
  double variance = 0;
  double count = 0;
};

Moments getMoments(const profile::Summary &summary);

/// As getMoments, without stalls, whose sum is taken from the middles of their
/// buckets.
Moments getMomentsWithoutStalls(const profile::Summary &summary);

/// The smallest of values that are disturbed upward, and its standard deviation
/// from one such set to the next.
struct Quickest {
  double value = 0;
  double deviation = 0;
};

/// Where the hundredth part of the values is far below the others, `value` is
/// the lower end of the bucket before the one that these begin in. `calm` are
/// the moments without stalls. With the mean z deviations s above the smallest
/// of n values, the deviation of the smallest is taken to be s z^4 / n, for n
/// up to kIndependent. That is s / n of exponential noise, as disturbances make
/// it (z = 1), and about right up to normal noise (z = 2.4 and 0.45 s for 64).
Quickest getQuickest(const profile::Summary &summary, const Moments &calm);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_STALLS_H
