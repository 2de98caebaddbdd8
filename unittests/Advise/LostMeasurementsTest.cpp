//===- LostMeasurementsTest.cpp - Time that no op received ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::test;

static constexpr llvm::StringLiteral kRule = "lost-measurements";

TEST(LostMeasurementsTest, Losses) {
  Data data;
  data.addOp(callKey("aten::mm"), 100 * kUs);
  data.run().losses = {{"events that were cut", 3, 5 * kUs}};
  EXPECT_EQ(data.ask(kRule), "unknown lost_ps=5000000 lost_ppm=50000 lost=3 "
                             "ops=1 [events that were cut 5000000]\n");
  data.run().losses[0].timePs -= kNs;
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(LostMeasurementsTest, NeedsTimes) {
  EXPECT_EQ(Data().ask(kRule), "no data");
}
