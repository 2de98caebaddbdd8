//===- OptimizeModelTest.cpp - Whole searches on a fake machine -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "gtest/gtest.h"

#include <cmath>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

/// A machine that others use, too: each measurement is off by 2 %, one of 20
/// takes up to three times as long, and all become slower.
constexpr Noise kBusy = {0.02, 1e-6, 2e-4, 0.05};

/// How many of `tries` may be hit when each is with `probability`, so that more
/// come by chance once in a thousand times.
unsigned getMostHits(unsigned tries, double probability) {
  double left = 1, exactly = std::pow(1 - probability, tries);
  for (unsigned hits = 0;; ++hits) {
    left -= exactly;
    if (left <= 1e-3)
      return hits;
    exactly *= double(tries - hits) / double(hits + 1) * probability /
               (1 - probability);
  }
}

//===----------------------------------------------------------------------===//
// Choices that are kept
//===----------------------------------------------------------------------===//

TEST(OptimizeModelTest, KeepsWhatIsFasterAndNothingElse) {
  constexpr unsigned kSeeds = 100;
  const double alpha = ComparisonOptions().alpha;
  // One that gains, four that do not, and one that gains no more than what is
  // not worth a change.
  const size_t gain = 2;
  unsigned found = 0, keptWrongly = 0, passedWrongly = 0, previous = 0;
  size_t tried = 0;
  for (unsigned seed = 0; seed != kSeeds; ++seed) {
    FakeMachine machine({{0}, {0}, {0.05}, {0}, {0.005}, {0}}, seed, kBusy);
    DecisionDatabase database;
    OptimizerResult result = machine.search(database);
    ChoiceSet kept = machine.getChoices(result);
    found += kept.count(gain);
    kept.erase(gain);
    keptWrongly += !kept.empty();
    previous += !result.whyPrevious.empty();
    bool hasPassed = false;
    for (const Receipt &receipt : result.receipts)
      hasPassed |= receipt.choice != Choice{{"index", "2"}} &&
                   receipt.observation.outcome == Outcome::Kept;
    passedWrongly += hasPassed;
    tried += countTrials(database).size();
  }
  EXPECT_GE(found, 95u);
  // Where the control is off by much, the last ones are not worth a trial.
  EXPECT_GE(tried, 590u);
  EXPECT_LE(previous, kSeeds - found);
  // All trials of a search share alpha, so a search has one that passes wrongly
  // with a probability of alpha.
  EXPECT_LE(passedWrongly, getMostHits(kSeeds, alpha));
  EXPECT_LE(keptWrongly, passedWrongly);
}

/// In how many of `searches` the first choice of a model, which gains `gain`,
/// and others, which gain nothing, are kept, where each process is faster or
/// slower by `luck` as long as it lives.
static std::pair<unsigned, unsigned> countKept(double gain, double luck,
                                               unsigned searches) {
  Noise noise = kQuiet;
  noise.sigma = 0.01;
  noise.luck = luck;
  std::pair<unsigned, unsigned> kept;
  for (unsigned seed = 0; seed != searches; ++seed) {
    FakeMachine machine({{gain}, {0}, {0}}, seed, noise);
    DecisionDatabase database;
    ChoiceSet choices = machine.getChoices(machine.search(database));
    kept.first += choices.count(0);
    kept.second += choices.size() > choices.count(0);
  }
  return kept;
}

TEST(OptimizeModelTest, LuckOfProcessesIsNoGain) {
  const unsigned most = getMostHits(100, ComparisonOptions().alpha);
  auto [none, others] = countKept(0, 0.03, 100);
  EXPECT_LE(none + others, most);
  // Nor does it come along with a gain.
  std::tie(none, others) = countKept(0.1, 0.03, 100);
  EXPECT_GE(none, 96u);
  EXPECT_LE(others, most);
}

TEST(OptimizeModelTest, LuckOfProcessesHidesNoGain) {
  EXPECT_GE(countKept(0.05, 0.03, 40).first, 36u);
  EXPECT_GE(countKept(0.03, 0.01, 40).first, 39u);
}

TEST(OptimizeModelTest, GainsAddUp) {
  FakeMachine machine({{0.1}, {-0.1}, {0.2}}, 1, kQuiet);
  DecisionDatabase database;
  OptimizerResult result = machine.search(database);
  EXPECT_EQ(machine.getChoices(result), (ChoiceSet{0, 2}));
  ASSERT_TRUE(result.whole);
  EXPECT_NEAR(result.whole->ratio, 0.9 * 0.8, 0.005);
  EXPECT_EQ(result.stop, StopReason::NothingLeft);
  EXPECT_EQ(countDecisions(database), 2u);
}

/// The order of a search with a gain, and a choice that makes nine tenths of
/// the code smaller.
std::vector<std::string> getOrder(double buildSeconds, double &used) {
  FakeMachine machine({{0.05}, {0, Fault::None, 0.9}}, 1, kQuiet);
  machine.buildSeconds = buildSeconds;
  DecisionDatabase database;
  double begin = machine.now();
  OptimizerResult result =
      machine.search(database, [](OptimizerOptions &options) {
        options.budgetSeconds = 1000;
      });
  used = machine.now() - begin;
  EXPECT_EQ(machine.getChoices(result), (ChoiceSet{0, 1}));
  std::vector<std::string> order;
  for (const Receipt &receipt : result.receipts)
    if (receipt.atSeconds > 0)
      order.push_back(receipt.choice.at("index"));
  return order;
}

TEST(OptimizeModelTest, WhatBuildsSlowlyIsMadeSmallFirst) {
  double quick = 0, slow = 0;
  EXPECT_EQ(getOrder(0.5, quick), (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(getOrder(60, slow), (std::vector<std::string>{"1", "0"}));
  // Four builds of the whole for what is compared with; those of the trials
  // are of a tenth.
  EXPECT_LE(slow, quick + 4 * 60 + 12 * 6);
}

TEST(OptimizeModelTest, NothingIsInferredWhereAllWasTried) {
  // The gain of one op would be assumed for the similar ones, too.
  FakeMachine machine({{0}, {0.1}, {0}}, 1, kQuiet, Likeness::Similar);
  DecisionDatabase database;
  OptimizerResult result = machine.search(database);
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{1});
  machine.builds.clear();
  OptimizerResult again = machine.search(database);
  EXPECT_TRUE(again.wasKnown);
  EXPECT_EQ(again.choices, result.choices);
  EXPECT_TRUE(machine.builds.empty());
}

//===----------------------------------------------------------------------===//
// Faults of candidates
//===----------------------------------------------------------------------===//

TEST(OptimizeModelTest, BadCandidatesAreNeverRetried) {
  const std::vector<std::pair<Fault, const char *>> faults = {
      {Fault::BuildCrash, "killed by SIGSEGV"},
      {Fault::RunCrash, "killed by SIGSEGV"},
      {Fault::Hang, "took longer"},
      {Fault::WrongResults, "an error of 5.00e-01"}};
  std::vector<FakeChoice> choices = {{0.1}};
  for (const auto &[fault, reason] : faults)
    choices.push_back({0.3, fault});
  FakeMachine machine(choices, 1, kQuiet);
  DecisionDatabase database;
  OptimizerResult result = machine.search(database);
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{0});
  for (auto [index, fault] : llvm::enumerate(faults)) {
    const Receipt *receipt = FakeMachine::findTrial(result, index + 1);
    ASSERT_TRUE(receipt) << index;
    EXPECT_FALSE(receipt->isApplied);
    // It did compile and run where its results are wrong.
    EXPECT_EQ(receipt->observation.outcome, fault.first == Fault::WrongResults
                                                ? Outcome::Rejected
                                                : Outcome::Failed);
    EXPECT_NE(receipt->observation.reason.find(fault.second), std::string::npos)
        << receipt->observation.reason;
    EXPECT_EQ(receipt->observation.rounds, 0u);
  }
  // Neither where all was tried, nor where something is new.
  for (bool isComplete : {true, false}) {
    machine.builds.clear();
    result = machine.search(database, [&](OptimizerOptions &options) {
      if (!isComplete)
        options.tolerance *= 2;
    });
    EXPECT_EQ(result.wasKnown, isComplete);
    EXPECT_EQ(machine.getChoices(result), ChoiceSet{0});
    for (const ChoiceSet &built : machine.builds)
      EXPECT_TRUE(built.empty() || built == ChoiceSet{0});
  }
}

TEST(OptimizeModelTest, AnIncumbentThatDiesSaysNothingOfACandidate) {
  FakeMachine machine({{0.1}, {0.1}, {0.1}}, 1, kQuiet);
  // Before the second candidate is compared with the first.
  machine.onStart = [&](const ChoiceSet &choices) {
    if (choices == ChoiceSet{0, 1} && !machine.doomed)
      machine.doomed = {ChoiceSet{0}, 20};
    if (choices == ChoiceSet{0, 2})
      machine.onStart = nullptr;
  };
  DecisionDatabase database;
  OptimizerResult result = machine.search(database);
  const Receipt *receipt = FakeMachine::findTrial(result, 1);
  ASSERT_TRUE(receipt);
  EXPECT_TRUE(receipt->isDisturbed);
  EXPECT_NE(receipt->observation.reason.find("the best so far ended"),
            std::string::npos)
      << receipt->observation.reason;
  // The others are compared with a new one; the database has these only.
  EXPECT_EQ(machine.getChoices(result), (ChoiceSet{0, 2}));
  EXPECT_EQ(countTrials(database).count({{"index", "1"}}), 0u);
  // So it is tried again.
  result = machine.search(database);
  EXPECT_FALSE(result.wasKnown);
  EXPECT_EQ(machine.getChoices(result), (ChoiceSet{0, 1, 2}));
}

TEST(OptimizeModelTest, ADisturbedConfirmationIsGivenUp) {
  FakeMachine machine({{0.1}, {0.1}}, 1, kQuiet);
  // From the second process with the first candidate until the next candidate.
  unsigned times = 0;
  machine.onStart = [&](const ChoiceSet &choices) {
    times += choices == ChoiceSet{0};
    machine.slowness = choices == ChoiceSet{1} || times < 2 ? 1 : 1.3;
    if (choices == ChoiceSet{1})
      times = 0;
  };
  DecisionDatabase database;
  OptimizerResult result = machine.search(database);
  const Receipt *receipt = FakeMachine::findTrial(result, 0);
  ASSERT_TRUE(receipt);
  EXPECT_TRUE(receipt->isDisturbed);
  EXPECT_FALSE(receipt->isApplied);
  EXPECT_EQ(receipt->observation.reason,
            "the machine was disturbed: the incumbent took longer than before");
  EXPECT_EQ(machine.getChoices(result), ChoiceSet{1});
  EXPECT_EQ(countTrials(database).count({{"index", "0"}}), 0u);
  machine.onStart = nullptr;
  machine.slowness = 1;
  result = machine.search(database);
  EXPECT_EQ(machine.getChoices(result), (ChoiceSet{0, 1}));
}

} // namespace
