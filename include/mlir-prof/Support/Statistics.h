//===- Statistics.h - Quantiles, estimates and tests ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_STATISTICS_H
#define MLIR_PROF_SUPPORT_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mlirprof {

//===----------------------------------------------------------------------===//
// Quantiles
//===----------------------------------------------------------------------===//

/// The quantile part / parts (part <= parts) of `values`, in any order, with
/// linear interpolation between the two nearest values, as in NumPy and
/// Python's statistics ("inclusive"). For integers it is rounded toward the
/// smaller value. 0 without values.
double getQuantile(llvm::ArrayRef<double> values, unsigned part,
                   unsigned parts);
int64_t getQuantile(llvm::ArrayRef<int64_t> values, unsigned part,
                    unsigned parts);

/// The middle value; for an even number of values, the mean of the two middle
/// ones.
inline double getMedian(llvm::ArrayRef<double> values) {
  return getQuantile(values, 1, 2);
}
inline int64_t getMedian(llvm::ArrayRef<int64_t> values) {
  return getQuantile(values, 1, 2);
}

/// As getMedian; for an even number, the smaller of the two in the middle.
int64_t getLowerMedian(llvm::ArrayRef<int64_t> values);

//===----------------------------------------------------------------------===//
// Robust estimates
//===----------------------------------------------------------------------===//

/// The standard deviation of a normal distribution whose quartiles lie as far
/// apart as those of `values`. 0 without values.
double estimateSpreadByQuartiles(llvm::ArrayRef<double> values);

/// The standard deviation by distances: 1.4826 times the median distance from
/// the median. 0 without values.
double estimateSpread(llvm::ArrayRef<double> values);

//===----------------------------------------------------------------------===//
// Wilcoxon's signed-rank test
//===----------------------------------------------------------------------===//

/// Limit on the number of values for the two functions below: time grows with
/// the cube.
inline constexpr size_t kMaxSignedRankValues = 256;

/// The center of symmetry by Hodges and Lehmann: the median of the means of all
/// pairs, each value with itself included. 0 without values.
double estimateCenter(llvm::ArrayRef<double> values);

/// The probability of values as far below `bound` as these, or farther, if they
/// were symmetric around it: Wilcoxon's signed-rank test, one-sided, exact also
/// with ties (the distribution over all signs, given the ranks). A value equal
/// to `bound` counts as one above it, so against the claim. 1 without values;
/// they must be finite.
double probabilityNotBelow(llvm::ArrayRef<double> values, double bound);

//===----------------------------------------------------------------------===//
// Student's distribution
//===----------------------------------------------------------------------===//

/// The probability of |T| >= `t` with `freedom` degrees of freedom (at least
/// 1), by the continued fraction of the incomplete beta function.
double getStudentTail(double t, double freedom);

/// The `t` whose tail (see above) is `tail`, which lies between 0 and 1.
double getStudentQuantile(double tail, double freedom);

//===----------------------------------------------------------------------===//
// Moderated comparison of means
//===----------------------------------------------------------------------===//

/// Values, and the share of each in their mean. The weights add up to 1; both
/// are empty if nothing can be compared.
struct WeightedSample {
  std::vector<double> values;
  std::vector<double> weights;

  double getMean() const;
};

/// Knowledge about the scatter before values are compared with each other.
struct Scatter {
  /// Expected variance of one value, and its weight in degrees of freedom; 0 if
  /// unknown.
  double expected = 0;
  double freedom = 0;
  /// Variance of the difference of the means because events occur at random,
  /// which no comparison of values can reduce.
  double counting = 0;
};

/// A difference of means and its certainty.
struct MeanDifference {
  /// The mean before, of which `change` is the difference; 0 without values.
  double before = 0;
  double change = 0;
  double variance = 0;
  /// Degrees of freedom of `variance`; huge if it is known.
  double freedom = 0;
  /// The part of the degrees of freedom that comes from comparing values.
  double fromValues = 0;
};

/// Compares the means of two samples. The variance of a value combines the
/// expected variance and the differences within a sample, weighted by their
/// degrees of freedom (Smyth, "Linear models and empirical Bayes methods",
/// 2004), so that a further run does not lower the degrees of freedom. With
/// `arePairs`, value i of one sample belongs to value i of the other, if they
/// have equally many, and all pairs count the same: their weights are ignored.
/// None if the scatter is unknown.
std::optional<MeanDifference> compareMeans(const WeightedSample &before,
                                           const WeightedSample &after,
                                           bool arePairs,
                                           const Scatter &scatter);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_STATISTICS_H
