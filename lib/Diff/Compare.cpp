//===- Compare.cpp - Whether two sides differ by more than chance ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "Student.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::diff;

/// Degrees of freedom of a variance that is known.
static constexpr double kKnown = 1e12;

double Runs::getMean() const {
  double mean = 0;
  for (auto [value, weight] : llvm::zip_equal(values, weights))
    mean += value * weight;
  return mean;
}

namespace {

/// How the runs of a comparison differ from each other.
struct Residuals {
  double change = 0;
  /// Sum of squares, as of single runs, and its degrees of freedom.
  double squares = 0;
  double freedom = 0;
  /// Variance of the change as a multiple of that of a run.
  double factor = 0;

  void addPairs(const Runs &before, const Runs &after);
  void addSide(const Runs &side);
};

} // namespace

void Residuals::addPairs(const Runs &before, const Runs &after) {
  double count = double(before.values.size());
  for (auto [a, b] : llvm::zip_equal(before.values, after.values))
    change += (b - a) / count;
  for (auto [a, b] : llvm::zip_equal(before.values, after.values))
    squares += (b - a - change) * (b - a - change) / 2;
  freedom = count - 1;
  factor = 2 / count;
}

void Residuals::addSide(const Runs &side) {
  if (side.values.empty())
    return;
  double mean = side.getMean(), count = double(side.values.size());
  for (auto [value, weight] : llvm::zip_equal(side.values, side.weights)) {
    squares += count * weight * (value - mean) * (value - mean);
    factor += weight * weight;
  }
  freedom += count - 1;
}

std::optional<Difference> diff::compare(const Runs &before, const Runs &after,
                                        bool arePairs, const Scatter &scatter) {
  Residuals found;
  if (arePairs && before.values.size() == after.values.size()) {
    found.addPairs(before, after);
  } else {
    found.addSide(before);
    found.addSide(after);
    found.change = after.getMean() - before.getMean();
  }
  double freedom = scatter.freedom + found.freedom;
  if (freedom <= 0 || found.factor <= 0)
    return std::nullopt;
  // What counting explains is no scatter of the runs.
  double counted = scatter.counting / found.factor * found.freedom;
  double ofRun = (scatter.freedom * scatter.expected +
                  std::max(0.0, found.squares - counted)) /
                 freedom * found.factor;
  Difference result{found.change, scatter.counting + ofRun, kKnown,
                    found.freedom};
  // Satterthwaite's formula; what counting adds is known.
  if (ofRun > 0)
    result.freedom = std::min(kKnown, result.variance * result.variance /
                                          (ofRun * ofRun) * freedom);
  return result;
}

static int64_t toInteger(double value) {
  return int64_t(std::clamp(value, -9.2e18, 9.2e18));
}

void diff::setTest(DiffRow &row, const Difference &difference, double alpha,
                   double limit) {
  double change = difference.change;
  row.testedPs = toInteger(std::round(change));
  if (difference.variance <= 0) {
    // Nothing scatters: what differs, differs.
    row.pValue = row.adjusted = change == 0 ? 1 : 0;
    row.lowPs = row.highPs = row.testedPs;
    row.detectablePs = 0;
    return;
  }
  double error = std::sqrt(difference.variance);
  double freedom = std::max(1.0, difference.freedom);
  row.pValue = row.adjusted = getStudentTail(change / error, freedom);
  double reach = getStudentQuantile(alpha, freedom) * error;
  // Rounding must not make the interval narrower.
  row.lowPs = toInteger(std::floor(change - reach));
  row.highPs = toInteger(std::ceil(change + reach));
  row.detectablePs = toInteger(std::ceil(
      getStudentQuantile(std::clamp(limit, 1e-12, 1.0), freedom) * error));
}
