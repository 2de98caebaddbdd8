//===- SearchMarkerTest.cpp - When there is nothing left to try -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/SearchMarker.h"
#include "SearchParts.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

TEST(SearchMarkerTest, OtherConstantsAreNotKnown) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  machine.setConstant(1.5);
  DecisionDatabase database;
  EXPECT_FALSE(machine.search(database).wasKnown);
  EXPECT_TRUE(machine.search(database).wasKnown);
  machine.setConstant(2.5);
  EXPECT_FALSE(machine.search(database).wasKnown);
  EXPECT_TRUE(machine.search(database).wasKnown);
  machine.setConstant(1.5);
  EXPECT_TRUE(machine.search(database).wasKnown);
}

TEST(SearchMarkerTest, OtherValuesAreNotKnown) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  DecisionDatabase database;
  auto see = [&](int64_t value) {
    ObservedValues seen;
    seen.kind = ValueKind::Arguments;
    seen.names = {"arg0"};
    seen.entries = {{{value}, 10}};
    seen.total = 10;
    machine.getSites().sites.front().values = {seen};
  };
  see(3);
  EXPECT_FALSE(machine.search(database).wasKnown);
  EXPECT_TRUE(machine.search(database).wasKnown);
  see(4);
  EXPECT_FALSE(machine.search(database).wasKnown);
  see(3);
  EXPECT_TRUE(machine.search(database).wasKnown);
}

/// Searches with a request that holds `value`, before anything was recorded.
bool isKnownFor(FakeMachine &machine, DecisionDatabase &database, char value) {
  machine.getSites().valueOrigin = ValueOrigin::Requests;
  return machine
      .search(database,
              [&](OptimizerOptions &options) {
                HostTensor tensor;
                tensor.elementType = "i8";
                tensor.bytes = {value};
                options.requests = {{tensor}};
              })
      .wasKnown;
}

TEST(SearchMarkerTest, OtherRequestsAreNotKnownBeforeTheyAreRun) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  DecisionDatabase database;
  EXPECT_FALSE(isKnownFor(machine, database, 1));
  machine.getSites().hasProfile = false;
  EXPECT_TRUE(isKnownFor(machine, database, 1));
  EXPECT_FALSE(isKnownFor(machine, database, 2));
}

TEST(SearchMarkerTest, AProfileWithoutValuesSaysNothingOfARun) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  DecisionDatabase database;
  machine.getSites().valueOrigin = ValueOrigin::Profile;
  EXPECT_FALSE(machine.search(database).wasKnown);
  EXPECT_TRUE(machine.search(database).wasKnown);
  // A recording may show values.
  machine.getSites().valueOrigin = ValueOrigin::Requests;
  machine.getSites().hasProfile = false;
  EXPECT_FALSE(machine.search(database).wasKnown);
}

TEST(SearchMarkerTest, WhatWasInferredStays) {
  // The first search is too short for all, so the second one begins with the
  // choices of similar ops.
  FakeMachine machine(std::vector<FakeChoice>(12, {0.05}), 1, kQuiet,
                      Likeness::Similar);
  DecisionDatabase database;
  OptimizerResult result = machine.search(
      database, [](OptimizerOptions &options) { options.budgetSeconds = 6; });
  EXPECT_EQ(result.stop, StopReason::BudgetUsed);
  result = machine.search(database);
  EXPECT_EQ(result.stop, StopReason::NothingLeft);
  OptimizerResult again = machine.search(database);
  EXPECT_TRUE(again.wasKnown);
  EXPECT_EQ(again.choices, result.choices);
}

TEST(SearchMarkerTest, NamesGoByTheirBasis) {
  FakeMachine machine({{0}}, 1, kQuiet);
  auto getNames = [&](char value, double tolerance) {
    SearchParts parts(machine, [&](OptimizerOptions &options) {
      HostTensor tensor;
      tensor.elementType = "i8";
      tensor.bytes = {value};
      options.requests = {{tensor}};
      options.tolerance = tolerance;
    });
    SearchMarker marker(machine.getSites(), parts.options, parts.space,
                        parts.keys);
    return marker.get(ChoiceMap());
  };
  std::vector<Choice> names = getNames(1, 1e-5);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(getNames(1, 1e-5), names);
  // The contents of requests are in the second name only.
  EXPECT_EQ(getNames(2, 1e-5)[0], names[0]);
  EXPECT_NE(getNames(2, 1e-5)[1], names[1]);
  EXPECT_NE(getNames(1, 1e-4)[0], names[0]);
  EXPECT_NE(getNames(1, 1e-4)[1], names[1]);
}

/// The markers of a search of a model with a constant of two strings, in a
/// context of its own.
std::vector<Choice> getMarkers(llvm::ArrayRef<llvm::StringRef> strings) {
  FakeMachine machine({{0}}, 1, kQuiet);
  mlir::ModuleOp module = machine.getModule();
  module->setAttr("strings",
                  mlir::DenseStringElementsAttr::get(
                      mlir::RankedTensorType::get(
                          {2}, mlir::NoneType::get(module.getContext())),
                      strings));
  SearchParts parts(machine);
  return SearchMarker(machine.getSites(), parts.options, parts.space,
                      parts.keys)
      .get(ChoiceMap());
}

TEST(SearchMarkerTest, StringsAreHashedByTheirText) {
  std::vector<Choice> markers = getMarkers({"gelu", "tanh"});
  EXPECT_EQ(getMarkers({"gelu", "tanh"}), markers);
  EXPECT_NE(getMarkers({"gelu", "none"}), markers);
  EXPECT_NE(getMarkers({"gelut", "anh"}), markers);
}

} // namespace
