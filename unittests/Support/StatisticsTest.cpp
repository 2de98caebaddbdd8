//===- StatisticsTest.cpp - Against NumPy and SciPy -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Statistics.h"
#include "gtest/gtest.h"

#include <cmath>
#include <vector>

using namespace mlirprof;

// Figures come from SciPy 1.17 and NumPy 2, by the calls that each test names.

namespace {

const std::vector<double> kTen = {-0.051, -0.048, 0.012,  -0.033, -0.060,
                                  -0.020, 0.004,  -0.045, -0.052, -0.039};

std::vector<double> makeForty() {
  std::vector<double> values;
  for (int i = 1; i <= 40; ++i)
    values.push_back(std::sin(i * 1.7) - 0.2);
  return values;
}

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

TEST(StatisticsTest, LowerMediansTakeTheSmallerOfTwo) {
  // statistics.median_low of Python.
  EXPECT_EQ(getLowerMedian({30, 10, 50}), 30);
  EXPECT_EQ(getLowerMedian({30, 10, 50, 20}), 20);
  EXPECT_EQ(getLowerMedian({7}), 7);
  EXPECT_EQ(getLowerMedian({}), 0);
}

TEST(StatisticsTest, RobustEstimates) {
  EXPECT_NEAR(getMedian(kTen), -0.042, 1e-15);
  // scipy.stats.median_abs_deviation(ten, scale=1 / 1.4826)
  EXPECT_NEAR(estimateSpread(kTen), 0.0140847, 1e-12);
  // scipy.stats.iqr(ten) / 1.349
  EXPECT_NEAR(estimateSpreadByQuartiles(kTen), 0.020014825796886584, 1e-15);
  // numpy.median([(a + b) / 2 for i, a in enumerate(v) for b in v[i:]])
  EXPECT_NEAR(estimateCenter(kTen), -0.036, 1e-15);
  EXPECT_NEAR(estimateCenter(makeForty()), -0.2006913521142899, 1e-14);
  EXPECT_EQ(estimateCenter({}), 0);
  EXPECT_EQ(estimateSpread({}), 0);
  EXPECT_EQ(estimateSpreadByQuartiles({}), 0);
  // An outlier does not move it.
  EXPECT_NEAR(estimateCenter({1, 1, 1, 1, 1, 1, 1, 1, 1000}), 1, 1e-15);
}

TEST(SignedRankTest, Probability) {
  // scipy.stats.wilcoxon(values, alternative="less", method="exact").
  EXPECT_NEAR(probabilityNotBelow(kTen, 0), 0.0048828125, 1e-15);
  EXPECT_NEAR(probabilityNotBelow(makeForty(), 0), 0.03516958887939836, 1e-14);
  // alternative="greater".
  std::vector<double> mirrored = makeForty();
  for (double &value : mirrored)
    value = -value;
  EXPECT_NEAR(probabilityNotBelow(mirrored, 0), 0.965887889629812, 1e-14);
  // 85 of 1024 sign combinations have as small a sum.
  EXPECT_NEAR(probabilityNotBelow(kTen, -0.02), 85.0 / 1024, 1e-15);
}

TEST(SignedRankTest, Ties) {
  // Ranks 2.5 four times, 5.5 twice, 7.5 twice; 27 of 256 sign combinations
  // have a sum of at most 2.5 + 5.5.
  EXPECT_NEAR(probabilityNotBelow({-1, -1, -2, 1, -3, -3, 2, -1}, 0),
              27.0 / 256, 1e-15);
  // A value at the bound speaks against the claim: a sum of at most 1.
  EXPECT_NEAR(probabilityNotBelow({0, -1, -2, -3, -4}, 0), 2.0 / 32, 1e-15);
  EXPECT_EQ(probabilityNotBelow({0, 0, 0, 0}, 0), 1);
}

TEST(SignedRankTest, Extremes) {
  EXPECT_EQ(probabilityNotBelow({}, 0), 1);
  EXPECT_EQ(probabilityNotBelow({1}, 0), 1);
  EXPECT_EQ(probabilityNotBelow({-1}, 0), 0.5);
  std::vector<double> below(kMaxSignedRankValues, -1);
  EXPECT_DOUBLE_EQ(probabilityNotBelow(below, 0), std::ldexp(1, -256));
}

TEST(StudentTest, Tails) {
  // 2 * scipy.stats.t.sf(t, freedom)
  EXPECT_NEAR(getStudentTail(2, 5), 0.10193947882985835, 1e-14);
  EXPECT_NEAR(getStudentTail(-2, 5), 0.10193947882985835, 1e-14);
  EXPECT_NEAR(getStudentTail(1, 1), 0.5, 1e-14);
  EXPECT_NEAR(getStudentTail(10, 3), 0.0021283990584141503, 1e-15);
  EXPECT_NEAR(getStudentTail(40, 12.5), 1.429153296371695e-14, 1e-24);
  EXPECT_NEAR(getStudentTail(0.001, 2), 0.9992928933955901, 1e-13);
  EXPECT_NEAR(getStudentTail(3, 1e9), 0.002699796129737913, 1e-9);
  EXPECT_EQ(getStudentTail(0, 3), 1);
  // The limit between the two ways to compute it.
  EXPECT_NEAR(getStudentTail(1.7, 0.99e6), 0.08913123649034883, 1e-8);
  EXPECT_NEAR(getStudentTail(1.7, 1.01e6), 0.08913123649034883, 1e-6);
}

TEST(StudentTest, Quantiles) {
  // scipy.stats.t.isf(tail / 2, freedom)
  EXPECT_NEAR(getStudentQuantile(0.05, 1), 12.706204736174705, 1e-9);
  EXPECT_NEAR(getStudentQuantile(0.05, 10), 2.2281388519862753, 1e-10);
  EXPECT_NEAR(getStudentQuantile(0.01, 4), 4.604094871349993, 1e-10);
  EXPECT_NEAR(getStudentQuantile(0.05, 1e9), 1.9599639869123253, 1e-8);
  EXPECT_NEAR(getStudentQuantile(0.001, 30), 3.645958635042021, 1e-10);
  EXPECT_NEAR(getStudentQuantile(1e-12, 7.5), 92.04963275663107, 1e-7);
  EXPECT_NEAR(getStudentQuantile(0.5, 3), 0.7648923284043444, 1e-11);
}

WeightedSample evenly(std::vector<double> values) {
  WeightedSample sample;
  sample.weights.assign(values.size(), 1 / double(values.size()));
  sample.values = std::move(values);
  return sample;
}

const std::vector<double> kBefore = {103.5, 99.25, 101.75, 104.125, 98.5};
const std::vector<double> kAfter = {101.25, 96.5, 97.875, 99.5, 95.75};

void expectTest(const std::optional<MeanDifference> &result, double statistic,
                double freedom, double pValue) {
  ASSERT_TRUE(result.has_value());
  double t = result->change / std::sqrt(result->variance);
  EXPECT_NEAR(result->change, -3.25, 1e-12);
  EXPECT_NEAR(t, statistic, 1e-12);
  EXPECT_NEAR(result->freedom, freedom, 1e-9);
  EXPECT_NEAR(result->fromValues, freedom, 1e-12);
  EXPECT_NEAR(getStudentTail(t, result->freedom), pValue, 1e-13);
}

// scipy.stats.ttest_ind(after, before)
TEST(CompareMeansTest, IsStudentsTestWithoutExpectations) {
  expectTest(compareMeans(evenly(kBefore), evenly(kAfter), false, {}),
             -2.1672687694062778, 8, 0.06208221313511855);
}

// scipy.stats.ttest_rel(after, before)
TEST(CompareMeansTest, OfPairsIsThePairedTest) {
  expectTest(compareMeans(evenly(kBefore), evenly(kAfter), true, {}),
             -7.474474469488897, 4, 0.0017127870253254322);
}

TEST(CompareMeansTest, SaysThatNothingIsKnown) {
  EXPECT_FALSE(compareMeans(evenly({1}), evenly({2}), false, {}).has_value());
  EXPECT_FALSE(compareMeans({}, {}, false, {1, 8, 0}).has_value());
}

} // namespace
