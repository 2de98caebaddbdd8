//===- SearchSpaceTest.cpp - Techniques and what they propose -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/SearchSpace.h"
#include "gtest/gtest.h"

using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

namespace {

std::vector<Proposal> proposeTwo(const ModelSites &) {
  Proposal first, second;
  first.choices = {{0, {{"size", "4"}}}};
  second.choices = {{0, {{"size", "8"}}}};
  return {first, Proposal(), second};
}

std::vector<Proposal> proposeNothing(const ModelSites &) { return {}; }

std::vector<Proposal> proposeOne(const ModelSites &) {
  Proposal proposal;
  proposal.choices = {{1, {{"count", "2"}}}};
  return {proposal};
}

const Technique kTechniques[] = {
    {"tiles", "", DecisionScope::Op, false, proposeTwo},
    {"fusion", "", DecisionScope::Op, false, proposeNothing},
    {"threads", "", DecisionScope::Op, false, proposeOne}};

std::vector<std::string> getProposals(llvm::ArrayRef<std::string> names) {
  std::vector<std::string> all;
  for (const PlannedProposal &planned :
       SearchSpace(kTechniques, names).propose(ModelSites()))
    all.push_back(planned.technique->name.str() + " " +
                  planned.proposal.choices.front().second.begin()->second);
  return all;
}

TEST(SearchSpaceTest, ProposesTechniqueByTechnique) {
  // A proposal without choices is not one.
  EXPECT_EQ(getProposals({}),
            (std::vector<std::string>{"tiles 4", "tiles 8", "threads 2"}));
  EXPECT_EQ(getProposals({"threads", "fusion"}),
            (std::vector<std::string>{"threads 2"}));
}

TEST(SearchSpaceTest, FindsWhatIsUsed) {
  SearchSpace all(kTechniques, {});
  EXPECT_EQ(all.find("fusion"), &kTechniques[1]);
  EXPECT_EQ(all.find("winograd"), nullptr);
  SearchSpace some(kTechniques, {"threads"});
  EXPECT_EQ(some.find("fusion"), nullptr);
  EXPECT_EQ(some.find("threads"), &kTechniques[2]);
  EXPECT_EQ(some.getTechniques().size(), 1u);
}

} // namespace
