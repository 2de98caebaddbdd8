//===- Summary.cpp - Mergeable summary of one quantity --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Summary.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;

int64_t Histogram::lowerBound(unsigned bucket) {
  if (bucket == 0)
    return std::numeric_limits<int64_t>::min();
  if (bucket < 4)
    return bucket;
  unsigned log = bucket / 4 + 1;
  // Buckets after the last begin where int64_t ends.
  if (log > 62)
    return std::numeric_limits<int64_t>::max();
  return int64_t(4 | (bucket & 3)) << (log - 2);
}

void Histogram::grow(unsigned bucket) {
  if (counts.empty()) {
    first = bucket;
    counts.assign(1, 0);
    return;
  }
  if (bucket < first) {
    counts.insert(counts.begin(), first - bucket, 0);
    first = bucket;
    return;
  }
  if (bucket >= first + counts.size())
    counts.resize(bucket - first + 1);
}

void Histogram::merge(const Histogram &other) {
  if (other.counts.empty())
    return;
  grow(other.first);
  grow(other.first + unsigned(other.counts.size()) - 1);
  for (size_t i = 0; i != other.counts.size(); ++i) {
    uint64_t &count = counts[other.first - first + i];
    count = llvm::SaturatingAdd(count, other.counts[i]);
  }
}

bool Histogram::set(unsigned firstBucket, std::vector<uint64_t> spanCounts) {
  if (firstBucket > kBuckets || spanCounts.size() > kBuckets - firstBucket)
    return false;
  first = spanCounts.empty() ? 0 : firstBucket;
  counts = std::move(spanCounts);
  return true;
}

bool Histogram::operator==(const Histogram &other) const {
  // Zeros at the ends of a span do not matter.
  for (unsigned bucket = 0; bucket != kBuckets; ++bucket)
    if (get(bucket) != other.get(bucket))
      return false;
  return true;
}

void Summary::merge(const Summary &other) {
  saturated |= other.saturated;
  if (__builtin_add_overflow(count, other.count, &count)) {
    count = std::numeric_limits<uint64_t>::max();
    saturated = true;
  }
  addSum(other.sum);
  addSquares(other.sumSquares);
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  histogram.merge(other.histogram);
}

bool Summary::operator==(const Summary &other) const {
  return count == other.count && sum == other.sum &&
         sumSquares == other.sumSquares && min == other.min &&
         max == other.max && saturated == other.saturated &&
         histogram == other.histogram;
}

unsigned profile::findStalls(const Summary &summary) {
  // Four buckets per octave, and two octaves.
  constexpr unsigned kFourTimes = 8;
  const Histogram &histogram = summary.histogram;
  uint64_t most = summary.count - summary.count / 10, seen = 0;
  unsigned bucket = 0;
  while (bucket != Histogram::kBuckets && seen < most)
    seen += histogram.get(bucket++);
  // `bucket` is after the last one of the others.
  return std::min(bucket + kFourTimes, Histogram::kBuckets + 1) - 1;
}
