//===- WarmStartTest.cpp - Choices that the database knows ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/WarmStart.h"
#include "SearchParts.h"
#include "gtest/gtest.h"

using namespace mlirprof::test;

namespace {

/// Begins a search with decisions for some of the choices of `machine`.
struct Begin {
  Begin(FakeMachine &machine, std::vector<size_t> decided,
        llvm::function_ref<void(OptimizerOptions &)> tune = nullptr)
      : parts(machine, tune) {
    // Also those of techniques that the search does not use.
    std::vector<PlannedProposal> all =
        SearchSpace(parts.tools.techniques, {}).propose(machine.getSites());
    for (size_t index : decided) {
      const PlannedProposal &planned = all[index];
      Decision decision;
      decision.key = parts.keys.getKey(planned);
      decision.choice = planned.proposal.choices.front().second;
      llvm::cantFail(parts.database.decide(decision));
    }
    known.find(parts.database);
  }

  void build() {
    parts.start();
    llvm::cantFail(known.build(parts.builder, parts.reference, parts.progress,
                               parts.incumbent, parts.journal));
  }
  void compare() {
    llvm::cantFail(known.compare(parts.comparer, parts.unseen, parts.budget,
                                 parts.incumbent, parts.journal));
  }

  SearchParts parts;
  WarmStart known{parts.machine.getSites(), parts.space, parts.keys};
};

TEST(WarmStartTest, FindsWhatIsDecided) {
  FakeMachine machine({{0}, {0}}, 1, kQuiet);
  Begin begin(machine, {1});
  EXPECT_EQ(begin.known.getChoices(),
            begin.parts.keys.apply(begin.parts.proposals[1], {}));
  ASSERT_EQ(begin.known.getReceipts().size(), 1u);
  const Receipt &receipt = begin.known.getReceipts().front();
  EXPECT_EQ(receipt.origin, ReceiptOrigin::Database);
  EXPECT_EQ(receipt.confidence, Confidence::Exact);
  EXPECT_TRUE(receipt.isApplied);
  // Not by techniques that the search does not use.
  Begin others(machine, {1}, [](OptimizerOptions &options) {
    options.techniques = {"other"};
  });
  EXPECT_TRUE(others.known.getChoices().empty());
}

TEST(WarmStartTest, BecomesTheIncumbent) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  Begin begin(machine, {0});
  begin.build();
  ASSERT_FALSE(begin.parts.incumbent.isBaseline());
  begin.compare();
  EXPECT_NEAR(begin.parts.incumbent.getRatio(), 0.9, 0.005);
  EXPECT_TRUE(begin.parts.journal.getNotes().empty());
}

TEST(WarmStartTest, WrongChoicesAreTakenBack) {
  FakeMachine machine({{0.1, Fault::WrongResults}}, 1, kQuiet);
  Begin begin(machine, {0});
  begin.build();
  EXPECT_TRUE(begin.parts.incumbent.isBaseline());
  EXPECT_TRUE(begin.known.getChoices().empty());
  EXPECT_FALSE(begin.known.getReceipts().front().isApplied);
  EXPECT_EQ(countDecisions(begin.parts.database), 0u);
  ASSERT_EQ(begin.parts.journal.getNotes().size(), 1u);
  EXPECT_TRUE(llvm::StringRef(begin.parts.journal.getNotes().front())
                  .starts_with("the decisions of the database are not used: "));
}

TEST(WarmStartTest, ACrashMayBeALimit) {
  FakeMachine machine({{0.1, Fault::BuildCrash}}, 1, kQuiet);
  Begin begin(machine, {0});
  begin.build();
  EXPECT_TRUE(begin.parts.incumbent.isBaseline());
  EXPECT_EQ(countDecisions(begin.parts.database), 1u);
}

TEST(WarmStartTest, ChoicesOfSimilarOpsAreTakenBackFirst) {
  FakeMachine machine({{0.1, Fault::WrongResults}, {0}}, 1, kQuiet,
                      Likeness::Similar);
  Begin begin(machine, {0});
  ASSERT_EQ(begin.known.getReceipts().size(), 2u);
  EXPECT_EQ(begin.known.getReceipts()[1].confidence, Confidence::ShapeErased);
  begin.build();
  // That is not enough here, so the other one goes, too.
  EXPECT_TRUE(begin.known.getChoices().empty());
  const std::vector<std::string> &notes = begin.parts.journal.getNotes();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(llvm::StringRef(notes[0]).starts_with(
      "the choices of similar ops in the database are not used: "));
  EXPECT_TRUE(llvm::StringRef(notes[1]).starts_with(
      "the decisions of the database are not used: "));
}

TEST(WarmStartTest, SlowerChoicesAreTakenBack) {
  FakeMachine machine({{-0.1}}, 1, kQuiet);
  Begin begin(machine, {0});
  begin.build();
  EXPECT_FALSE(begin.parts.incumbent.isBaseline());
  begin.compare();
  EXPECT_TRUE(begin.parts.incumbent.isBaseline());
  EXPECT_EQ(countDecisions(begin.parts.database), 0u);
  EXPECT_EQ(begin.known.getReceipts().front().observation.reason,
            "the model is slower with them");
}

TEST(WarmStartTest, UncheckedChoicesAreDropped) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  Begin begin(machine, {0});
  begin.parts.start();
  begin.known.dropUnchecked(begin.parts.incumbent, begin.parts.journal,
                            "the search ended");
  EXPECT_TRUE(begin.known.getChoices().empty());
  EXPECT_EQ(begin.parts.journal.getNotes().size(), 1u);
  // The database keeps them.
  EXPECT_EQ(countDecisions(begin.parts.database), 1u);
}

} // namespace
