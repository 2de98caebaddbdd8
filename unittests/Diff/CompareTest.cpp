//===- CompareTest.cpp - The statistics of a diff -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Diff/Compare.h"
#include "../../lib/Diff/Correct.h"
#include "../../lib/Diff/Iterations.h"
#include "../../lib/Diff/Stalls.h"
#include "../../lib/Diff/Turns.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;

namespace {

Runs evenly(std::vector<double> values) {
  Runs runs;
  runs.weights.assign(values.size(), 1 / double(values.size()));
  runs.values = std::move(values);
  return runs;
}

/// The numbers are scipy's: ttest_ind without moderation, else t.sf and t.isf.
struct Expected {
  double before, change, variance, freedom, pValue;
  int64_t lowPs, highPs, detectablePs;
};

void expectResult(const Runs &before, const Runs &after, bool arePairs,
                  const Scatter &scatter, const Expected &expected) {
  auto result = compareMeans(before, after, arePairs, scatter);
  ASSERT_TRUE(result.has_value());
  EXPECT_NEAR(result->before, expected.before, 1e-9);
  EXPECT_NEAR(result->change, expected.change, 1e-9);
  EXPECT_NEAR(result->variance, expected.variance, 1e-9);
  EXPECT_NEAR(result->freedom, expected.freedom, 1e-6);
  DiffRow row;
  setTest(row, *result, /*alpha=*/0.01, /*limit=*/0.002);
  EXPECT_NEAR(row.pValue, expected.pValue, 1e-6 * expected.pValue);
  EXPECT_EQ(row.testedBeforePs, std::llround(expected.before));
  EXPECT_EQ(row.testedPs, int64_t(expected.change));
  EXPECT_EQ(row.lowPs, expected.lowPs);
  EXPECT_EQ(row.highPs, expected.highPs);
  EXPECT_EQ(row.detectablePs, expected.detectablePs);
}

/// Student's test: t = 5.2372, 4 degrees of freedom.
TEST(Compare, IsStudentsTestWithoutExpectations) {
  expectResult(evenly({100, 102, 104}), evenly({108, 111, 111}), false, {},
               {102, 8, 2.3333333333, 4, 0.006352256724747, 0, 16, 11});
}

/// t = 13.8564, 2 degrees of freedom, 8 +- 5.73.
TEST(Compare, OfPairsIsThePairedTest) {
  expectResult(evenly({100, 102, 106}), evenly({108, 111, 113}), true, {},
               {308. / 3, 8, 0.3333333333, 2, 0.005167993252386, 2, 14, 13});
  // All pairs count the same.
  expectResult({{100, 102, 106}, {0.5, 0.3, 0.2}},
               {{108, 111, 113}, {0.1, 0.1, 0.8}}, true, {},
               {308. / 3, 8, 0.3333333333, 2, 0.005167993252386, 2, 14, 13});
}

/// 8 degrees of freedom with variance 1.5 and 4 with 3.5: 12 with 2.1667.
TEST(Compare, TakesWhatIsExpectedForEvidence) {
  expectResult(evenly({100, 102, 104}), evenly({108, 111, 111}), false,
               {1.5, 8, 0},
               {102, 8, 1.4444444444, 12, 2.3386137643728e-05, 4, 12, 5});
  // One run per side: 10 +- 3.3554 * sqrt(8).
  expectResult(evenly({100}), evenly({110}), false, {4, 8, 0},
               {100, 10, 8, 8, 0.00766972802095426, 0, 20, 13});
}

/// Counting explains 12 of the 14 by which the runs scatter.
TEST(Compare, CountingIsNoScatterOfRuns) {
  expectResult(
      evenly({100, 102, 104}), evenly({108, 111, 111}), false, {1.5, 8, 2},
      {102, 8, 2.7777777778, 153.061224489796, 3.74092426888947e-06, 3, 13, 6});
}

TEST(Compare, WeighsRuns) {
  expectResult({{100, 104}, {0.25, 0.75}}, {{110, 112}, {0.5, 0.5}}, false,
               {1, 8, 0}, {103, 8, 1.8, 10, 0.000138831743755358, 3, 13, 6});
}

/// An op that appeared is judged by its own time: 52 +- 3.25 * 0.9428.
TEST(Compare, JudgesOneSideByItself) {
  expectResult({}, evenly({50, 54}), false, {1, 8, 0},
               {0, 52, 0.8888888889, 9, 1.06513744160777e-12, 48, 56, 5});
}

DiffRow withP(double pValue) {
  DiffRow row;
  row.pValue = pValue;
  return row;
}

/// By hand. No change of the whole is found, so ops have half of the
/// probability: 0.0002 * (0.5 + 0.25 + 0.25) / 0.5 / 0.5, and 0.003 * 0.5 /
/// 0.25 / 0.5.
TEST(Correct, WeighsOpsByTheirShare) {
  DiffRow wall = withP(0.2), large = withP(0.0002), small = withP(0.003);
  std::vector<WeightedTest> ops = {{&small, 0.25}, {&large, 0.5}};
  correct({{&wall, 0.5}}, ops, /*others=*/0.25, 0.01);
  EXPECT_NEAR(wall.adjusted, 0.4, 1e-12);
  EXPECT_NEAR(large.adjusted, 0.0008, 1e-12);
  EXPECT_NEAR(small.adjusted, 0.012, 1e-12);
}

/// As above, with all of the probability: half as much.
TEST(Correct, LeavesTheChanceOfTheWholeToItsOps) {
  DiffRow wall = withP(0.001), large = withP(0.0002), small = withP(0.003);
  std::vector<WeightedTest> ops = {{&small, 0.25}, {&large, 0.5}};
  correct({{&wall, 0.5}}, ops, /*others=*/0.25, 0.01);
  EXPECT_NEAR(wall.adjusted, 0.002, 1e-12);
  EXPECT_NEAR(large.adjusted, 0.0004, 1e-12);
  EXPECT_NEAR(small.adjusted, 0.006, 1e-12);
}

/// An adjusted p-value never lies below that of a smaller one.
TEST(Correct, KeepsTheOrder) {
  DiffRow first = withP(0.01), second = withP(0.011);
  std::vector<WeightedTest> ops = {{&first, 0.5}, {&second, 0.5}};
  correct({}, ops, 0, 0.01);
  EXPECT_NEAR(first.adjusted, 0.04, 1e-12);
  EXPECT_NEAR(second.adjusted, 0.04, 1e-12);
}

/// 64 iterations of 100, 104, 108, 112 ps in turn, two in each of the 32 parts
/// of equal time; by hand.
TEST(Iterations, AreSummarizedByPartsOfTheRun) {
  profile::Run run;
  for (int64_t i = 0; i != 64; ++i) {
    Step step;
    step.number = i;
    step.beginPs = i * 1000;
    step.durationPs = 100 + 4 * (i % 4);
    run.steps.push_back(step);
  }
  run.steps.back().durationPs = 1000;
  RunTimes times = getRunTimes(run);
  EXPECT_TRUE(times.hasOrder);
  EXPECT_TRUE(times.hasScatter);
  // Parts (100, 104) and (108, 112) in turn, the last (108, 1000): medians 16
  // times 102, 15 times 110 and 554; lower quartiles 101, 109 and 331.
  EXPECT_NEAR(times.median.timePs, 106, 1e-9);
  EXPECT_NEAR(times.median.scatter, 8 / 1.349 / 106, 1e-9);
  EXPECT_NEAR(times.quartile.timePs, 101, 1e-9);
  EXPECT_NEAR(times.quartile.scatter,
              std::hypot(8 / 1.349 / 101 / 2, (101 / 100. - 1) / 32), 1e-9);
  EXPECT_NEAR(times.quickest.timePs, 100, 1e-9);
  // The 63 others have a mean of 6672 / 63 and a deviation s of
  // sqrt((707840 - 6672^2 / 63) / 62): s ((mean - 100) / s)^4 / 64 as a part.
  EXPECT_NEAR(times.quickest.scatter, 0.002114880625, 1e-9);
}

/// A mean of 110 and a deviation of 10 * sqrt(4 / 3).
TEST(Iterations, WithoutOrderAreTheirMean) {
  profile::Run run;
  for (int64_t value : {100, 120, 120, 100})
    run.iterations.add(value);
  RunTimes times = getRunTimes(run);
  EXPECT_FALSE(times.hasOrder);
  EXPECT_TRUE(times.hasScatter);
  EXPECT_NEAR(times.median.timePs, 110, 1e-9);
  EXPECT_NEAR(times.median.scatter, 11.5470053838 / 110, 1e-9);
}

/// 100 values of 100 ps and two stalls: 1000 ps lies in the bucket from 896 to
/// 1023 ps, whose largest value is known.
TEST(Stalls, AreLeftOut) {
  Summary summary;
  for (unsigned i = 0; i != 100; ++i)
    summary.add(100);
  EXPECT_EQ(getMomentsWithoutStalls(summary).mean, 100);
  EXPECT_EQ(getMomentsWithoutStalls(summary).variance, 0);
  summary.add(1000);
  // (11000 - (896 + 1000) / 2) / 100
  EXPECT_NEAR(getMoments(summary).mean, 11000 / 101.0, 1e-9);
  EXPECT_NEAR(getMomentsWithoutStalls(summary).mean, 100.52, 1e-9);
  // Less than four times is not a stall.
  summary.add(300);
  EXPECT_NEAR(getMomentsWithoutStalls(summary).mean, (11300 - 948) / 101.0,
              1e-9);
}

/// More than a tenth of the values is not a stall, however large they are.
TEST(Stalls, AreSeldom) {
  Summary summary;
  for (unsigned i = 0; i != 100; ++i)
    summary.add(i < 80 ? 100 : 10000);
  EXPECT_EQ(getMomentsWithoutStalls(summary).mean, getMoments(summary).mean);
}

Quickest getQuickest(const Summary &summary) {
  return diff::getQuickest(summary, getMomentsWithoutStalls(summary));
}

/// Half of 64 values are 2 larger than the others: a mean of 1 above them and a
/// deviation s of sqrt(64 / 63), so s (1 / s)^4 / 64.
TEST(Quickest, KnowsHowSureItIs) {
  Summary summary;
  for (unsigned i = 0; i != 32; ++i) {
    summary.add(100);
    summary.add(102);
  }
  EXPECT_EQ(getQuickest(summary).value, 100);
  EXPECT_NEAR(getQuickest(summary).deviation, std::pow(63 / 64., 1.5) / 64,
              1e-9);
  EXPECT_EQ(getQuickest(Summary()).value, 0);
}

/// Five of a thousand values lie far below the others, which begin in the
/// bucket from 96 to 111; the one before it begins at 80.
TEST(Quickest, IsNotOneValueInAThousand) {
  Summary summary;
  for (unsigned i = 0; i != 1000; ++i)
    summary.add(i < 5 ? 10 : 100);
  EXPECT_EQ(getQuickest(summary).value, 80);
  for (unsigned i = 0; i != 20; ++i)
    summary.add(10);
  EXPECT_EQ(getQuickest(summary).value, 10);
}

/// The estimate of the deviation is right to a factor of 1.6 for exponential,
/// gamma and normal noise: numpy's deviation of the minima of 20,000 sets of
/// 64, of deviation 1, is 0.0157, 0.0664 (shape 2), 0.142 (shape 4) and 0.451.
TEST(Quickest, DeviatesAsMinimaDo) {
  std::mt19937_64 random(38);
  auto estimate = [&](auto distribution, double scale) {
    double sum = 0;
    for (unsigned set = 0; set != 500; ++set) {
      Summary summary;
      for (unsigned i = 0; i != 64; ++i)
        summary.add(int64_t(1e6 + scale * distribution(random)));
      sum += diff::getQuickest(summary, getMoments(summary)).deviation / 500;
    }
    return sum / 1e4;
  };
  auto expectNear = [](double estimated, double truth) {
    EXPECT_LE(estimated, 1.6 * truth);
    EXPECT_GE(estimated, truth / 1.6);
  };
  using Gamma = std::gamma_distribution<double>;
  expectNear(estimate(Gamma(1), 1e4), 0.0157);
  expectNear(estimate(Gamma(2), 1e4 / std::sqrt(2)), 0.0664);
  expectNear(estimate(Gamma(4), 1e4 / 2), 0.142);
  expectNear(estimate(std::normal_distribution<double>(), 1e4), 0.451);
}

Profile beginAt(std::vector<int64_t> begins) {
  Profile profile;
  for (int64_t begin : begins) {
    profile.runs.emplace_back();
    profile.runs.back().clock = {"monotonic", 1000 * begin, true};
    Step step;
    step.durationPs = 10;
    profile.runs.back().steps = {step};
  }
  return profile;
}

TEST(Turns, AreFoundByTheBegins) {
  Turns turns = findTurns(beginAt({50, 10, 30}), beginAt({20, 60, 40}));
  EXPECT_TRUE(turns.areKnown);
  EXPECT_TRUE(turns.areInTurns);
  EXPECT_EQ(turns.before, (std::vector<uint32_t>{1, 2, 0}));
  EXPECT_EQ(turns.after, (std::vector<uint32_t>{0, 2, 1}));
  // A B B A forms two pairs.
  EXPECT_TRUE(findTurns(beginAt({1, 4}), beginAt({2, 3})).areInTurns);
  EXPECT_FALSE(findTurns(beginAt({1, 2}), beginAt({3, 4})).areInTurns);
  EXPECT_FALSE(findTurns(beginAt({1, 3}), beginAt({2, 4, 5})).areInTurns);
  Profile unknown = beginAt({5});
  unknown.runs[0].clock.hasAnchor = false;
  EXPECT_FALSE(findTurns(unknown, beginAt({4})).areKnown);
}

} // namespace
