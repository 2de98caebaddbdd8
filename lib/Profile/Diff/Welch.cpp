//===- Welch.cpp - Whether two sums differ by more than chance ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Welch.h"
#include "Student.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::diff;

static constexpr double kKnown = 1e12;

std::optional<Estimate> diff::estimate(llvm::ArrayRef<double> observations) {
  double count = double(observations.size());
  if (count < 2)
    return std::nullopt;
  double mean = 0;
  for (double value : observations)
    mean += value / count;
  double squares = 0;
  for (double value : observations)
    squares += (value - mean) * (value - mean);
  return Estimate{squares / (count - 1) / count, count - 1};
}

std::optional<Estimate> diff::estimate(const Scatter &scatter, double units) {
  if (scatter.isUnknown)
    return std::nullopt;
  double freedom = kKnown;
  if (scatter.perFreedom > 0)
    freedom = scatter.variance * scatter.variance / scatter.perFreedom;
  return Estimate{scatter.variance / units / units, freedom};
}

std::optional<Estimate> diff::estimate(const Summary &summary) {
  Scatter scatter;
  scatter.add(summary, 1, /*sampled=*/false);
  return estimate(scatter, double(summary.count));
}

/// Rounds away from zero: an interval must not get narrower.
static int64_t roundOut(double value) {
  double rounded = value < 0 ? std::floor(value) : std::ceil(value);
  return int64_t(std::clamp(rounded, -9.2e18, 9.2e18));
}

void diff::test(DiffRow &row, const Estimate &before, const Estimate &after,
                double confidence) {
  double change = double(row.afterPs) - double(row.beforePs);
  double variance = before.variance + after.variance;
  if (variance <= 0) {
    // Nothing scatters: what differs, differs.
    row.pValue = row.adjusted = row.changePs() == 0 ? 1 : 0;
    row.lowPs = row.highPs = row.changePs();
    return;
  }
  double perFreedom = 0;
  for (const Estimate &side : {before, after})
    perFreedom += side.variance * side.variance / std::max(side.freedom, 1e-9);
  double freedom = std::max(1.0, variance * variance / perFreedom);
  double error = std::sqrt(variance);
  row.pValue = row.adjusted = getStudentTail(change / error, freedom);
  double reach = getStudentQuantile(1 - confidence, freedom) * error;
  row.lowPs = roundOut(change - reach);
  row.highPs = roundOut(change + reach);
}

void diff::correct(llvm::MutableArrayRef<DiffRow *> rows, uint64_t others) {
  llvm::sort(rows, [](const DiffRow *a, const DiffRow *b) {
    return std::tie(a->pValue, a) < std::tie(b->pValue, b);
  });
  double largest = 0;
  for (size_t i = 0; i != rows.size(); ++i) {
    largest =
        std::max(largest, rows[i]->pValue * double(rows.size() + others - i));
    rows[i]->adjusted = std::min(1.0, largest);
  }
}
