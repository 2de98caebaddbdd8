//===- BudgetTest.cpp - Where effort is worth it --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/Budget.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::tuning;

namespace {

TrialEstimate estimate(const char *technique, double success, double closes,
                       double cost) {
  TrialEstimate result;
  result.technique = technique;
  result.success = success;
  result.closes = closes;
  result.costSeconds = cost;
  return result;
}

TEST(BudgetTest, MostExpectedGainForItsCostFirst) {
  Budget budget({});
  // 10 s in all. Distances to the bounds: 1, 4 and 0 s.
  size_t near = budget.addSite({"near", 5, 4});
  size_t far = budget.addSite({"far", 4.5, 0.5});
  size_t atBound = budget.addSite({"at the bound", 0.5, 0.5});
  size_t cheap = budget.addTrial(near, estimate("a", 0.5, 0.5, 0.5));
  size_t dear = budget.addTrial(far, estimate("b", 0.5, 0.5, 10));
  size_t good = budget.addTrial(far, estimate("c", 0.8, 0.5, 1));
  budget.addTrial(atBound, estimate("a", 1, 1, 0.001));
  // Of the two on "far" one succeeds with a probability of 0.9.
  EXPECT_NEAR(budget.getExpectedGain(), 0.025 + 0.9 * 0.2, 1e-12);
  // Gains a second: 0.025 / 0.5, 0.1 / 10, 0.16 / 1.
  std::optional<PlannedTrial> first = budget.next(0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->trial, good);
  EXPECT_EQ(first->site, far);
  EXPECT_NEAR(first->expectedGain, 0.16, 1e-12);
  std::optional<PlannedTrial> second = budget.next(1);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->trial, cheap);
  std::optional<PlannedTrial> third = budget.next(2);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->trial, dear);
  EXPECT_FALSE(budget.next(12));
  EXPECT_EQ(budget.getStopReason(), StopReason::BelowNoise);
}

TEST(BudgetTest, StopsBelowNoise) {
  BudgetOptions options;
  options.noise = 0.01;
  Budget budget(options);
  size_t hot = budget.addSite({"hot", 9.9, 4.95});
  size_t cold = budget.addSite({"cold", 0.1, 0.01});
  budget.addTrial(cold, estimate("a", 1, 1, 1));
  size_t trial = budget.addTrial(hot, estimate("a", 0.5, 0.5, 1));
  std::optional<PlannedTrial> first = budget.next(0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->trial, trial);
  // The cold op could gain 0.9 % at most: that could not be seen.
  EXPECT_FALSE(budget.next(1));
  EXPECT_EQ(budget.getStopReason(), StopReason::BelowNoise);
  EXPECT_EQ(budget.getExpectedGain(), 0);
}

TEST(BudgetTest, KeepsToItsTime) {
  BudgetOptions options;
  options.seconds = 10;
  Budget budget(options);
  size_t site = budget.addSite({"op", 1, 0.1});
  budget.addTrial(site, estimate("long", 1, 1, 9));
  size_t brief = budget.addTrial(site, estimate("short", 0.1, 0.1, 2));
  std::optional<PlannedTrial> trial = budget.next(5);
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->trial, brief);
  EXPECT_FALSE(budget.next(7));
  EXPECT_EQ(budget.getStopReason(), StopReason::BudgetUsed);
  BudgetOptions nothing;
  nothing.seconds = 0;
  Budget none(nothing);
  EXPECT_FALSE(none.next(0));
  EXPECT_EQ(none.getStopReason(), StopReason::NothingLeft);
  none.addTrial(none.addSite({"op", 1, 0.1}), estimate("a", 1, 1, 1));
  EXPECT_FALSE(none.next(0));
  EXPECT_EQ(none.getStopReason(), StopReason::BudgetUsed);
}

TEST(BudgetTest, ExhaustiveMakesAllTrials) {
  BudgetOptions all;
  all.seconds = 10;
  all.noise = 0.01;
  all.isExhaustive = true;
  Budget budget(all);
  size_t hot = budget.addSite({"hot", 1, 0.5});
  size_t cold = budget.addSite({"cold", 1e-6, 1e-7});
  size_t unseen = budget.addSite({"unseen", 0, 0});
  size_t none = budget.addTrial(unseen, estimate("a", 0.5, 0.5, 1));
  size_t little = budget.addTrial(cold, estimate("a", 0.5, 0.5, 1));
  size_t much = budget.addTrial(hot, estimate("a", 0.5, 0.5, 1));
  budget.addTrial(hot, estimate("a", 0.5, 0.5, 11));
  for (size_t expected : {much, little, none}) {
    std::optional<PlannedTrial> next = budget.next(0);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->trial, expected);
  }
  EXPECT_FALSE(budget.next(0));
  EXPECT_EQ(budget.getStopReason(), StopReason::BudgetUsed);
}

TEST(BudgetTest, LearnsFromResults) {
  Budget budget({});
  for (const char *name : {"a", "b", "c"})
    budget.addSite({name, 1, 0.1});
  size_t trial = budget.addTrial(0, estimate("bad", 0.5, 0.5, 1));
  budget.addTrial(1, estimate("bad", 0.5, 0.5, 1));
  budget.addTrial(2, estimate("good", 0.45, 0.5, 1));
  EXPECT_EQ(budget.next(0)->trial, trial);
  // 0.5 with the weight of two tries, and one that failed and cost double.
  budget.report(trial, {Outcome::Failed, 0, 2});
  std::optional<PlannedTrial> next = budget.next(2);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->site, 2u);
  budget.report(next->trial, {Outcome::Kept, 0.1, 1});
  EXPECT_NEAR(budget.getSite(2).seconds, 0.1, 1e-12);
  next = budget.next(3);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->site, 1u);
  // (0.5 * 2 + 0) / 3 of 0.5 * 0.9 / 3; the cost (2 + 2) / 3.
  EXPECT_NEAR(next->expectedGain, 0.05, 1e-12);
  EXPECT_NEAR(next->costSeconds, 4.0 / 3, 1e-12);
}

TEST(BudgetTest, GainsShrinkTheDistance) {
  Budget budget({});
  size_t site = budget.addSite({"op", 10, 2});
  size_t first = budget.addTrial(site, estimate("a", 1, 0.5, 1));
  size_t second = budget.addTrial(site, estimate("b", 0.5, 0.5, 1));
  EXPECT_EQ(budget.next(0)->trial, first);
  budget.report(first, {Outcome::Kept, 4, 1});
  std::optional<PlannedTrial> next = budget.next(1);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->trial, second);
  // Half of half of 4 - 2 s, of a model that took 10.
  EXPECT_NEAR(next->expectedGain, 0.05, 1e-12);
}

TEST(BudgetTest, LargeModel) {
  // 2,000 ops, the i-th of time 1 / (i + 1).
  BudgetOptions options;
  Budget budget(options);
  double sum = 0;
  for (size_t i = 0; i != 2000; ++i) {
    double seconds = 1.0 / double(i + 1);
    sum += seconds;
    budget.addTrial(budget.addSite({"op", seconds, seconds / 2}),
                    estimate("a", 0.5, 0.5, 1));
  }
  size_t count = 0;
  while (std::optional<PlannedTrial> trial = budget.next(0)) {
    // Alike in all but time: the order is that of time.
    EXPECT_EQ(trial->site, count++);
  }
  // Half of the half of 1 / (i + 1) is at least a thousandth of all, and the
  // expected gains left, a half of these, add up to a thousandth of all.
  size_t visible = size_t(std::floor(0.25 / (options.noise * sum)));
  size_t expected = visible;
  for (double left = 0; expected && left < options.noise * sum; --expected)
    left += 0.125 / double(expected);
  EXPECT_NEAR(double(count), double(expected), 1);
  EXPECT_LT(count, 40u);
  EXPECT_EQ(budget.getStopReason(), StopReason::BelowNoise);
}

TEST(BudgetTest, BadNumbers) {
  Budget budget({});
  size_t site = budget.addSite({"op", std::nan(""), -1});
  budget.addTrial(site, estimate("a", std::nan(""), INFINITY, 0));
  EXPECT_FALSE(budget.next(0));
  EXPECT_EQ(budget.getStopReason(), StopReason::BelowNoise);
  size_t real = budget.addSite({"op", 1, 0});
  size_t trial = budget.addTrial(real, estimate("a", 2, 2, -1));
  std::optional<PlannedTrial> next = budget.next(0);
  ASSERT_TRUE(next);
  // Half of the time is taken for the bound.
  EXPECT_NEAR(next->expectedGain, 0.5, 1e-12);
  budget.report(trial, {Outcome::Kept, std::nan(""), std::nan("")});
  EXPECT_EQ(budget.getSite(real).seconds, 0);
}

} // namespace
