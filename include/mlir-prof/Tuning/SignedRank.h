//===- SignedRank.h - Wilcoxon's signed-rank test ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_SIGNEDRANK_H
#define MLIR_PROF_TUNING_SIGNEDRANK_H

#include "llvm/ADT/ArrayRef.h"

namespace mlirprof::tuning {

/// The most values that the functions here take: time grows with the cube.
inline constexpr size_t kMaxSignedRankValues = 256;

/// The probability of values as far below `bound` as these, or farther, if they
/// were symmetric around it: Wilcoxon's signed-rank test, one-sided, exact also
/// with ties (the distribution over all signs, given the ranks). A value equal
/// to `bound` counts as one above it, so against the claim. 1 without values;
/// they must be finite.
double probabilityNotBelow(llvm::ArrayRef<double> values, double bound);

/// The center of symmetry by Hodges and Lehmann: the median of the means of all
/// pairs, each value with itself included. 0 without values.
double estimateCenter(llvm::ArrayRef<double> values);

/// The robust standard deviation: 1.4826 times the median distance from the
/// median. 0 without values.
double estimateSpread(llvm::ArrayRef<double> values);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_SIGNEDRANK_H
