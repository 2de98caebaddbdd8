//===- CompareMeans.cpp - The moderated comparison of means ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Statistics.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;

/// Degrees of freedom of a known variance.
static constexpr double kKnown = 1e12;

double WeightedSample::getMean() const {
  double mean = 0;
  for (auto [value, weight] : llvm::zip_equal(values, weights))
    mean += value * weight;
  return mean;
}

namespace {

/// Differences of the values of a comparison from each other.
struct Residuals {
  double meanBefore = 0;
  double change = 0;
  /// Sum of squares, in units of single values, and its degrees of freedom.
  double squares = 0;
  double freedom = 0;
  /// Variance of the change as a multiple of that of a value.
  double factor = 0;

  /// All pairs count the same, whatever the weights of their values.
  void addPairs(const WeightedSample &before, const WeightedSample &after);
  void addSample(const WeightedSample &sample);
};

} // namespace

void Residuals::addPairs(const WeightedSample &before,
                         const WeightedSample &after) {
  double count = double(before.values.size());
  for (auto [a, b] : llvm::zip_equal(before.values, after.values)) {
    meanBefore += a / count;
    change += (b - a) / count;
  }
  for (auto [a, b] : llvm::zip_equal(before.values, after.values))
    squares += (b - a - change) * (b - a - change) / 2;
  freedom = count - 1;
  factor = 2 / count;
}

void Residuals::addSample(const WeightedSample &sample) {
  if (sample.values.empty())
    return;
  double mean = sample.getMean(), count = double(sample.values.size());
  for (auto [value, weight] : llvm::zip_equal(sample.values, sample.weights)) {
    squares += count * weight * (value - mean) * (value - mean);
    factor += weight * weight;
  }
  freedom += count - 1;
}

std::optional<MeanDifference>
mlirprof::compareMeans(const WeightedSample &before,
                       const WeightedSample &after, bool arePairs,
                       const Scatter &scatter) {
  Residuals found;
  if (arePairs && before.values.size() == after.values.size()) {
    found.addPairs(before, after);
  } else {
    found.addSample(before);
    found.addSample(after);
    found.meanBefore = before.getMean();
    found.change = after.getMean() - found.meanBefore;
  }
  double freedom = scatter.freedom + found.freedom;
  if (freedom <= 0 || found.factor <= 0)
    return std::nullopt;
  // Variance that counting explains is not scatter of the values.
  double counted = scatter.counting / found.factor * found.freedom;
  double ofValue = (scatter.freedom * scatter.expected +
                    std::max(0.0, found.squares - counted)) /
                   freedom * found.factor;
  MeanDifference result{found.meanBefore, found.change,
                        scatter.counting + ofValue, kKnown, found.freedom};
  // Satterthwaite's formula; the variance of counting is known.
  if (ofValue > 0)
    result.freedom = std::min(kKnown, result.variance * result.variance /
                                          (ofValue * ofValue) * freedom);
  return result;
}
