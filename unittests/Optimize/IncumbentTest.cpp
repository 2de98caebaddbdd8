//===- IncumbentTest.cpp - The best version of the model so far -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/Incumbent.h"
#include "StubServer.h"
#include "gtest/gtest.h"

using namespace mlirprof::optimize;
using namespace mlirprof::test;

namespace {

ModelVersion makeVersion(uint64_t textBytes, double seconds, double error) {
  ModelVersion version;
  version.server = std::make_unique<StubServer>(1, 1, textBytes);
  version.seconds = seconds;
  version.error = error;
  return version;
}

TEST(IncumbentTest, BeginsWithTheBaseline) {
  Incumbent incumbent;
  incumbent.setBaseline(makeVersion(1000, 0, 0.01));
  EXPECT_TRUE(incumbent.isBaseline());
  EXPECT_EQ(&incumbent.getServer(), &incumbent.getBaselineServer());
  EXPECT_EQ(incumbent.getRatio(), 1);
  incumbent.setBaselineSeconds(2);
  EXPECT_EQ(incumbent.get().seconds, 2);
  EXPECT_EQ(incumbent.getRatio(), 1);
}

TEST(IncumbentTest, AdoptsAndReturns) {
  Incumbent incumbent;
  incumbent.setBaseline(makeVersion(1000, 2, 0.01));
  // One that the database knows is measured later.
  incumbent.adopt(makeVersion(800, 0, 0.02));
  EXPECT_FALSE(incumbent.isBaseline());
  EXPECT_EQ(incumbent.getRatio(), 1);
  incumbent.setMeasured(1.5, {UnseenResult()});
  EXPECT_EQ(incumbent.getRatio(), 0.75);
  EXPECT_EQ(incumbent.get().unseen.size(), 1u);
  incumbent.adopt(makeVersion(900, 1, 0.03));
  EXPECT_EQ(incumbent.getRatio(), 0.5);
  EXPECT_TRUE(incumbent.get().unseen.empty());
  EXPECT_EQ(incumbent.getTextBytes(), 900u);
  EXPECT_EQ(incumbent.getBaselineTextBytes(), 1000u);
  incumbent.addError(0.02);
  EXPECT_EQ(incumbent.get().error, 0.03);
  incumbent.addError(0.04);
  EXPECT_EQ(incumbent.get().error, 0.04);
  incumbent.reset();
  EXPECT_TRUE(incumbent.isBaseline());
  EXPECT_EQ(incumbent.get().error, 0.01);
  EXPECT_EQ(incumbent.getTextBytes(), 1000u);
  EXPECT_EQ(incumbent.getRatio(), 1);
}

TEST(IncumbentTest, ReplacesTheServerOfTheIncumbent) {
  Incumbent incumbent;
  incumbent.setBaseline(makeVersion(1000, 2, 0));
  auto first = std::make_unique<StubServer>();
  const StubServer *server = first.get();
  incumbent.replaceServer(std::move(first));
  EXPECT_EQ(&incumbent.getBaselineServer(), server);
  incumbent.adopt(makeVersion(900, 1, 0));
  auto second = std::make_unique<StubServer>();
  const StubServer *other = second.get();
  incumbent.replaceServer(std::move(second));
  EXPECT_EQ(&incumbent.getServer(), other);
  EXPECT_EQ(&incumbent.getBaselineServer(), server);
  EXPECT_EQ(incumbent.get().seconds, 1);
}

} // namespace
