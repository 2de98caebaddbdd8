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
  data.addStep(60 * kUs, 40 * kUs, 35 * kUs);
  data.addStep(120 * kUs, 40 * kUs, 40 * kUs);
  // Medians of 5, 5 and 0 us in steps, 35 us busy, 20 us between: 3 * 5 + 2 *
  // 20 of 3 * 40 + 2 * 20.
  EXPECT_EQ(data.ask(kRule),
            "55000000 idle_ps=55000000 between_steps_ps=40000000 "
            "within_steps_ps=15000000 busy_ps=105000000 span_ps=160000000 "
            "idle_ppm=343750 steps=3\n");
}

TEST(IdleGapsTest, AFirstStepIsNoHabit) {
  // 24 ms, most of it idle, next to two of 7 ms that work: 41.8 % of the sum.
  Data data;
  data.addStep(0, 24 * kMs, 8 * kMs);
  data.addStep(24 * kMs, 7 * kMs, 7 * kMs);
  data.addStep(31 * kMs, 7 * kMs, 7 * kMs);
  EXPECT_EQ(data.ask(kRule), "silent");
  // Two of three are typical.
  data.run().steps[1] = data.run().steps[2] = data.run().steps[0];
  data.run().steps[1].beginPs = 24 * kMs;
  data.run().steps[2].beginPs = 48 * kMs;
  EXPECT_EQ(data.ask(kRule).substr(0, 12), "48000000000 ");
}

TEST(IdleGapsTest, SilentBelow) {
  Data data;
  data.addStep(0, 80 * kUs, 70 * kUs);
  data.addStep(80 * kUs, 80 * kUs, 72 * kUs);
  data.addStep(160 * kUs, 80 * kUs, 74 * kUs);
  // The medians: 8 of 80.
  EXPECT_NE(data.ask(kRule), "silent");
  data.run().steps[1].opBusyPs += kUs;
  data.run().steps[1].opInflightPs += kUs;
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(IdleGapsTest, OverlappingStepsHaveNoGap) {
  Data data;
  data.addStep(50 * kUs, 50 * kUs, 50 * kUs);
  data.addStep(0, 60 * kUs, 60 * kUs);
  data.addStep(90 * kUs, 60 * kUs, 60 * kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(IdleGapsTest, NeedsTheEndsOfAsynchronousOps) {
  // The ops report their ends, and no flow links the reports to the ops.
  Data data;
  for (int step = 0; step < 3; ++step)
    data.addStep(step * 50 * kUs, 50 * kUs, 10 * kUs);
  data.addOp(hloKey("dot.1"), 10 * kUs, 3);
  EXPECT_NE(data.ask(kRule), "no data");
  data.addEvent(data.addTrack("worker"), "end: dot.1", kUs, 3);
  EXPECT_EQ(data.ask(kRule), "no data");
  // With programs, there are flows too.
  data.profile.opKeys.front().get<HloInstructionKey>().programId = 0;
  EXPECT_NE(data.ask(kRule), "no data");
}

TEST(IdleGapsTest, NeedsStepsOfOthers) {
  EXPECT_EQ(Data().ask(kRule), "no data");
  // The first of two steps may differ from all others.
  Data two;
  two.addStep(0, 40 * kUs, 5 * kUs);
  two.addStep(60 * kUs, 40 * kUs, 5 * kUs);
  EXPECT_EQ(two.ask(kRule), "no data");
  // Between calls of mlir-prof record, no time is the user's.
  Data data = makeRecording({{"linalg.matmul", "fc1", 5 * kUs, 1000, 100}});
  data.addStep(0, 45 * kUs, 10 * kUs);
  data.addStep(90 * kUs, 45 * kUs, 10 * kUs);
  data.addStep(180 * kUs, 45 * kUs, 10 * kUs);
  EXPECT_EQ(data.ask(kRule), "no data");
}
