//===- TrialRunnerTest.cpp - Building and measuring a candidate -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/TrialRunner.h"
#include "SearchParts.h"
#include "gtest/gtest.h"

using namespace mlirprof::test;

namespace {

/// Runs trials on a model that was measured.
class Trials {
public:
  explicit Trials(FakeMachine &machine) : parts(machine) { parts.start(); }

  Receipt run(size_t index) {
    Receipt receipt;
    llvm::cantFail(runner.run(parts.proposals[index], count++, receipt));
    return receipt;
  }
  const Incumbent &getIncumbent() const { return parts.incumbent; }

private:
  SearchParts parts;
  unsigned count = 0;
  TrialRunner runner{parts.machine.getSites(),
                     parts.options,
                     parts.keys,
                     parts.budget,
                     parts.builder,
                     parts.comparer,
                     parts.reference,
                     parts.unseen,
                     parts.incumbent};
};

TEST(TrialRunnerTest, KeepsWhatIsFaster) {
  FakeMachine machine({{0.1}, {0.2}, {-0.1}}, 1, kQuiet);
  Trials trials(machine);
  EXPECT_EQ(trials.run(0).observation.outcome, Outcome::Kept);
  EXPECT_NEAR(trials.getIncumbent().getRatio(), 0.9, 0.005);
  // The next one is compared with that.
  Receipt second = trials.run(1);
  EXPECT_EQ(second.observation.outcome, Outcome::Kept);
  EXPECT_NEAR(double(second.observation.newPs) /
                  double(second.observation.oldPs),
              0.8, 0.005);
  EXPECT_NEAR(trials.getIncumbent().getRatio(), 0.72, 0.005);
  EXPECT_EQ(trials.run(2).observation.outcome, Outcome::Rejected);
  EXPECT_EQ(trials.getIncumbent().get().choices.size(), 2u);
}

TEST(TrialRunnerTest, SameCodeIsNotMeasured) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  Trials trials(machine);
  trials.run(0);
  uint64_t runs = machine.runs;
  EXPECT_EQ(trials.run(0).observation.reason, "makes the same code");
  EXPECT_EQ(machine.runs, runs);
}

TEST(TrialRunnerTest, FaultsEndACandidateAndNothingElse) {
  FakeMachine machine({{0.1, Fault::BuildCrash},
                       {0.1, Fault::RunCrash},
                       {0.1, Fault::WrongResults}},
                      1, kQuiet);
  Trials trials(machine);
  EXPECT_EQ(trials.run(0).observation.outcome, Outcome::Failed);
  EXPECT_EQ(trials.run(1).observation.outcome, Outcome::Failed);
  Receipt wrong = trials.run(2);
  EXPECT_EQ(wrong.observation.outcome, Outcome::Rejected);
  EXPECT_EQ(wrong.observation.error, 0.5);
  EXPECT_TRUE(trials.getIncumbent().isBaseline());
}

TEST(TrialRunnerTest, SmallerCodeIsKeptWhenItIsAsFast) {
  FakeMachine machine({{0, Fault::None, 0.3},
                       {-0.1, Fault::None, 0.3},
                       {-0.008, Fault::None, 0.3}},
                      1, kQuiet);
  Trials trials(machine);
  EXPECT_EQ(trials.run(0).observation.reason,
            "as fast, and the code is smaller: 700 bytes instead of 1000");
  EXPECT_TRUE(trials.getIncumbent().get().isForSizeOnly);
  EXPECT_EQ(trials.getIncumbent().getTextBytes(), 700u);
  EXPECT_EQ(trials.run(1).observation.reason, "not shown to be as fast");
  // More than a gain that does not count.
  EXPECT_EQ(trials.run(2).observation.reason, "not shown to be as fast");
}

TEST(TrialRunnerTest, ADeadIncumbentIsStartedAgain) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  Trials trials(machine);
  const ModelServer *before = &trials.getIncumbent().getServer();
  machine.doomed = {ChoiceSet{}, 0};
  Receipt receipt = trials.run(0);
  EXPECT_TRUE(receipt.isDisturbed);
  EXPECT_NE(receipt.observation.reason.find("the best so far ended"),
            std::string::npos);
  EXPECT_NE(&trials.getIncumbent().getServer(), before);
  EXPECT_EQ(trials.run(0).observation.outcome, Outcome::Kept);
}

} // namespace
