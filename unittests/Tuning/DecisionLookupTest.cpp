//===- DecisionLookupTest.cpp - Finding decisions for an op ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Tuning/Database/DecisionLookup.h"
#include "TestDecisions.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

/// Looks up decisions among a few.
class DecisionLookupTest : public testing::Test {
protected:
  std::vector<DecisionMatch> find(const OpSignature &signature,
                                  llvm::StringRef machine = "znver4",
                                  const MeasuredSizes &sizes = {}) const {
    return DecisionLookup(decisions, observations)
        .find(signature, machine, sizes);
  }
  /// "value confidence" of each decision found.
  std::string found(const OpSignature &signature,
                    llvm::StringRef machine = "znver4") const {
    std::vector<std::string> all;
    for (const DecisionMatch &match : find(signature, machine))
      all.push_back(match.decision->choice.at("value") + " " +
                    getName(match.confidence).str());
    return llvm::join(all, ", ");
  }
  static OpSignature sign(char exact, char shape, char neighborhood) {
    return makeDecision(exact, shape, neighborhood, "", "").key.signature;
  }

  DecisionTable decisions;
  ObservationLog observations;
};

TEST_F(DecisionLookupTest, FindsByConfidence) {
  decisions.set(makeDecision('1', '2', '3', "t", "a"));
  EXPECT_EQ(found(sign('1', '2', '3')), "a exact");
  EXPECT_EQ(found(sign('1', '2', '9')), "a exact");
  EXPECT_EQ(found(sign('9', '2', '3')), "a shape-erased");
  EXPECT_EQ(found(sign('9', '9', '3')), "a neighborhood");
  EXPECT_EQ(found(sign('9', '9', '9')), "");
  EXPECT_EQ(found(sign('9', '9', 0)), "");
  // Times of another machine do not count.
  EXPECT_EQ(found(sign('1', '2', '3'), "m1"), "");
}

TEST_F(DecisionLookupTest, BestMatchWins) {
  decisions.set(makeDecision('4', '2', '3', "t", "by shape", 9000));
  decisions.set(makeDecision('1', '2', '5', "t", "elsewhere", 5000));
  decisions.set(makeDecision('1', '2', '3', "t", "here", 2000));
  decisions.set(makeDecision('1', '2', '6', "u", "older", 1000));
  decisions.set(makeDecision('1', '2', '7', "u", "newer", 1001));
  EXPECT_EQ(found(sign('1', '2', '3')), "here exact, newer exact");
  EXPECT_EQ(found(sign('8', '2', '5')),
            "elsewhere shape-erased, newer shape-erased");
  // Equally new: the first by key.
  decisions.set(makeDecision('1', '2', '0', "v", "first", 7));
  decisions.set(makeDecision('1', '2', '1', "v", "second", 7));
  EXPECT_EQ(found(sign('1', '2', '3')), "here exact, newer exact, first exact");
}

TEST_F(DecisionLookupTest, FusionsNeedTheirNeighbors) {
  Decision fusion = makeDecision('1', '2', '3', "fuse", "a");
  fusion.scope = DecisionScope::Neighborhood;
  decisions.set(fusion);
  EXPECT_EQ(found(sign('1', '2', '3')), "a exact");
  EXPECT_EQ(found(sign('1', '2', '4')), "");
  EXPECT_EQ(found(sign('5', '6', '3')), "a neighborhood");
}

TEST_F(DecisionLookupTest, SimilarOpsThatDidNotGainAreLeftOut) {
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  decisions.set(decision);
  Decision similar = makeDecision('9', '2', '3', "t", "a");
  Observation rejected = makeObservation(similar, 1000);
  rejected.outcome = Outcome::Rejected;
  observations.insert(rejected);
  EXPECT_EQ(found(sign('9', '2', '3')), "");
  EXPECT_EQ(found(sign('8', '2', '3')), "a shape-erased");
  EXPECT_EQ(found(sign('1', '2', '3')), "a exact");
  // The newest observation counts.
  observations.insert(makeObservation(similar, 2000));
  EXPECT_EQ(found(sign('9', '2', '3')), "a shape-erased");
}

TEST_F(DecisionLookupTest, FarSizesAreLessSure) {
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  Observation small = makeObservation(decision, 1000);
  small.sizes = {{1, 8}, {4, 8}};
  decisions.set(decision);
  observations.insert(small);
  auto getConfidence = [&](const MeasuredSizes &sizes) {
    return find(decision.key.signature, "znver4", sizes).front().confidence;
  };
  EXPECT_EQ(getConfidence({}), Confidence::Exact);
  EXPECT_EQ(getConfidence({{4, 8}}), Confidence::Exact);
  // Four times as many, and more than that.
  EXPECT_EQ(getConfidence({{16, 8}}), Confidence::Exact);
  EXPECT_EQ(getConfidence({{17, 8}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{4, 1}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{4, 8}, {4, 1}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{0, 8}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{4}}), Confidence::OtherSizes);
  EXPECT_EQ(getName(Confidence::OtherSizes), "other-sizes");
  Observation large = small;
  large.whenMs = 2000;
  large.sizes = {{64, 8}};
  observations.insert(large);
  EXPECT_EQ(getConfidence({{64, 8}, {1, 8}}), Confidence::OtherSizes);
  EXPECT_EQ(getConfidence({{64, 8}}), Confidence::Exact);
  EXPECT_EQ(getConfidence({{4, 8}}), Confidence::Exact);
  // An unknown size of a measurement is not a reason to doubt it.
  Observation unknown = small;
  unknown.sizes.clear();
  observations.insert(unknown);
  EXPECT_EQ(getConfidence({{1000, 1000}}), Confidence::Exact);
}

} // namespace
