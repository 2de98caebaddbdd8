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

/// Mean of values and its variance, as if they came independently.
struct Moments {
  double mean = 0;
  /// Of the mean; meaningful from two values on.
  double variance = 0;
};

Moments getMoments(const profile::Summary &summary);

/// As getMoments, without stalls, whose sum is taken from the middles of their
/// buckets.
Moments getMomentsWithoutStalls(const profile::Summary &summary);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_STALLS_H
