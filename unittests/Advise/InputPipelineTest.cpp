//===- InputPipelineTest.cpp - Time spent on the input --------------------===//
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

static constexpr llvm::StringLiteral kRule = "input-pipeline";

static Data makeSteps(llvm::StringRef event, int64_t eachPs) {
  Data data;
  data.addStep(0, 40 * kUs, 40 * kUs);
  data.addStep(50 * kUs, 40 * kUs, 40 * kUs);
  data.addStep(100 * kUs, 40 * kUs, 40 * kUs);
  data.addEvent(data.addTrack("main"), event, eachPs, 4);
  return data;
}

TEST(InputPipelineTest, HoldsUpSteps) {
  EXPECT_EQ(makeSteps("Iterator::Root::Prefetch", 4 * kUs).ask(kRule),
            "16000000 input_ps=16000000 input_ppm=114285 idle_ps=20000000 "
            "span_ps=140000000 steps=3 ops=1 "
            "[Iterator::Root::Prefetch 16000000]\n");
  // Limited to the idle time.
  EXPECT_EQ(
      makeSteps("enumerate(DataLoader)#next", 30 * kUs).ask(kRule).substr(0, 9),
      "20000000 ");
}

TEST(InputPipelineTest, SilentBelow) {
  EXPECT_NE(makeSteps("IteratorGetNext", 3500 * kNs).ask(kRule), "silent");
  EXPECT_EQ(makeSteps("IteratorGetNext", 3500 * kNs - kNs).ask(kRule),
            "silent");
  EXPECT_EQ(makeSteps("MatMul", 8 * kUs).ask(kRule), "silent");
  // Read ahead, while ops run.
  Data data;
  for (int i = 0; i < 3; ++i)
    data.addStep(i * 100 * kUs, 100 * kUs, 100 * kUs);
  data.addEvent(data.addTrack("reader"), "IteratorGetNext", 50 * kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(InputPipelineTest, AFirstFillIsNoHabit) {
  // 20 us of one call, then almost nothing.
  Data data = makeSteps("IteratorGetNext", 10 * kNs);
  data.run().events.back().self.add(20 * kUs);
  data.run().events.back().total.add(20 * kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(InputPipelineTest, WhatTheInputCallsIsInput) {
  // 4 us four times, nearly all of it in a frame of Python that it calls; the
  // iterator within does not count again.
  Data data = makeSteps("DataLoader.next", 10 * kNs);
  data.run().events.back().total = {};
  for (int i = 0; i < 4; ++i)
    data.run().events.back().total.add(4 * kUs);
  data.addEvent(0, "Iterator::Root", kUs, 4);
  EXPECT_EQ(data.ask(kRule),
            "16000000 input_ps=16000000 input_ppm=114285 idle_ps=20000000 "
            "span_ps=140000000 steps=3 ops=1 [DataLoader.next 16000000]\n");
}

TEST(InputPipelineTest, NeedsSteps) {
  Data data;
  data.addEvent(data.addTrack("main"), "IteratorGetNext", kMs);
  EXPECT_EQ(data.ask(kRule), "no data");
}
