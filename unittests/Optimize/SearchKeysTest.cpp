//===- SearchKeysTest.cpp - Keys of what a search decides -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/SearchKeys.h"
#include "gtest/gtest.h"

using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

namespace {

/// A model of a function and two ops in it.
class SearchKeysTest : public testing::Test {
protected:
  SearchKeysTest() {
    for (const char *name : {"function", "first", "second"})
      sites.sites.emplace_back().signature = {name, "", ""};
    // Nothing but its address counts.
    sites.entry = reinterpret_cast<mlir::Operation *>(this);
    sites.sites[0].ops = {sites.entry};
    sites.sites[0].sizes = {{4, 8}};
    sites.sites[1].sizes = {{16}};
  }

  PlannedProposal propose(std::vector<size_t> of, const char *size) const {
    PlannedProposal planned = {&technique, {}};
    for (size_t site : of)
      planned.proposal.choices.push_back({site, {{"size", size}}});
    return planned;
  }

  const Technique technique = {"tiles", "", DecisionScope::Op, false, nullptr};
  ModelSites sites;
  SearchKeys keys{sites, "znver4"};
};

TEST_F(SearchKeysTest, OneOpHasItsOwnKey) {
  DecisionKey key = keys.getKey(propose({1}, "4"));
  EXPECT_EQ(key.signature.exact, "first");
  EXPECT_EQ(key.machine, "znver4");
  EXPECT_EQ(key.technique, "tiles");
  EXPECT_EQ(keys.getChoice(propose({1}, "4")), (Choice{{"size", "4"}}));
  EXPECT_EQ(keys.getSizes(propose({1}, "4")), (MeasuredSizes{{16}}));
}

TEST_F(SearchKeysTest, SeveralOpsAreFiledUnderTheModel) {
  PlannedProposal both = propose({1, 2}, "4");
  EXPECT_EQ(keys.getKey(both).signature.exact, "function");
  EXPECT_EQ(keys.getSizes(both), (MeasuredSizes{{4, 8}}));
  Choice choice = keys.getChoice(both);
  EXPECT_EQ(choice.at("ops"), "2");
  EXPECT_EQ(keys.getChoice(propose({2, 1}, "4")), choice);
  EXPECT_NE(keys.getChoice(propose({1, 2}, "8")), choice);
}

TEST_F(SearchKeysTest, AppliesAllChoicesOfAProposal) {
  PlannedProposal both = propose({1, 2}, "4");
  ChoiceMap choices = keys.apply(both, {{"third", {{"tiles", {}}}}});
  EXPECT_EQ(choices.size(), 3u);
  EXPECT_TRUE(keys.isApplied(both, choices));
  EXPECT_TRUE(keys.isApplied(propose({1}, "4"), choices));
  EXPECT_FALSE(keys.isApplied(propose({1}, "8"), choices));
  // Another choice of one op, and no proposal is applied as a whole.
  choices = keys.apply(propose({2}, "8"), choices);
  EXPECT_EQ(choices.size(), 3u);
  EXPECT_FALSE(keys.isApplied(both, choices));
  EXPECT_TRUE(keys.isApplied(propose({1}, "4"), choices));
}

} // namespace
