//===- Stalls.cpp - Disturbed executions ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stalls.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;

/// As exact as possible: this is a difference of two large numbers.
static Moments makeMoments(long double count, long double sum,
                           long double squares) {
  Moments result;
  if (count < 1)
    return result;
  long double mean = sum / count;
  result.count = double(count);
  result.mean = double(mean);
  if (count >= 2)
    result.variance =
        double(std::max(0.0L, squares - sum * mean) / (count - 1) / count);
  return result;
}

Moments diff::getMoments(const Summary &summary) {
  return makeMoments((long double)summary.count, (long double)summary.sum,
                     (long double)summary.sumSquares);
}

Moments diff::getMomentsWithoutStalls(const Summary &summary) {
  auto count = (long double)summary.count, sum = (long double)summary.sum,
       squares = (long double)summary.sumSquares;
  if (summary.count == 0)
    return Moments();
  for (unsigned i = findStalls(summary); i < Histogram::kBuckets; ++i) {
    auto stalls = (long double)summary.histogram.get(i);
    if (stalls == 0)
      continue;
    long double low = std::max(Histogram::lowerBound(i), summary.min);
    long double high = summary.max;
    if (i + 1 < Histogram::kBuckets)
      high = std::min(high, (long double)Histogram::lowerBound(i + 1));
    long double middle = (low + high) / 2;
    count -= stalls;
    sum -= stalls * middle;
    squares -= stalls * middle * middle;
  }
  return makeMoments(count, std::max(0.0L, sum), std::max(0.0L, squares));
}

Quickest diff::getQuickest(const Summary &summary, const Moments &calm) {
  Quickest result;
  if (summary.count == 0)
    return result;
  uint64_t seen = 0;
  unsigned bucket = 0;
  while (bucket != Histogram::kBuckets && seen <= summary.count / 100)
    seen += summary.histogram.get(bucket++);
  // `bucket` is after the one in which the others begin.
  int64_t end = bucket < 2 ? 0 : Histogram::lowerBound(bucket - 2);
  result.value = double(std::max<int64_t>({summary.min, end, 0}));
  auto count = double(summary.count);
  double excess = std::max(0.0, calm.mean - result.value);
  double deviation = std::sqrt(calm.variance * calm.count);
  if (deviation <= 0)
    return result;
  double ratio = excess / deviation;
  result.deviation = std::min(excess, deviation * std::pow(ratio, 4) /
                                          std::min(kIndependent, count));
  return result;
}
