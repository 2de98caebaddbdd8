//===- Compare.cpp - Testing differences for significance -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::diff;

static int64_t toInteger(double value) {
  return int64_t(std::clamp(value, -9.2e18, 9.2e18));
}

void diff::setTest(DiffRow &row, const MeanDifference &difference, double alpha,
                   double limit) {
  double change = difference.change;
  row.testedBeforePs = toInteger(std::round(difference.before));
  row.testedPs = toInteger(std::round(change));
  if (difference.variance <= 0) {
    // Without scatter, every difference is real.
    row.pValue = row.adjusted = change == 0 ? 1 : 0;
    row.lowPs = row.highPs = row.testedPs;
    row.detectablePs = 0;
    return;
  }
  double error = std::sqrt(difference.variance);
  double freedom = std::max(1.0, difference.freedom);
  row.pValue = row.adjusted = getStudentTail(change / error, freedom);
  double reach = getStudentQuantile(alpha, freedom) * error;
  // Rounding must not narrow the interval.
  row.lowPs = toInteger(std::floor(change - reach));
  row.highPs = toInteger(std::ceil(change + reach));
  row.detectablePs = toInteger(std::ceil(
      getStudentQuantile(std::clamp(limit, 1e-12, 1.0), freedom) * error));
}
