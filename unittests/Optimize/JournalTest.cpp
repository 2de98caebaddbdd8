//===- JournalTest.cpp - Receipts and decisions of a search ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchParts.h"
#include "gtest/gtest.h"

using namespace mlirprof::test;

namespace {

/// The receipt of a trial of `planned` that ended with `outcome`.
Receipt makeReceipt(const PlannedProposal &planned, Outcome outcome) {
  Receipt receipt;
  receipt.technique = planned.technique->name.str();
  for (const auto &[site, choice] : planned.proposal.choices) {
    receipt.sites.push_back(site);
    receipt.choices.push_back(choice);
  }
  receipt.choice = receipt.choices.front();
  receipt.observation.outcome = outcome;
  return receipt;
}

class JournalTest : public testing::Test {
protected:
  /// Files a trial of the `index`-th choice.
  void record(size_t index, Outcome outcome, bool isDisturbed = false) {
    Receipt receipt = makeReceipt(parts.proposals[index], outcome);
    receipt.isDisturbed = isDisturbed;
    parts.journal.record(parts.proposals[index], receipt);
  }
  /// The choice that the database has for the op of the `index`-th proposal.
  Choice getDecided(size_t index) const {
    DecisionKey key = parts.keys.getKey(parts.proposals[index]);
    auto found = parts.database.getDecisions().find(key);
    return found == parts.database.getDecisions().end() ? Choice()
                                                        : found->second.choice;
  }
  ChoiceMap apply(size_t index) const {
    return parts.keys.apply(parts.proposals[index], {});
  }

  FakeMachine machine{{{0}, {0}, {0}}, 1, kQuiet};
  SearchParts parts{machine};
};

TEST_F(JournalTest, FilesTrials) {
  record(0, Outcome::Kept);
  record(1, Outcome::Rejected);
  EXPECT_EQ(parts.journal.countTrials(), 2u);
  EXPECT_EQ(parts.journal.countKept(), 1u);
  EXPECT_EQ(parts.database.getObservations().size(), 2u);
  EXPECT_EQ(getDecided(0), (Choice{{"index", "0"}}));
  EXPECT_EQ(getDecided(1), Choice());
  EXPECT_EQ(parts.saves, 2u);
  EXPECT_TRUE(parts.journal.getReceipts()[0].isApplied);
  EXPECT_FALSE(parts.journal.getReceipts()[1].isApplied);
  // One that was kept is tried again where the result does not have it.
  EXPECT_TRUE(parts.journal.wasTried(parts.proposals[0], apply(0)));
  EXPECT_FALSE(parts.journal.wasTried(parts.proposals[0], {}));
  EXPECT_TRUE(parts.journal.wasTried(parts.proposals[1], {}));
  EXPECT_FALSE(parts.journal.wasTried(parts.proposals[2], {}));
}

TEST_F(JournalTest, DisturbedTrialsAreNotFiled) {
  record(0, Outcome::Rejected, /*isDisturbed=*/true);
  EXPECT_EQ(parts.journal.countTrials(), 1u);
  EXPECT_TRUE(parts.database.getObservations().empty());
  EXPECT_EQ(parts.saves, 0u);
  EXPECT_FALSE(parts.journal.wasTried(parts.proposals[0], {}));
}

TEST_F(JournalTest, TheErrorOfAnObservationIsThatOfTheOp) {
  Receipt receipt = makeReceipt(parts.proposals[0], Outcome::Rejected);
  receipt.observation.error = 0.5;
  receipt.opError = 0.25;
  parts.journal.record(parts.proposals[0], receipt);
  EXPECT_EQ(parts.database.getObservations().begin()->error, 0.25);
  EXPECT_EQ(parts.journal.getReceipts()[0].observation.error, 0.5);
}

TEST_F(JournalTest, ABetterChoiceTakesSitesOffEarlierReceipts) {
  // One trial of two ops, then one of the first of them, then of the second.
  PlannedProposal both = parts.proposals[0];
  both.proposal.choices.push_back(parts.proposals[1].proposal.choices[0]);
  parts.journal.record(both, makeReceipt(both, Outcome::Kept));
  record(0, Outcome::Kept);
  const std::vector<Receipt> &receipts = parts.journal.getReceipts();
  EXPECT_TRUE(receipts[0].isApplied);
  EXPECT_EQ(receipts[0].sites.size(), 1u);
  EXPECT_EQ(receipts[0].choice, (Choice{{"index", "1"}}));
  EXPECT_EQ(receipts[0].observation.reason,
            "for some ops a better one was found later");
  record(1, Outcome::Kept);
  EXPECT_FALSE(receipts[0].isApplied);
  EXPECT_EQ(receipts[0].observation.reason, "a better one was found later");
}

TEST_F(JournalTest, TakesChoicesBack) {
  record(0, Outcome::Kept);
  parts.journal.withdraw(Blame::Circumstances);
  EXPECT_FALSE(parts.journal.getReceipts()[0].isApplied);
  EXPECT_EQ(getDecided(0), (Choice{{"index", "0"}}));
  record(1, Outcome::Kept);
  parts.journal.withdraw(Blame::Choices);
  EXPECT_EQ(getDecided(0), (Choice{{"index", "0"}}));
  EXPECT_EQ(getDecided(1), Choice());
  EXPECT_EQ(countDecisions(parts.database), 1u);
}

TEST(JournalSettleTest, SimilarOpsHaveNothingToInfer) {
  FakeMachine machine({{0}, {0}}, 1, kQuiet, Likeness::Similar);
  SearchParts parts(machine);
  parts.journal.record(parts.proposals[0],
                       makeReceipt(parts.proposals[0], Outcome::Kept));
  auto find = [&] {
    return parts.database
        .find(machine.getSites()
                  .sites[parts.proposals[1].proposal.choices[0].first]
                  .signature,
              "machine")
        .front();
  };
  EXPECT_EQ(find().confidence, Confidence::ShapeErased);
  parts.journal.settle(parts.keys.apply(parts.proposals[0], {}));
  EXPECT_EQ(find().confidence, Confidence::Exact);
  EXPECT_EQ(find().decision->choice, Choice());
  EXPECT_EQ(find().decision->basis, DecisionBasis::Inferred);
}

TEST_F(JournalTest, MarksSearchesThatEnded) {
  Comparison whole;
  whole.incumbentSeconds = 2;
  whole.candidateSeconds = 1;
  whole.rounds = 12;
  parts.journal.markComplete({{{"a", "1"}}, {{"b", "2"}}}, whole);
  DecisionKey key = parts.keys.getModelKey(kModelTechnique);
  for (const Choice &choice : {Choice{{"a", "1"}}, Choice{{"b", "2"}}}) {
    const Observation *seen = parts.database.findObservation(key, choice);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->outcome, Outcome::Kept);
    EXPECT_EQ(seen->oldPs, 2'000'000'000'000);
    EXPECT_EQ(seen->rounds, 12u);
  }
  EXPECT_EQ(parts.saves, 1u);
}

} // namespace
