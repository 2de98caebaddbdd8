//===- RecompilationTest.cpp - Programs that are compiled repeatedly ------===//
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
  EXPECT_EQ(
      makeCompiles(3, 3 * kUs).ask(kRule),
      "6000000 compilations=3 programs=1 compile_ps=9000000 held_up_ps=9000000 "
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

TEST(RecompilationTest, PhasesThatAreOpsAreNotAddedTwice) {
  Data data = makeCompiles(3, 3 * kUs);
  data.addOp(callKey("backend_compile"), 9 * kUs);
  EXPECT_EQ(data.adviseAll().advice.front().basisPs, 109 * kUs);
}

TEST(RecompilationTest, StepsWaitForTracingToo) {
  // Three steps of 20 us in which ops run for 8: with compilations of 3 us each
  // 36 us are held up, of which the first third is needed.
  Data data = makeCompiles(3, 3 * kUs);
  for (int i = 0; i < 3; ++i)
    data.addStep(i * 20 * kUs, 20 * kUs, 8 * kUs);
  EXPECT_EQ(data.ask(kRule).substr(0, 9), "24000000 ");
  // 9 of 45 us idle are too little to attribute the rest to them.
  for (Step &step : data.run().steps)
    step.opBusyPs = step.opInflightPs = 5 * kUs;
  EXPECT_EQ(data.ask(kRule).substr(0, 8), "6000000 ");
}

TEST(RecompilationTest, AFirstCompilationIsNoHabit) {
  // One of 20 ms and two of 1 us, next to 100 us of work: the shortest of three
  // recurred, so that they count for 3 us.
  Data data = makeCompiles(2, kUs);
  data.run().events.front().total.add(20 * kMs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(RecompilationTest, OnlyStepsThatCompileWaitForTracing) {
  // Two of four steps idle for 12 us, the others, which do not compile, for 2:
  // 20 us are held up by two compilations and the work before them, of which
  // half would be needed. With a third one, so would a third of 10 + 10 + 0.
  Data data = makeCompiles(3, 3 * kUs);
  for (int64_t idlePs : {12 * kUs, 2 * kUs, 12 * kUs, 2 * kUs})
    data.addStep(int64_t(data.run().steps.size()) * 20 * kUs, 20 * kUs,
                 20 * kUs - idlePs);
  EXPECT_EQ(data.ask(kRule).substr(0, 67),
            "13333333 compilations=3 programs=1 compile_ps=9000000 "
            "held_up_ps=20");
}

/// A program of XLA that ran, with this many instructions.
static void addProgram(Data &data, llvm::StringRef name, int64_t id,
                       size_t instructions) {
  HloModule &module = data.profile.hloModules.emplace_back();
  module.name = name.str();
  module.programId = id;
  module.instructions.resize(instructions);
  data.addOp(OpKey("dot.1", "", HloInstructionKey{name.str(), id}), kUs);
}

TEST(RecompilationTest, DifferentProgramsAreCompiledOnce) {
  Data data = makeCompiles(3, 30 * kUs);
  for (const char *name : {"jit_a", "jit_b", "jit_c"})
    addProgram(data, name, 1, 10);
  EXPECT_EQ(data.ask(kRule), "silent");
  // The first of these twice, the second three times.
  data = makeCompiles(5, 30 * kUs);
  for (int64_t id : {1, 2})
    addProgram(data, "jit_a", id, 60);
  for (int64_t id : {3, 4, 5})
    addProgram(data, "jit_b", id, 10);
  // 60 + 10 of 150 us are needed, in proportion to 2 * 60 + 3 * 10
  // instructions.
  EXPECT_EQ(data.ask(kRule).substr(0, 55),
            "80000000 compilations=5 programs=2 compile_ps=150000000");
}

TEST(RecompilationTest, ProgramsThatWereCompiledBefore) {
  // Three of the six that ran were compiled; one of each is needed.
  Data data = makeCompiles(3, 30 * kUs);
  for (int64_t id = 0; id < 6; ++id)
    addProgram(data, "jit_a", id, 10);
  EXPECT_EQ(data.ask(kRule).substr(0, 9), "60000000 ");
}

TEST(RecompilationTest, FunctionsOfTorch) {
  Data data = makeCompiles(4, 30 * kUs);
  uint32_t track = data.addTrack("regions");
  for (const char *function : {"0/0", "1/0", "2/0", "2/1"})
    data.addEvent(track, std::string("Torch-Compiled Region: ") + function,
                  kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
  data.run().events.front().total.add(30 * kUs);
  data.addEvent(track, "Torch-Compiled Region: 2/2", kUs);
  // Three of five.
  EXPECT_EQ(data.ask(kRule).substr(0, 34),
            "60000000 compilations=5 programs=3");
}

TEST(RecompilationTest, ProcessesCompileOnceEach) {
  // Three recordings in which each compiles once.
  Data data = makeCompiles(1, 30 * kUs);
  data.profile.runs.resize(3, data.profile.runs.front());
  EXPECT_EQ(data.ask(kRule), "silent");
  // And folded into one run.
  data = makeCompiles(3, 30 * kUs);
  data.run().folded = {"a", "b", "c"};
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(RecompilationTest, NeedsEvents) {
  Data data;
  data.addOp(callKey("aten::mm"), 100 * kUs);
  EXPECT_EQ(data.ask(kRule), "no data");
}
