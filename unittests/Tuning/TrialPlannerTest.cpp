//===- TrialPlannerTest.cpp - The order of trials -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/TrialPlanner.h"
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

TEST(TrialPlannerTest, MostExpectedGainForItsCostFirst) {
  TrialPlanner planner({});
  // 10 s in all. Distances to the bounds: 1, 4 and 0 s.
  size_t near = planner.addSite({"near", 5, 4});
  size_t far = planner.addSite({"far", 4.5, 0.5});
  size_t atBound = planner.addSite({"at the bound", 0.5, 0.5});
  size_t cheap = planner.addTrial(near, estimate("a", 0.5, 0.5, 0.5));
  size_t dear = planner.addTrial(far, estimate("b", 0.5, 0.5, 10));
  size_t good = planner.addTrial(far, estimate("c", 0.8, 0.5, 1));
  planner.addTrial(atBound, estimate("a", 1, 1, 0.001));
  // One of the two on "far" succeeds with a probability of 0.9.
  EXPECT_NEAR(planner.getExpectedGain(), 0.025 + 0.9 * 0.2, 1e-12);
  // Gains per second: 0.025 / 0.5, 0.1 / 10, 0.16 / 1.
  std::optional<PlannedTrial> first = planner.next(0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->trial, good);
  EXPECT_EQ(first->site, far);
  EXPECT_NEAR(first->expectedGain, 0.16, 1e-12);
  std::optional<PlannedTrial> second = planner.next(1);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->trial, cheap);
  std::optional<PlannedTrial> third = planner.next(2);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->trial, dear);
  EXPECT_FALSE(planner.next(12));
  EXPECT_EQ(planner.getStopReason(), StopReason::BelowNoise);
}

TEST(TrialPlannerTest, StopsBelowNoise) {
  PlannerOptions options;
  options.noise = 0.01;
  TrialPlanner planner(options);
  size_t hot = planner.addSite({"hot", 9.9, 4.95});
  size_t cold = planner.addSite({"cold", 0.1, 0.01});
  planner.addTrial(cold, estimate("a", 1, 1, 1));
  size_t trial = planner.addTrial(hot, estimate("a", 0.5, 0.5, 1));
  std::optional<PlannedTrial> first = planner.next(0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->trial, trial);
  // The cold op could gain 0.9 % at most, which would be below noise.
  EXPECT_FALSE(planner.next(1));
  EXPECT_EQ(planner.getStopReason(), StopReason::BelowNoise);
  EXPECT_EQ(planner.getExpectedGain(), 0);
}

TEST(TrialPlannerTest, KeepsToItsTime) {
  PlannerOptions options;
  options.seconds = 10;
  TrialPlanner planner(options);
  size_t site = planner.addSite({"op", 1, 0.1});
  planner.addTrial(site, estimate("long", 1, 1, 9));
  size_t brief = planner.addTrial(site, estimate("short", 0.1, 0.1, 2));
  std::optional<PlannedTrial> trial = planner.next(5);
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->trial, brief);
  EXPECT_FALSE(planner.next(7));
  EXPECT_EQ(planner.getStopReason(), StopReason::BudgetUsed);
  PlannerOptions nothing;
  nothing.seconds = 0;
  TrialPlanner none(nothing);
  EXPECT_FALSE(none.next(0));
  EXPECT_EQ(none.getStopReason(), StopReason::NothingLeft);
  none.addTrial(none.addSite({"op", 1, 0.1}), estimate("a", 1, 1, 1));
  EXPECT_FALSE(none.next(0));
  EXPECT_EQ(none.getStopReason(), StopReason::BudgetUsed);
}

TEST(TrialPlannerTest, ExhaustiveMakesAllTrials) {
  PlannerOptions all;
  all.seconds = 10;
  all.noise = 0.01;
  all.isExhaustive = true;
  TrialPlanner planner(all);
  size_t hot = planner.addSite({"hot", 1, 0.5});
  size_t cold = planner.addSite({"cold", 1e-6, 1e-7});
  size_t unseen = planner.addSite({"unseen", 0, 0});
  size_t none = planner.addTrial(unseen, estimate("a", 0.5, 0.5, 1));
  size_t little = planner.addTrial(cold, estimate("a", 0.5, 0.5, 1));
  size_t much = planner.addTrial(hot, estimate("a", 0.5, 0.5, 1));
  planner.addTrial(hot, estimate("a", 0.5, 0.5, 11));
  for (size_t expected : {much, little, none}) {
    std::optional<PlannedTrial> next = planner.next(0);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->trial, expected);
  }
  EXPECT_FALSE(planner.next(0));
  EXPECT_EQ(planner.getStopReason(), StopReason::BudgetUsed);
}

TEST(TrialPlannerTest, LearnsFromResults) {
  TrialPlanner planner({});
  for (const char *name : {"a", "b", "c"})
    planner.addSite({name, 1, 0.1});
  size_t trial = planner.addTrial(0, estimate("bad", 0.5, 0.5, 1));
  planner.addTrial(1, estimate("bad", 0.5, 0.5, 1));
  planner.addTrial(2, estimate("good", 0.45, 0.5, 1));
  EXPECT_EQ(planner.next(0)->trial, trial);
  // 0.5 with the weight of two tries, and one that failed and cost double.
  planner.report(trial, {Outcome::Failed, 0, 2});
  std::optional<PlannedTrial> next = planner.next(2);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->site, 2u);
  planner.report(next->trial, {Outcome::Kept, 0.1, 1});
  EXPECT_NEAR(planner.getSite(2).seconds, 0.1, 1e-12);
  next = planner.next(3);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->site, 1u);
  // (0.5 * 2 + 0) / 3 of 0.5 * 0.9 / 3; the cost (2 + 2) / 3.
  EXPECT_NEAR(next->expectedGain, 0.05, 1e-12);
  EXPECT_NEAR(next->costSeconds, 4.0 / 3, 1e-12);
}

TEST(TrialPlannerTest, GainsShrinkTheDistance) {
  TrialPlanner planner({});
  size_t site = planner.addSite({"op", 10, 2});
  size_t first = planner.addTrial(site, estimate("a", 1, 0.5, 1));
  size_t second = planner.addTrial(site, estimate("b", 0.5, 0.5, 1));
  EXPECT_EQ(planner.next(0)->trial, first);
  planner.report(first, {Outcome::Kept, 4, 1});
  std::optional<PlannedTrial> next = planner.next(1);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->trial, second);
  // Half of half of 4 - 2 s, of a model that took 10.
  EXPECT_NEAR(next->expectedGain, 0.05, 1e-12);
}

TEST(TrialPlannerTest, LargeModel) {
  // 2,000 ops, the i-th of time 1 / (i + 1).
  PlannerOptions options;
  TrialPlanner planner(options);
  double sum = 0;
  for (size_t i = 0; i != 2000; ++i) {
    double seconds = 1.0 / double(i + 1);
    sum += seconds;
    planner.addTrial(planner.addSite({"op", seconds, seconds / 2}),
                     estimate("a", 0.5, 0.5, 1));
  }
  size_t count = 0;
  while (std::optional<PlannedTrial> trial = planner.next(0)) {
    // Equal in everything but time: the order is that of time.
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
  EXPECT_EQ(planner.getStopReason(), StopReason::BelowNoise);
}

TEST(TrialPlannerTest, BadNumbers) {
  TrialPlanner planner({});
  size_t site = planner.addSite({"op", std::nan(""), -1});
  planner.addTrial(site, estimate("a", std::nan(""), INFINITY, 0));
  EXPECT_FALSE(planner.next(0));
  EXPECT_EQ(planner.getStopReason(), StopReason::BelowNoise);
  size_t real = planner.addSite({"op", 1, 0});
  size_t trial = planner.addTrial(real, estimate("a", 2, 2, -1));
  std::optional<PlannedTrial> next = planner.next(0);
  ASSERT_TRUE(next);
  // Half of the time is taken for the bound.
  EXPECT_NEAR(next->expectedGain, 0.5, 1e-12);
  planner.report(trial, {Outcome::Kept, std::nan(""), std::nan("")});
  EXPECT_EQ(planner.getSite(real).seconds, 0);
}

} // namespace
