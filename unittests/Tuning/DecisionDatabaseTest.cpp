//===- DecisionDatabaseTest.cpp - Decisions that outlive a build ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "TestDecisions.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

TEST(DecisionDatabaseTest, MergingIsAUnion) {
  auto make = [](std::initializer_list<Decision> decisions) {
    DecisionDatabase database;
    for (const Decision &decision : decisions) {
      llvm::cantFail(database.decide(decision));
      llvm::cantFail(database.observe(makeObservation(decision, 5)));
    }
    return database;
  };
  Decision a = makeDecision('1', '2', '3', "t", "a", 10);
  Decision b = makeDecision('1', '2', '3', "t", "b", 20);
  Decision c = makeDecision('4', '2', '3', "t", "c", 5);
  DecisionDatabase one = make({a, c}), two = make({b}), oneAgain = make({a, c});
  // The newer decision, and its observation.
  EXPECT_EQ(llvm::cantFail(one.merge(two)), 2u);
  EXPECT_EQ(llvm::cantFail(one.merge(two)), 0u);
  // c and two observations.
  EXPECT_EQ(llvm::cantFail(two.merge(oneAgain)), 3u);
  EXPECT_EQ(one.getDecisions(), two.getDecisions());
  EXPECT_EQ(one.getObservations(), two.getObservations());
  EXPECT_EQ(one.getDecisions().size(), 2u);
  EXPECT_EQ(one.getDecisions().at(a.key).choice, b.choice);
}

TEST(DecisionDatabaseTest, ChecksWhatItTakes) {
  DecisionDatabase database;
  auto refuses = [&](void (*spoil)(Decision &)) {
    Decision decision = makeDecision('1', '2', '3', "t", "a");
    spoil(decision);
    llvm::Error error = database.decide(std::move(decision));
    bool refused = bool(error);
    llvm::consumeError(std::move(error));
    return refused;
  };
  EXPECT_FALSE(refuses([](Decision &) {}));
  EXPECT_TRUE(refuses([](Decision &d) { d.key.signature.exact = "12"; }));
  EXPECT_TRUE(refuses([](Decision &d) { d.key.signature.exact[3] = 'G'; }));
  EXPECT_TRUE(refuses([](Decision &d) { d.key.machine.clear(); }));
  EXPECT_TRUE(refuses([](Decision &d) { d.whenMs = -1; }));
  EXPECT_FALSE(
      refuses([](Decision &d) { d.key.signature.neighborhood.clear(); }));
  EXPECT_TRUE(refuses([](Decision &d) {
    d.key.signature.neighborhood.clear();
    d.scope = DecisionScope::Neighborhood;
  }));
  EXPECT_TRUE(refuses([](Decision &d) {
    for (unsigned i = 0; i != 65; ++i)
      d.choice[std::to_string(i)] = "";
  }));
  Decision decision = makeDecision('1', '2', '3', "t", "a");
  // 4095 bytes, then a character of two: it is not cut in the middle.
  decision.label = std::string(4095, 'x') + "\xc3\xa9";
  llvm::cantFail(database.decide(decision));
  EXPECT_EQ(database.getDecisions().at(decision.key).label,
            std::string(4095, 'x'));
}

TEST(DecisionDatabaseTest, ChecksSizes) {
  DecisionDatabase database;
  // Too many, none, and a negative one.
  for (const std::vector<int64_t> &sizes :
       {std::vector<int64_t>(DecisionLimits::kSizes + 1, 1),
        std::vector<int64_t>(), std::vector<int64_t>{4, -1}}) {
    Observation odd =
        makeObservation(makeDecision('1', '2', '3', "t", "a"), 1000);
    odd.sizes = {sizes};
    llvm::Error error = database.observe(odd);
    EXPECT_TRUE(bool(error));
    llvm::consumeError(std::move(error));
  }
  EXPECT_TRUE(database.getObservations().empty());
}

TEST(DecisionDatabaseTest, NumbersAreFinite) {
  DecisionDatabase database;
  Observation observation =
      makeObservation(makeDecision('1', '2', '3', "t", "a"), 1000);
  observation.error = INFINITY;
  llvm::cantFail(database.observe(observation));
  EXPECT_EQ(database.getObservations().begin()->error,
            std::numeric_limits<double>::max());
}

} // namespace
