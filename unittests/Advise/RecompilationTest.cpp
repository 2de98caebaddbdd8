//===- RecompilationTest.cpp - Programs that are compiled again -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::test;

static constexpr llvm::StringLiteral kRule = "repeated-recompilation";

static Data makeCompiles(uint64_t count, int64_t eachPs) {
  Data data;
  uint32_t track = data.addTrack("main");
  data.addEvent(track, "backend_compile", eachPs, count);
  // A phase of that, which must not count twice.
  data.addEvent(track, "XlaCompilation: passes", eachPs / 2, count);
  data.addEvent(data.addTrack("compiler"), "Client::Compile", eachPs - 1,
                count);
  data.addEvent(track, "__inference_f_XlaMustCompile_true", 9 * kMs, 9);
  data.addEvent(track, "CompiledFunction", 9 * kMs, 9);
  data.addEvent(track, "torch/eval_frame.py(1076): compile_wrapper", kMs, 9);
  data.addOp(callKey("aten::mm"), 100 * kUs);
  return data;
}

TEST(RecompilationTest, Repeated) {
  // One of the three is needed.
  EXPECT_EQ(makeCompiles(3, 3 * kUs).ask(kRule),
            "6000000 compilations=3 compile_ps=9000000 held_up_ps=9000000 "
            "compile_ppm=90000 ops=1 [backend_compile 9000000]\n");
}

TEST(RecompilationTest, SilentBelow) {
  EXPECT_EQ(makeCompiles(2, 30 * kUs).ask(kRule), "silent");
  EXPECT_NE(makeCompiles(5, kUs).ask(kRule), "silent");
  EXPECT_EQ(makeCompiles(5, kUs - 1).ask(kRule), "silent");
}

TEST(RecompilationTest, TheShareIsOfTheSteps) {
  Data data = makeCompiles(3, 3 * kUs);
  EXPECT_EQ(data.adviseAll().advice.front().basisPs, 109 * kUs);
  for (int i = 0; i < 3; ++i)
    data.addStep(i * 50 * kUs, 40 * kUs, 40 * kUs);
  AdviceReport report = data.adviseAll();
  const Advice *found = nullptr;
  for (const Advice &advice : report.advice)
    if (advice.rule == kRule)
      found = &advice;
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->basis, GainBasis::StepTime);
  EXPECT_EQ(found->basisPs, 140 * kUs);
}

TEST(RecompilationTest, StepsWaitForTracingToo) {
  // Three steps of 20 us in which ops run for 8: with compilations of 3 us each
  // 36 us are held up, of which the first third is needed.
  Data data = makeCompiles(3, 3 * kUs);
  for (int i = 0; i < 3; ++i)
    data.addStep(i * 20 * kUs, 20 * kUs, 8 * kUs);
  EXPECT_EQ(data.ask(kRule).substr(0, 9), "24000000 ");
  // Of 45 us idle, 9 are too little to call the rest theirs.
  for (Step &step : data.run().steps)
    step.opBusyPs = step.opInflightPs = 5 * kUs;
  EXPECT_EQ(data.ask(kRule).substr(0, 8), "6000000 ");
}

TEST(RecompilationTest, AFirstCompilationIsNoHabit) {
  // One of 20 ms and two of 1 us, beside 100 us of work: of three the shortest
  // came back, so that they count for 3 us.
  Data data = makeCompiles(2, kUs);
  data.run().events.front().total.add(20 * kMs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(RecompilationTest, NeedsEvents) {
  Data data;
  data.addOp(callKey("aten::mm"), 100 * kUs);
  EXPECT_EQ(data.ask(kRule), "no data");
}
