//===- ModelComparerTest.cpp - Comparing two builds of a model ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchParts.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlirprof::test;

namespace {

/// Takes a second for each measurement of either variant.
struct SlowStopwatch final : Stopwatch {
  llvm::Expected<double> measure(Variant) override {
    ++measured;
    time += 1;
    return 1;
  }
  double now() override { return time; }

  double time = 0;
  unsigned measured = 0;
};

TEST(ModelComparerTest, DisturbedIsSlowerByMoreThanASeventh) {
  Comparison comparison;
  comparison.incumbentSeconds = 1.2;
  EXPECT_TRUE(isDisturbed(comparison, 1));
  EXPECT_FALSE(isDisturbed(comparison, 1.1));
  // Nothing is known of its time.
  EXPECT_FALSE(isDisturbed(comparison, 0));
}

TEST(ModelComparerTest, DisturbedComparisonsAreMadeThreeTimes) {
  ComparisonOptions test;
  test.maxRounds = 10;
  test.worthwhileGain = 0;
  auto count = [&](double incumbentSeconds, double maxSeconds) {
    SlowStopwatch stopwatch;
    test.maxSeconds = maxSeconds;
    llvm::cantFail(compareInPeace(stopwatch, test, incumbentSeconds));
    return stopwatch.measured;
  };
  unsigned once = count(/*incumbentSeconds=*/1, 1000);
  EXPECT_EQ(count(0.5, 1000), 3 * once);
  // There is time for one and a half.
  EXPECT_GT(count(0.5, 1.5 * once), once);
  EXPECT_LT(count(0.5, 1.5 * once), 2 * once);
}

TEST(ModelComparerTest, CalibratesToTheMachine) {
  FakeMachine machine({{0}}, 1, kQuiet);
  SearchParts parts(machine);
  parts.start();
  ASSERT_TRUE(parts.comparer.getControl());
  EXPECT_NEAR(parts.comparer.getControl()->incumbentSeconds, 1e-3, 1e-5);
  EXPECT_NEAR(parts.comparer.getControl()->ratio, 1, 0.002);
  EXPECT_EQ(parts.comparer.getTest().minimumGain,
            ComparisonOptions().minimumGain);
  EXPECT_EQ(parts.comparer.getTest().worthwhileGain,
            ComparisonOptions().worthwhileGain);
}

TEST(ModelComparerTest, TheControlKnowsHowProcessesDiffer) {
  // Where one process differs from another by 3 %, the ratio of two does by
  // 0.03 * sqrt(2), and a mean of 24 by 0.87 %. A control within one process
  // would find its noise of 0.1 %.
  Noise noise = kQuiet;
  noise.luck = 0.03;
  constexpr unsigned kMany = 100;
  double spreads = 0, squares = 0, gains = 0;
  for (unsigned seed = 0; seed != kMany; ++seed) {
    FakeMachine machine({{0}}, seed, noise);
    unsigned processes = 0;
    SearchParts parts(machine);
    machine.onStart = [&](const ChoiceSet &) { ++processes; };
    parts.start();
    const Comparison &control = *parts.comparer.getControl();
    EXPECT_EQ(control.rounds, 24u);
    // Two for each round, and one for the first build.
    EXPECT_EQ(processes, 2 * 24u + 1);
    spreads += control.spread / kMany;
    squares += (control.ratio - 1) * (control.ratio - 1) / kMany;
    gains += parts.comparer.getTest().minimumGain / kMany;
  }
  EXPECT_NEAR(spreads, 0.0424, 0.003);
  EXPECT_NEAR(std::sqrt(squares), 0.0087, 0.002);
  // The spread explains the ratios: the test does not add a bias.
  EXPECT_NEAR(gains, ComparisonOptions().minimumGain, 2e-4);
}

TEST(ModelComparerTest, AControlIsMeasuredOnceMoreBeforeItRefuses) {
  FakeMachine machine({{0}}, 1, kQuiet);
  machine.isDisturbed = true;
  SearchParts parts(machine);
  parts.start();
  Comparison measured;
  measured.verdict = Verdict::Faster;
  measured.ratio = 0.9;
  EXPECT_GT(getNoise(*parts.comparer.getControl()), 0.1);
  machine.isDisturbed = false;
  auto isWithin = [&] {
    return llvm::cantFail(parts.comparer.isWithinControl(
        measured, parts.incumbent.getBaselineServer()));
  };
  EXPECT_FALSE(isWithin());
  EXPECT_LT(getNoise(*parts.comparer.getControl()), 0.01);
  measured.ratio = 0.9999;
  EXPECT_TRUE(isWithin());
  // Only a gain is compared with the control.
  measured.verdict = Verdict::NotFaster;
  EXPECT_FALSE(isWithin());
}

TEST(ModelComparerTest, ManyProcessesAreNotLuck) {
  // Each pair of processes differs by some percent, their mean does not.
  Noise noise = kQuiet;
  noise.luck = 0.03;
  FakeMachine machine({{0}}, 5, noise);
  SearchParts parts(machine);
  parts.start();
  ModelVersion same = parts.build(0);
  unsigned started = 0;
  machine.onStart = [&](const ChoiceSet &) { ++started; };
  ModelServer &before = parts.incumbent.getBaselineServer();
  ComparisonOptions how;
  how.minimumGain = 0;
  how.worthwhileGain = 0;
  how.maxSeconds = 100;
  how.maxRounds = 200;
  const ChoiceMap none;
  auto measured = llvm::cantFail(parts.comparer.compare(
      {before, none}, {*same.server, same.choices}, 0, how));
  EXPECT_EQ(measured.rounds, 200u);
  EXPECT_NEAR(measured.ratio, 1, 0.01);
  // Starting takes no time here: a pair for each round.
  EXPECT_EQ(started, 2 * 200u);
}

} // namespace
