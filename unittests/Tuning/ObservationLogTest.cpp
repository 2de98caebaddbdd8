//===- ObservationLogTest.cpp - All measurements of choices ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/ObservationLog.h"
#include "TestDecisions.h"
#include "gtest/gtest.h"

using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

TEST(ObservationLogTest, FindsTheNewestOfAChoice) {
  ObservationLog log;
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  Observation failed = makeObservation(decision, 3000);
  failed.outcome = Outcome::Failed;
  EXPECT_TRUE(log.insert(failed));
  EXPECT_FALSE(log.insert(failed));
  log.insert(makeObservation(decision, 2000));
  log.insert(makeObservation(makeDecision('1', '2', '3', "t", "b"), 9000));
  log.insert(makeObservation(makeDecision('1', '2', '4', "t", "a"), 9000));
  const Observation *newest = log.findNewest(decision.key, decision.choice);
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->outcome, Outcome::Failed);
  EXPECT_EQ(newest->whenMs, 3000);
  EXPECT_FALSE(log.findNewest(decision.key, {}));
  // All choices of the key, oldest first.
  std::vector<int64_t> times;
  for (const Observation *observation : log.find(decision.key))
    times.push_back(observation->whenMs);
  EXPECT_EQ(times, (std::vector<int64_t>{2000, 3000, 9000}));
}

TEST(ObservationLogTest, OtherSizesDoNotCount) {
  ObservationLog log;
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  Observation small = makeObservation(decision, 1000);
  small.sizes = {{1, 8}, {4, 8}};
  log.insert(small);
  auto isFound = [&](const MeasuredSizes &sizes) {
    return log.findNewest(decision.key, decision.choice, sizes) != nullptr;
  };
  EXPECT_TRUE(isFound({}));
  // Four times as many, and more than that.
  EXPECT_TRUE(isFound({{16, 8}}));
  EXPECT_FALSE(isFound({{17, 8}}));
  // An older one of near sizes is found after a newer one of far sizes.
  Observation large = small;
  large.whenMs = 2000;
  large.sizes = {{64, 8}};
  log.insert(large);
  EXPECT_EQ(log.findNewest(decision.key, decision.choice, {{4, 8}})->whenMs,
            1000);
  EXPECT_EQ(log.findNewest(decision.key, decision.choice, {{64, 8}})->whenMs,
            2000);
}

TEST(ObservationLogTest, DropsTheOldestOfEachChoice) {
  ObservationLog log;
  Decision often = makeDecision('1', '2', '3', "t", "a");
  for (int64_t when = 0; when != 7; ++when)
    log.insert(makeObservation(often, when));
  Decision seldom = makeDecision('1', '2', '3', "t", "b");
  log.insert(makeObservation(seldom, 0));
  EXPECT_EQ(log.dropOld(5), 2u);
  EXPECT_EQ(log.dropOld(5), 0u);
  EXPECT_EQ(log.size(), 6u);
  EXPECT_TRUE(log.findNewest(seldom.key, seldom.choice));
  int64_t oldest = 10;
  for (const Observation *observation : log.find(often.key))
    if (observation->choice == often.choice)
      oldest = std::min(oldest, observation->whenMs);
  EXPECT_EQ(oldest, 2);
}

TEST(ObservationLogTest, CountsNewOnes) {
  ObservationLog one, two;
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  one.insert(makeObservation(decision, 1));
  two.insert(makeObservation(decision, 1));
  two.insert(makeObservation(decision, 2));
  EXPECT_EQ(one.countNew(two), 1u);
  EXPECT_EQ(two.countNew(one), 0u);
}

} // namespace
