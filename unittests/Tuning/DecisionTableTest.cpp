//===- DecisionTableTest.cpp - Decisions by key and by hash ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionTable.h"
#include "TestDecisions.h"
#include "gtest/gtest.h"

using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

TEST(DecisionTableTest, TheLastWordHolds) {
  DecisionTable table;
  Decision first = makeDecision('1', '2', '3', "t", "z", 5000);
  table.set(first);
  // The clock was set back.
  table.set(makeDecision('1', '2', '3', "t", "a", 4000));
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table.get().at(first.key).whenMs, 5001);
  EXPECT_EQ(table.get().at(first.key).choice.at("value"), "a");
  // There is no later date than the last one.
  table.set(makeDecision('1', '2', '3', "t", "b", DecisionLimits::kWhenMs));
  table.set(makeDecision('1', '2', '3', "t", "c", 1));
  EXPECT_EQ(table.get().at(first.key).whenMs, DecisionLimits::kWhenMs);
}

TEST(DecisionTableTest, MergingKeepsTheNewer) {
  Decision older = makeDecision('1', '2', '3', "t", "z", 1000);
  Decision newer = makeDecision('1', '2', '3', "t", "a", 1001);
  DecisionTable table;
  EXPECT_TRUE(table.merge(newer));
  EXPECT_FALSE(table.merge(older));
  EXPECT_FALSE(table.merge(newer));
  EXPECT_EQ(table.get().at(newer.key), newer);
  // Two of one time: the same stays, whichever comes first.
  Decision other = makeDecision('1', '2', '3', "t", "b", 1001);
  EXPECT_TRUE(table.merge(other));
  EXPECT_FALSE(table.merge(newer));
  EXPECT_EQ(table.size(), 1u);
}

TEST(DecisionTableTest, FindsByEachHash) {
  DecisionTable table;
  table.set(makeDecision('1', '2', '3', "t", "a"));
  table.set(makeDecision('4', '2', '3', "t", "b"));
  table.set(makeDecision('5', '6', 0, "t", "c"));
  auto count = [&](SignatureHash which, const std::string &hash) {
    return table.find(which, hash).size();
  };
  EXPECT_EQ(count(SignatureHash::Exact, makeHash('1')), 1u);
  EXPECT_EQ(count(SignatureHash::ShapeErased, makeHash('2')), 2u);
  EXPECT_EQ(count(SignatureHash::Neighborhood, makeHash('3')), 2u);
  EXPECT_EQ(count(SignatureHash::Exact, makeHash('2')), 0u);
  // Ops without neighbors are not alike.
  EXPECT_EQ(count(SignatureHash::Neighborhood, ""), 0u);
  // A decision that replaces one is found in its place.
  table.set(makeDecision('1', '2', '3', "t", "d", 2000));
  ASSERT_EQ(count(SignatureHash::Exact, makeHash('1')), 1u);
  EXPECT_EQ(table.find(SignatureHash::Exact, makeHash('1'))
                .front()
                ->choice.at("value"),
            "d");
}

TEST(DecisionTableTest, IndicesMoveWithTheTable) {
  DecisionTable table;
  table.set(makeDecision('1', '2', '3', "t", "a"));
  DecisionTable moved = std::move(table);
  ASSERT_EQ(moved.find(SignatureHash::Exact, makeHash('1')).size(), 1u);
  EXPECT_EQ(moved.find(SignatureHash::Exact, makeHash('1')).front(),
            &moved.get().begin()->second);
}

TEST(DecisionTableTest, CountsNewKeys) {
  DecisionTable one, two;
  one.set(makeDecision('1', '2', '3', "t", "a"));
  two.set(makeDecision('1', '2', '3', "t", "b"));
  two.set(makeDecision('1', '2', '3', "u", "b"));
  EXPECT_EQ(one.countNew(two), 1u);
  EXPECT_EQ(two.countNew(one), 0u);
}

} // namespace
