//===- SummaryCheck.cpp - Checking a summary after reading ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

using Wide = __int128;
using Squares = unsigned __int128;

/// Whether `count` values between min and max can have this sum of squares.
static bool areSquaresPossible(const Summary &summary) {
  auto square = [](int64_t value) { return Squares(Wide(value) * value); };
  Squares low = square(summary.min), high = square(summary.max);
  if (low > high)
    std::swap(low, high);
  if (summary.min < 0 && summary.max > 0)
    low = 0;
  // Quotients, since products may exceed 128 bits.
  Squares mean = summary.sumSquares / summary.count;
  bool isExact = summary.sumSquares % summary.count == 0;
  return mean >= low && (mean < high || (mean == high && isExact));
}

llvm::StringRef schema::findSummaryFault(const Summary &summary,
                                         SummaryRule rule) {
  constexpr uint64_t kLimit = std::numeric_limits<uint64_t>::max();
  const Histogram &histogram = summary.histogram;
  uint64_t total = 0;
  for (uint64_t count : histogram.getCounts())
    total = llvm::SaturatingAdd(total, count);
  // Profiles written by hand omit the distribution of the values.
  bool isDistributed =
      !histogram.getCounts().empty() || summary.sumSquares != 0;
  if (isDistributed && total != summary.count &&
      !(summary.saturated && (total == kLimit || summary.count == kLimit)))
    return "histogram_counts do not add up to count";
  if (summary.count == 0) {
    Summary none;
    return summary.sum == 0 && summary.sumSquares == 0 &&
                   summary.min == none.min && summary.max == none.max
               ? ""
               : "sum, sum of squares, min or max without a count";
  }
  if (!rule.mayBeNegative && (summary.min < 0 || summary.sum < 0))
    return "min or sum is negative, of a quantity that cannot be";
  if (summary.min > summary.max)
    return "min is larger than max";
  unsigned least = Histogram::bucketOf(summary.min);
  unsigned most = Histogram::bucketOf(summary.max);
  for (auto [place, values] : llvm::enumerate(histogram.getCounts())) {
    size_t bucket = histogram.getFirst() + place;
    if (values != 0 && (bucket < least || bucket > most))
      return "histogram_counts has values below min or above max";
  }
  if (summary.saturated)
    return "";
  // Even division rounds toward 0.
  Wide count = summary.count;
  Wide slack = summary.min < 0 ? count : 0;
  if (!rule.hasOwnSum && (Wide(summary.sum) < count * summary.min - slack ||
                          Wide(summary.sum) > count * summary.max))
    return "sum is not between count times min and count times max";
  return !isDistributed || areSquaresPossible(summary)
             ? ""
             : "the sum of squares does not fit count, min and max";
}
