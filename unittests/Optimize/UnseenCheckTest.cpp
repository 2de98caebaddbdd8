//===- UnseenCheckTest.cpp - Candidates on shapes not recorded ------------===//
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

FakeChoice makeChoice(double unseenLoss, bool isWrongOnUnseen = false) {
  FakeChoice choice;
  choice.unseenLoss = unseenLoss;
  choice.isWrongOnUnseen = isWrongOnUnseen;
  return choice;
}

TEST(UnseenCheckTest, ChecksEachShape) {
  FakeMachine machine({makeChoice(-0.1), makeChoice(0.5), makeChoice(0, true)},
                      1, kQuiet);
  machine.unseen = {3, 8};
  SearchParts parts(machine);
  parts.start();
  ASSERT_EQ(parts.unseen.getShapes().size(), 2u);
  EXPECT_DOUBLE_EQ(parts.unseen.getSeconds(), 1.2);
  auto check = [&](size_t index) {
    ModelVersion version = parts.build(index);
    return llvm::cantFail(parts.unseen.check(*version.server, version.choices));
  };
  UnseenOutcome faster = check(0);
  EXPECT_EQ(faster.fault, "");
  ASSERT_EQ(faster.results.size(), 2u);
  EXPECT_EQ(faster.results[1].shapes, "8");
  EXPECT_NEAR(faster.results[1].comparison.ratio, 0.9, 0.005);
  EXPECT_EQ(check(1).fault,
            "for shapes that were not recorded (3): 1.50 of the time before");
  EXPECT_NE(check(2).fault.find("an error of 5.00e-01"), std::string::npos);
}

TEST(UnseenCheckTest, WithoutShapesAllIsGood) {
  FakeMachine machine({makeChoice(0.5)}, 1, kQuiet);
  SearchParts parts(machine);
  parts.start();
  EXPECT_EQ(parts.unseen.getSeconds(), 0);
  ModelVersion version = parts.build(0);
  UnseenOutcome outcome =
      llvm::cantFail(parts.unseen.check(*version.server, version.choices));
  EXPECT_EQ(outcome.fault, "");
  EXPECT_TRUE(outcome.results.empty());
}

} // namespace
