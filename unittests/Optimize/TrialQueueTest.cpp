//===- TrialQueueTest.cpp - The trials of a search in their order ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/TrialQueue.h"
#include "gtest/gtest.h"

using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

namespace {

/// A model of three ops, which take 4, 2 and 1 s, and proposals for them.
class TrialQueueTest : public testing::Test {
protected:
  TrialQueueTest() {
    sites.seconds = 7;
    for (double seconds : {4, 2, 1}) {
      OpSite &site = sites.sites.emplace_back();
      site.seconds = seconds;
      site.label = "op";
    }
    options.modelSeconds = 7;
  }

  PlannedProposal propose(std::vector<size_t> of, double success) const {
    PlannedProposal planned = {&technique, {}};
    for (size_t site : of)
      planned.proposal.choices.push_back({site, {{"size", "4"}}});
    planned.proposal.success = success;
    return planned;
  }

  const Technique technique = {"tiles", "", DecisionScope::Op, false, nullptr};
  ModelSites sites;
  PlannerOptions options;
};

Observation reject() {
  Observation observation;
  observation.outcome = Outcome::Rejected;
  return observation;
}

TEST_F(TrialQueueTest, OrderIsExpectedGainForCost) {
  PlannedProposal first = propose({0}, 0.5), second = propose({1}, 0.5),
                  third = propose({2}, 0.5), dear = propose({0}, 0.5);
  TrialQueue queue(sites, options, /*scale=*/1);
  queue.add(third, 1);
  queue.add(dear, 9);
  queue.add(second, 1);
  queue.add(first, 1);
  std::vector<const PlannedProposal *> order;
  while (const PlannedProposal *next = queue.next(0)) {
    order.push_back(next);
    queue.report(reject(), 1);
  }
  // The largest possible gain per second comes first; the expensive one gains
  // 4/9.
  EXPECT_EQ(order, (std::vector<const PlannedProposal *>{&first, &second,
                                                         &third, &dear}));
  EXPECT_EQ(queue.getStopReason(), StopReason::NothingLeft);
}

TEST_F(TrialQueueTest, WhatHasNoTimeIsLeft) {
  options.seconds = 10;
  PlannedProposal only = propose({0}, 0.5);
  TrialQueue queue(sites, options, 1);
  queue.add(only, 4);
  EXPECT_EQ(queue.next(/*usedSeconds=*/7), nullptr);
  EXPECT_EQ(queue.getStopReason(), StopReason::BudgetUsed);
  EXPECT_EQ(queue.getLeastCost(), 4);
  EXPECT_EQ(queue.next(5), &only);
}

TEST_F(TrialQueueTest, SeveralOpsAreOneSite) {
  // Together they take 3 s, so they come between the others.
  PlannedProposal first = propose({0}, 0.5), both = propose({1, 2}, 0.5),
                  second = propose({1}, 0.5);
  TrialQueue queue(sites, options, 1);
  queue.add(second, 1);
  queue.add(both, 1);
  queue.add(first, 1);
  EXPECT_EQ(queue.next(0), &first);
  queue.report(reject(), 1);
  EXPECT_EQ(queue.next(0), &both);
  queue.report(reject(), 1);
  EXPECT_EQ(queue.next(0), &second);
}

} // namespace
