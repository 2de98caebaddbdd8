//===- IdleGapsTest.cpp - Time in which no op runs ------------------------===//
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

static constexpr llvm::StringLiteral kRule = "idle-gaps";

TEST(IdleGapsTest, BetweenAndWithinSteps) {
  Data data;
  data.addStep(0, 40 * kUs, 35 * kUs);
  data.addStep(60 * kUs, 40 * kUs, 40 * kUs);
  EXPECT_EQ(data.ask(kRule),
            "25000000 idle_ps=25000000 between_steps_ps=20000000 "
            "within_steps_ps=5000000 busy_ps=75000000 span_ps=100000000 "
            "idle_permille=250 steps=2\n");
}

TEST(IdleGapsTest, SilentBelow) {
  Data data;
  data.addStep(0, 45 * kUs, 45 * kUs);
  data.addStep(55 * kUs, 45 * kUs, 45 * kUs);
  EXPECT_NE(data.ask(kRule), "silent");
  data.run().steps.front().durationPs += kUs;
  data.run().steps.front().opBusyPs += kUs;
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(IdleGapsTest, OverlappingStepsHaveNoGap) {
  Data data;
  data.addStep(50 * kUs, 50 * kUs, 50 * kUs);
  data.addStep(0, 60 * kUs, 60 * kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(IdleGapsTest, NeedsStepsOfOthers) {
  EXPECT_EQ(Data().ask(kRule), "no data");
  // Between calls of our own recorder there is nothing of the user's.
  Data data = makeRecording({{"linalg.matmul", "fc1", 5 * kUs, 1000, 100}});
  data.addStep(0, 45 * kUs, 10 * kUs);
  data.addStep(90 * kUs, 45 * kUs, 10 * kUs);
  EXPECT_EQ(data.ask(kRule), "no data");
}
