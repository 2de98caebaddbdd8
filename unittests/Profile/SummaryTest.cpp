//===- SummaryTest.cpp - Summaries and histograms -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Summary.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlirprof;
using namespace mlirprof::profile;

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Histogram, BucketBoundsAreThoseOfTheFormat) {
  // The formula of proto/profile.proto, in decimal by hand.
  EXPECT_EQ(Histogram::bucketOf(kMin), 0u);
  EXPECT_EQ(Histogram::bucketOf(0), 0u);
  EXPECT_EQ(Histogram::bucketOf(3), 3u);
  EXPECT_EQ(Histogram::bucketOf(4), 4u);
  EXPECT_EQ(Histogram::bucketOf(7), 7u);
  EXPECT_EQ(Histogram::bucketOf(8), 8u);
  EXPECT_EQ(Histogram::bucketOf(9), 8u);
  EXPECT_EQ(Histogram::bucketOf(10), 9u);
  EXPECT_EQ(Histogram::bucketOf(1000), 35u); // 2^9 + 3 quarters: 36 - 4 + 3.
  EXPECT_EQ(Histogram::bucketOf(kMax), 247u);
  for (unsigned bucket = 1; bucket != Histogram::kBuckets; ++bucket) {
    int64_t bound = Histogram::lowerBound(bucket);
    EXPECT_EQ(Histogram::bucketOf(bound), bucket);
    EXPECT_EQ(Histogram::bucketOf(bound - 1), bucket - 1);
  }
}

TEST(Histogram, StoresTheSpanInUse) {
  Histogram histogram;
  histogram.add(100, 2);
  histogram.add(3);
  histogram.add(1000000);
  EXPECT_EQ(histogram.getFirst(), 3u);
  EXPECT_EQ(histogram.get(Histogram::bucketOf(100)), 2u);
  EXPECT_EQ(histogram.get(247), 0u);
  uint64_t total = 0;
  for (uint64_t count : histogram.getCounts())
    total += count;
  EXPECT_EQ(total, 4u);
}

TEST(Histogram, RefusesSpansThatDoNotFit) {
  Histogram histogram;
  EXPECT_TRUE(histogram.set(0, std::vector<uint64_t>(248, 1)));
  EXPECT_TRUE(histogram.set(247, {1}));
  EXPECT_TRUE(histogram.set(248, {}));
  EXPECT_FALSE(histogram.set(248, {1}));
  EXPECT_FALSE(histogram.set(1, std::vector<uint64_t>(248, 1)));
  EXPECT_FALSE(histogram.set(~0u, {1}));
  // Zeros at the ends do not matter.
  Histogram padded, plain;
  EXPECT_TRUE(padded.set(1, {0, 0, 5, 0}));
  plain.add(3, 5);
  EXPECT_TRUE(padded == plain);
}

TEST(Summary, AddsUp) {
  Summary summary;
  for (int64_t value : {3, -4, 10})
    summary.add(value);
  EXPECT_EQ(summary.count, 3u);
  EXPECT_EQ(summary.sum, 9);
  EXPECT_EQ(uint64_t(summary.sumSquares), 125u);
  EXPECT_EQ(summary.min, -4);
  EXPECT_EQ(summary.max, 10);
  EXPECT_FALSE(summary.saturated);
}

TEST(Summary, MergesExactlyInAnyOrderAndGrouping) {
  std::mt19937_64 random(5);
  for (unsigned round = 0; round != 200; ++round) {
    Summary parts[3], all;
    for (Summary &part : parts) {
      for (uint64_t i = random() % 6; i != 0; --i) {
        int64_t value = int64_t(random() >> (random() % 60 + 4));
        part.add(value);
        all.add(value);
      }
    }
    const auto &[a, b, c] = parts;
    Summary left = a, right = b, back = c;
    left.merge(b);
    left.merge(c);
    right.merge(c);
    Summary grouped = a;
    grouped.merge(right);
    back.merge(b);
    back.merge(a);
    EXPECT_EQ(left, all);
    EXPECT_EQ(grouped, all);
    EXPECT_EQ(back, all);
  }
}

TEST(Summary, SaturatesAndSaysSo) {
  Summary summary;
  summary.add(kMax);
  EXPECT_FALSE(summary.saturated);
  summary.add(1);
  EXPECT_TRUE(summary.saturated);
  EXPECT_EQ(summary.sum, kMax);
  Summary low;
  low.add(kMin);
  low.add(-1);
  EXPECT_TRUE(low.saturated);
  EXPECT_EQ(low.sum, kMin);
  // 2^126 * 4 is 2^128, one more than fits.
  Summary squares;
  for (unsigned i = 0; i != 4; ++i)
    squares.add(i % 2 ? kMin : kMin + 0);
  EXPECT_TRUE(squares.sumSquares == ~(unsigned __int128)0);
  Summary counts;
  counts.count = ~uint64_t(0);
  Summary one;
  one.add(0);
  counts.merge(one);
  EXPECT_EQ(counts.count, ~uint64_t(0));
  EXPECT_TRUE(counts.saturated);
}

} // namespace
