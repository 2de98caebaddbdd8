//===- SearchEndTest.cpp - The end of a search ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "gtest/gtest.h"

#include <limits>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

static auto setBudget(double seconds) {
  return [=](OptimizerOptions &options) { options.budgetSeconds = seconds; };
}

/// The budget that a note advises.
static unsigned getAdvisedBudget(const OptimizerResult &result) {
  for (llvm::StringRef note : result.notes) {
    llvm::StringRef number = note.split("--budget=").second;
    unsigned enough = 0;
    if (!number.consumeInteger(10, enough))
      return enough;
  }
  ADD_FAILURE() << "no note advises a budget";
  return 0;
}

TEST(SearchEndTest, NoBudget) {
  FakeMachine machine({{0.1}, {0.1}}, 1, kQuiet);
  auto spendNothing = setBudget(0);
  DecisionDatabase database;
  OptimizerResult result = machine.search(database, spendNothing);
  EXPECT_TRUE(machine.builds.empty());
  EXPECT_EQ(machine.runs, 0u);
  EXPECT_TRUE(result.choices.empty());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes.front(), "the budget is 0: nothing was measured");
  // Known choices are used.
  machine.search(database);
  machine.builds.clear();
  result = machine.search(database, spendNothing);
  EXPECT_TRUE(machine.builds.empty());
  EXPECT_EQ(machine.getChoices(result), (ChoiceSet{0, 1}));
}

/// How many times as long the model takes as usual, and the budget.
class SmallBudget
    : public testing::TestWithParam<std::pair<unsigned, unsigned>> {};

TEST_P(SmallBudget, TriesWhatItHasTimeFor) {
  double seconds = GetParam().second;
  FakeMachine machine({{0.1}, {0}}, 1, kQuiet);
  machine.buildSeconds = 0.1;
  machine.slowness = GetParam().first;
  DecisionDatabase database;
  double begin = machine.now();
  OptimizerResult result = machine.search(database, setBudget(seconds));
  EXPECT_LE(machine.now() - begin, seconds);
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{0});
  ASSERT_TRUE(result.whole);
  EXPECT_EQ(result.whole->verdict, Verdict::Faster);
  EXPECT_NEAR(result.whole->ratio, 0.9, 0.005);
}
INSTANTIATE_TEST_SUITE_P(SearchEndTest, SmallBudget,
                         testing::Values(std::pair(1u, 5u), std::pair(10u, 8u),
                                         std::pair(100u, 70u)));

TEST(SearchEndTest, ABudgetThatIsTooShortSaysWhichOneIsNot) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  machine.buildSeconds = 2;
  double budget = 6;
  for (bool isEnough : {false, true}) {
    DecisionDatabase database;
    double begin = machine.now();
    OptimizerResult result = machine.search(database, setBudget(budget));
    EXPECT_LE(machine.now() - begin, budget);
    EXPECT_EQ(machine.getChoices(result).size(), isEnough ? 1u : 0u);
    if (isEnough)
      break;
    EXPECT_EQ(result.stop, StopReason::BudgetUsed);
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_TRUE(
        hasNote(result, "the budget of 6.0 s is too short to try anything"));
    budget = getAdvisedBudget(result);
  }
}

/// A budget that ends during one of the first steps: with the build of the
/// unoptimized model, with that of the model, with the control.
class EarlyEnd : public testing::TestWithParam<double> {};

TEST_P(EarlyEnd, BeginsNothingMoreAndAdvisesABudget) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  machine.buildSeconds = 2;
  // Each process takes its time, so that the control takes a second.
  machine.startSeconds = 0.05;
  DecisionDatabase database;
  double begin = machine.now();
  OptimizerResult result = machine.search(database, setBudget(GetParam()));
  EXPECT_LE(machine.now() - begin, GetParam() + machine.buildSeconds);
  EXPECT_TRUE(result.choices.empty());
  EXPECT_EQ(result.stop, StopReason::BudgetUsed);
  EXPECT_TRUE(hasNote(result, "(the unoptimized model 2.0 s"));
  ASSERT_EQ(result.notes.size(), 1u) << result.notes[1];
  unsigned enough = getAdvisedBudget(result);
  EXPECT_LE(enough, 20u);
  result = machine.search(database, setBudget(enough));
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{0}) << result.whyPrevious;
}
INSTANTIATE_TEST_SUITE_P(SearchEndTest, EarlyEnd,
                         testing::Values(1.0, 3.0, 4.1));

TEST(SearchEndTest, UnseenShapesAreNotMeasuredAfterTheBudget) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  machine.buildSeconds = 1;
  machine.unseen = {1, 2, 3};
  DecisionDatabase database;
  OptimizerResult result =
      machine.search(database, [&](OptimizerOptions &options) {
        options.budgetSeconds = 20;
        options.onProgress = [&](const OptimizerProgress &progress) {
          // Something else runs, and this takes much longer than expected.
          if (progress.phase == "other shapes")
            machine.slowness = 1000;
        };
      });
  EXPECT_TRUE(result.choices.empty());
  const Receipt *receipt = FakeMachine::findTrial(result, 0);
  ASSERT_NE(receipt, nullptr);
  EXPECT_NE(receipt->observation.reason.find("the budget ended"),
            std::string::npos)
      << receipt->observation.reason;
  // It is tried again when there is time.
  machine.slowness = 1;
  EXPECT_EQ(machine.getChoices(machine.search(database)), ChoiceSet{0});
}

TEST(SearchEndTest, NothingIsMeasuredAfterTheBudget) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  DecisionDatabase database;
  OptimizerResult result =
      machine.search(database, [&](OptimizerOptions &options) {
        options.budgetSeconds = 2;
        options.usedSeconds = 2.5;
        options.spent = {{"reading the model", 0.05},
                         {"building it to record it", 2.4}};
        options.earlierBuildSeconds = 2.4;
      });
  EXPECT_TRUE(machine.builds.empty());
  EXPECT_TRUE(hasNote(result, "2.5 s passed (building it to record it 2.4 s)"));
  // The model takes as long to build as the caller measured: for the
  // unoptimized model, for the model and for a candidate.
  EXPECT_GE(getAdvisedBudget(result), unsigned(2.5 + 3 * 2.4));
}

TEST(SearchEndTest, WhatHadNoTimeForItsSizeIsLeft) {
  // Code for size comes first where builds are slow; there is no time for it,
  // and nothing else to try.
  FakeMachine machine({{0, Fault::None, 0.9}}, 1, kQuiet);
  machine.buildSeconds = 5;
  DecisionDatabase database;
  OptimizerResult result = machine.search(database, setBudget(13));
  EXPECT_EQ(result.stop, StopReason::BudgetUsed);
  EXPECT_TRUE(hasNote(result, "is too short to try anything"));
  result = machine.search(database);
  EXPECT_FALSE(result.wasKnown);
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{0});
}

TEST(SearchEndTest, WhatIsNotSmallerIsNotMeasuredForItsSize) {
  auto search = [](double smaller) {
    FakeMachine machine({{0, Fault::None, smaller}}, 1, kQuiet);
    DecisionDatabase database;
    OptimizerResult result = machine.search(database);
    const Receipt *receipt = FakeMachine::findTrial(result, 0);
    EXPECT_NE(receipt, nullptr);
    return std::pair(receipt ? receipt->observation : Observation(),
                     machine.runs);
  };
  auto [smaller, runs] = search(0.03);
  EXPECT_EQ(smaller.outcome, Outcome::Kept);
  auto [equal, fewerRuns] = search(0.01);
  EXPECT_EQ(equal.outcome, Outcome::Rejected);
  EXPECT_EQ(equal.reason, "the code is not smaller");
  EXPECT_LT(fewerRuns, runs);
}

TEST(SearchEndTest, AnInterruptionBeforeTheSearchKeepsTheModel) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  DecisionDatabase database;
  auto interrupt = [](OptimizerOptions &options) {
    options.isInterrupted = [] { return true; };
  };
  OptimizerResult result = machine.search(database, interrupt);
  EXPECT_TRUE(result.wasInterrupted);
  EXPECT_TRUE(result.choices.empty());
  EXPECT_TRUE(machine.builds.empty());
  EXPECT_TRUE(hasNote(result, "before anything was tried"));
  EXPECT_TRUE(database.getDecisions().empty());
  EXPECT_TRUE(database.getObservations().empty());
  // Decisions that this build did not check are not taken either, and stay.
  machine.search(database);
  result = machine.search(database, [&](OptimizerOptions &options) {
    interrupt(options);
    options.isRepeated = true;
  });
  EXPECT_TRUE(result.choices.empty());
  EXPECT_EQ(countDecisions(database), 1u);
}

/// Interrupts a search as many runs after the begin of its fourth trial.
class Interruption : public testing::TestWithParam<unsigned> {};

TEST_P(Interruption, KeepsTheBestAndIsResumed) {
  const std::vector<FakeChoice> choices = {{0}, {0.1}, {0}, {0.1}, {0.05}};
  FakeMachine machine(choices, 1, kQuiet);
  DecisionDatabase database;
  uint64_t last = std::numeric_limits<uint64_t>::max();
  OptimizerResult result =
      machine.search(database, [&](OptimizerOptions &options) {
        options.isInterrupted = [&] { return machine.runs >= last; };
        options.onProgress = [&](const OptimizerProgress &progress) {
          if (progress.phase == "trial" && progress.trials == 3)
            last = machine.runs + GetParam();
        };
      });
  EXPECT_TRUE(result.wasInterrupted);
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{1});
  EXPECT_EQ(countTrials(database).size(), 3u);
  // The rest, and nothing twice.
  result = machine.search(database);
  EXPECT_FALSE(result.wasInterrupted);
  for (const auto &[choice, times] : countTrials(database))
    EXPECT_EQ(times, 1u) << choice.begin()->second;
  EXPECT_EQ(countTrials(database).size(), 5u);
  // The same as at once.
  FakeMachine other(choices, 2, kQuiet);
  DecisionDatabase fresh;
  OptimizerResult atOnce = other.search(fresh);
  EXPECT_EQ(result.choices, atOnce.choices);
  EXPECT_EQ(machine.getChoices(result), (ChoiceSet{1, 3, 4}));
  // And now there is nothing left.
  machine.builds.clear();
  uint64_t runs = machine.runs;
  result = machine.search(database);
  EXPECT_TRUE(result.wasKnown);
  EXPECT_TRUE(machine.builds.empty());
  EXPECT_EQ(machine.runs, runs);
  EXPECT_EQ(result.choices, atOnce.choices);
}
INSTANTIATE_TEST_SUITE_P(SearchEndTest, Interruption, testing::Values(0, 40));

TEST(SearchEndTest, ABudgetThatEndsIsResumed) {
  FakeMachine machine(std::vector<FakeChoice>(12, {0.05}), 1, kQuiet);
  DecisionDatabase database;
  auto spend = setBudget(8);
  double begin = machine.now();
  OptimizerResult result = machine.search(database, spend);
  EXPECT_EQ(result.stop, StopReason::BudgetUsed);
  EXPECT_LE(machine.now() - begin, 20);
  size_t first = countTrials(database).size();
  EXPECT_GE(first, 1u);
  EXPECT_LT(first, 12u);
  EXPECT_EQ(machine.getChoices(result).size(), first);
  for (unsigned i = 0; i != 20 && result.stop == StopReason::BudgetUsed; ++i)
    result = machine.search(database, spend);
  EXPECT_EQ(machine.getChoices(result).size(), 12u);
  for (const auto &[choice, times] : countTrials(database))
    EXPECT_EQ(times, 1u) << choice.begin()->second;
}

TEST(SearchEndTest, TheWholeHasToBeFaster) {
  FakeMachine machine({{0.1}, {0.1}}, 1, kQuiet);
  DecisionDatabase database;
  OptimizerResult result =
      machine.search(database, [&](OptimizerOptions &options) {
        options.onProgress = [&](const OptimizerProgress &progress) {
          machine.gainFactor = progress.phase == "final" ? 0 : 1;
        };
      });
  EXPECT_NE(result.whyPrevious.find("the result is not faster beyond noise"),
            std::string::npos)
      << result.whyPrevious;
  EXPECT_TRUE(result.choices.empty());
  for (const Receipt &receipt : result.receipts)
    EXPECT_FALSE(receipt.isApplied);
  // No other build makes the same mistake.
  EXPECT_EQ(database.getDecisions().size(), 2u);
  EXPECT_EQ(countDecisions(database), 0u);
}

/// Adds two more requests on which results are checked.
static void addCheckRequests(OptimizerOptions &options) {
  options.checkRequests.resize(2);
}

TEST(SearchEndTest, OtherArgumentsNeedNoSecondReference) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  DecisionDatabase database;
  OptimizerResult result = machine.search(database, addCheckRequests);
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{0});
  EXPECT_EQ(machine.unoptimizedBuilds, 1u);
  // The model, and with the choice; nothing for the other arguments.
  EXPECT_EQ(machine.builds, (std::vector<ChoiceSet>{{}, {0}}));
  EXPECT_TRUE(result.notes.empty());
}

TEST(SearchEndTest, WhatIsWrongOnOtherArgumentsIsTakenBack) {
  FakeMachine machine({{0.1, Fault::WrongOnOthers}}, 1, kQuiet);
  DecisionDatabase database;
  EXPECT_EQ(machine.getChoices(machine.search(database)), ChoiceSet{0});
  DecisionDatabase fresh;
  OptimizerResult result = machine.search(fresh, addCheckRequests);
  EXPECT_TRUE(
      llvm::StringRef(result.whyPrevious).starts_with("on other arguments: "))
      << result.whyPrevious;
  EXPECT_TRUE(result.choices.empty());
  EXPECT_EQ(countDecisions(fresh), 0u);
}

TEST(SearchEndTest, WhatCannotBeCheckedIsTold) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  machine.isUnoptimizedSlowOnOthers = true;
  DecisionDatabase database;
  OptimizerResult result = machine.search(database, addCheckRequests);
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{0});
  EXPECT_TRUE(hasNote(result, "not checked on other arguments: the unoptimized "
                              "model gave no results for them"));
  EXPECT_TRUE(hasNote(result, "took longer than its limit"));
}

TEST(SearchEndTest, ADisturbedFinalCheckTakesNoDecisionBack) {
  FakeMachine machine({{0.1}, {0.1}}, 1, kQuiet);
  DecisionDatabase database;
  OptimizerResult result =
      machine.search(database, [&](OptimizerOptions &options) {
        options.onProgress = [&](const OptimizerProgress &progress) {
          bool isFinal = progress.phase == "final";
          machine.gainFactor = isFinal ? 0 : 1;
          machine.slowness = isFinal ? 1.5 : 1;
        };
      });
  EXPECT_NE(result.whyPrevious.find("the machine was disturbed"),
            std::string::npos)
      << result.whyPrevious;
  EXPECT_TRUE(result.choices.empty());
  EXPECT_EQ(countDecisions(database), 2u);
}

TEST(SearchEndTest, GainsWithinTheControlAreNone) {
  // Each measurement is off by 3 %, and so the ratio of a round by 3.5 % (the
  // faster of two normal numbers has a variance of 1 - 1 / pi) and the control,
  // two standard errors of 24 rounds, by 1.4 %. In many rounds a gain of 1.2 %
  // shows all the same, and is one that two equal models show.
  Noise noise = kQuiet;
  noise.sigma = 0.03;
  unsigned kept = 0, undecided = 0;
  double limits = 0;
  for (unsigned seed = 0; seed != 20; ++seed) {
    FakeMachine machine({{0.012}}, seed, noise);
    DecisionDatabase database;
    OptimizerResult result = machine.search(database);
    ASSERT_TRUE(result.control);
    double limit = getNoise(*result.control);
    limits += limit;
    kept += !result.choices.empty();
    if (!result.choices.empty())
      EXPECT_LT(result.whole->ratio, 1 - limit);
    if (result.whole && 1 - result.whole->ratio <= limit) {
      ++undecided;
      EXPECT_NE(result.whole->verdict, Verdict::Faster);
    }
  }
  EXPECT_NEAR(limits / 20, 0.0143, 0.003);
  EXPECT_LE(kept, 5u);
  EXPECT_GE(undecided, 1u);
}

TEST(SearchEndTest, ControlThatWasDisturbedIsMeasuredAgain) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  machine.isDisturbed = true;
  machine.onStart = [&](const ChoiceSet &choices) {
    if (!choices.empty())
      machine.isDisturbed = false;
  };
  DecisionDatabase database;
  OptimizerResult result = machine.search(database);
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{0}) << result.whyPrevious;
  ASSERT_TRUE(result.control);
  EXPECT_LT(getNoise(*result.control), 0.1);
}

} // namespace
