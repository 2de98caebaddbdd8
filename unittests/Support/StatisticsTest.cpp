//===- StatisticsTest.cpp - Medians and other quantiles -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Statistics.h"
#include "gtest/gtest.h"

#include <vector>

using namespace mlirprof;

TEST(StatisticsTest, MediansOfOddAndEvenCounts) {
  std::vector<int64_t> whole = {30, 10, 50};
  EXPECT_EQ(getMedian(whole), 30);
  whole.push_back(20);
  EXPECT_EQ(getMedian(whole), 25);
  whole[0] = 21;
  EXPECT_EQ(getMedian(whole), 20);
  std::vector<double> real = {4, 1, 3, 2};
  EXPECT_EQ(getMedian(real), 2.5);
  EXPECT_EQ(getMedian(std::vector<double>()), 0);
  EXPECT_EQ(getMedian(std::vector<int64_t>{7}), 7);
}

// numpy.quantile([15, 20, 35, 40, 50, 51], [.25, .75, .9, 0, 1]).
TEST(StatisticsTest, QuantilesAreThoseOfNumPy) {
  std::vector<double> values = {51, 15, 40, 20, 50, 35};
  EXPECT_DOUBLE_EQ(getQuantile(values, 1, 4), 23.75);
  EXPECT_DOUBLE_EQ(getQuantile(values, 3, 4), 47.5);
  EXPECT_DOUBLE_EQ(getQuantile(values, 9, 10), 50.5);
  EXPECT_DOUBLE_EQ(getQuantile(values, 0, 1), 15);
  EXPECT_DOUBLE_EQ(getQuantile(values, 1, 1), 51);
}

TEST(StatisticsTest, LargeNumbersDoNotOverflow) {
  std::vector<int64_t> values = {INT64_MIN, INT64_MAX};
  EXPECT_EQ(getMedian(values), -1);
}
