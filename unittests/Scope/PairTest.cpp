//===- PairTest.cpp - Tests of scopes that begin together -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"

#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

static prof_scope_site outer = PROF_SCOPE_SITE("outer", 7, 1, 0);
static prof_scope_site inner = PROF_SCOPE_SITE("inner", 7, 1, 0);

TEST(ScopePair, IsTwoScopes) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  // The first pair registers the sites, the second one does not.
  for (int i = 0; i < 2; ++i) {
    prof_scope_token tokens[2];
    prof_scope_begin_pair(&outer, &inner, tokens);
    simulatedNs += 5;
    prof_scope_end_pair(tokens);
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  ASSERT_EQ(findEvents(recording, "inner").size(), 2u);
  for (const ScopeEvent &event : findEvents(recording, "inner")) {
    EXPECT_EQ(getParent(recording, event), "outer");
    EXPECT_EQ(event.getDurationPs(), 5000);
    EXPECT_EQ(recording.events[event.parent].selfPs, 0);
  }
  EXPECT_TRUE(recording.losses.empty());
}

TEST(ScopePair, EndsInAnyOrderAndDepth) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  std::vector<prof_scope_token> around;
  // As deep as needs every kind of record.
  for (int i = 0; i < 600; ++i) {
    prof_scope_token tokens[2];
    prof_scope_begin_pair(&outer, &inner, tokens);
    around.insert(around.end(), tokens, tokens + 2);
  }
  simulatedNs += 3;
  // Half in the wrong order, and the rest on another thread.
  while (around.size() > 600) {
    prof_scope_token swapped[2] = {around[around.size() - 1],
                                   around[around.size() - 2]};
    prof_scope_end_pair(swapped);
    around.resize(around.size() - 2);
  }
  std::thread([&] {
    for (size_t i = 0; i < around.size(); i += 2)
      prof_scope_end_pair(&around[i]);
  }).join();
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "outer").size(), 600u);
  EXPECT_EQ(findEvents(recording, "inner").size(), 600u);
  for (const ScopeEvent &event : recording.events) {
    EXPECT_EQ(event.getDurationPs(), 3000);
    EXPECT_EQ(event.end, EventEnd::Ended);
  }
}

TEST(ScopePair, OfNothingIsNothing) {
  prof_scope_start(nullptr, nullptr);
  prof_scope_token none[2] = {};
  prof_scope_end_pair(none);
  prof_scope_token half[2] = {};
  half[1] = prof_scope_begin(&inner);
  prof_scope_end_pair(half);
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  EXPECT_EQ(recording.events.size(), 1u);
  EXPECT_TRUE(recording.losses.empty());
}

TEST(ScopeContext, OfATokenIsThatOfItsThread) {
  prof_scope_start(nullptr, nullptr);
  prof_scope_token around = prof_scope_begin(&outer);
  prof_scope_token within = prof_scope_begin(&inner);
  std::thread([&] {
    prof_scope_token link = prof_scope_enter(prof_scope_context_of(around));
    prof_scope_token work = prof_scope_begin_name("work", 4, 7, 1, 0);
    prof_scope_end(work);
    prof_scope_end(link);
  }).join();
  EXPECT_EQ(prof_scope_context_of(within).id, prof_scope_here().id);
  prof_scope_end(within);
  EXPECT_EQ(prof_scope_context_of(within).id, 0u);
  EXPECT_EQ(prof_scope_context_of(prof_scope_token()).id, 0u);
  prof_scope_end(around);
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  ScopeEvent work = findEvent(recording, "work");
  EXPECT_EQ(getParent(recording, work), "outer");
  EXPECT_TRUE(work.isLinked);
}
