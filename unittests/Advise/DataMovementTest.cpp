//===- DataMovementTest.cpp - Layout changes and copies -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kRule = "layout-changes-and-copies";

TEST(DataMovementTest, ByKernelAndCall) {
  Data data;
  data.addOp(nodeKey("net/t", "ReorderInput"), 3 * kUs);
  data.addOp(callKey("aten::copy_"), 2 * kUs);
  // Neither ops that compute, nor those that only have such a name.
  data.addOp(nodeKey("net/up", "ConvTranspose"), 45 * kUs);
  data.addOp(nodeKey("net/copy", "MatMul"), 50 * kUs);
  EXPECT_EQ(data.ask(kRule),
            "5000000 moved_ps=5000000 moved_ppm=50000 measurements=2 "
            "stalls_ps=0 ops=2 "
            "[net/t:ReorderInput 3000000] [aten::copy_ 2000000]\n");
}

TEST(DataMovementTest, AStallIsNoHabit) {
  // One call of 8 ms and two of 5 us, next to 9.3 ms of work: 46 % of the sum.
  Data data;
  data.addOp(callKey("aten::mm"), 3100 * kUs, 3);
  data.addOp(callKey("aten::copy_"), 5 * kUs, 2);
  for (Quantity quantity : {Quantity::Execute, Quantity::Self})
    data.run().ops.back().get(quantity).add(8 * kMs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(DataMovementTest, AStallIsNoHabitOfCallsThatAreOpsOfTheirOwn) {
  // The same without steps, where each call has an ordinal.
  Data data;
  data.addOp(callKey("aten::mm"), 3100 * kUs, 3);
  uint32_t ordinal = 0;
  for (int64_t timePs : {5 * kUs, 5 * kUs, 8 * kMs}) {
    OpKey key = callKey("aten::copy_");
    key.get<FrameworkCallKey>().ordinal = ordinal++;
    data.addOp(key, timePs);
  }
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(DataMovementTest, RareLongCallsThatComeBackAreAHabit) {
  // In each of ten steps one copy of 1 ms next to nine of 1 us. The third
  // longest is as long as the longest, so that all of them count.
  Data data;
  data.addOp(callKey("aten::copy_"), kUs, 90);
  for (Quantity quantity : {Quantity::Execute, Quantity::Self})
    for (int i = 0; i < 10; ++i)
      data.run().ops.back().get(quantity).add(kMs);
  data.addOp(callKey("aten::mm"), kMs, 10);
  EXPECT_EQ(
      data.ask(kRule),
      "10090000000 moved_ps=10090000000 moved_ppm=502239 measurements=100 "
      "stalls_ps=0 ops=1 [aten::copy_ 10090000000]\n");
}

TEST(DataMovementTest, WhatRanOnceBesideStepsIsNoHabit) {
  Data data;
  data.addOp(callKey("aten::copy_"), 5 * kMs);
  data.addOp(callKey("aten::mm"), kMs, 3);
  EXPECT_NE(data.ask(kRule), "silent");
  for (int i = 0; i < 3; ++i)
    data.addStep(i * kMs, kMs, kMs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(DataMovementTest, SilentBelow) {
  Data data;
  data.addOp(callKey("aten::copy_"), 5 * kUs - kNs);
  data.addOp(callKey("aten::mm"), 95 * kUs + kNs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(DataMovementTest, OpsOfTheModule) {
  Data data = makeRecording({{"linalg.transpose", "t", kUs, 0, 0},
                             {"linalg.matmul", "fc", 3 * kUs, 0, 0}});
  EXPECT_EQ(data.ask(kRule), "no data");
  data.ownership.ops.resize(2);
  data.ownership.ops[0].op = "linalg.transpose";
  data.ownership.ops[0].path = "t";
  data.ownership.ops[1].op = "linalg.matmul";
  data.matchLast(MatchClass::Unique, {1});
  data.ownership.matches[0] = data.ownership.matches[1];
  data.ownership.matches[0].ops = {0};
  EXPECT_EQ(
      data.ask(kRule),
      "10000000 moved_ps=10000000 moved_ppm=250000 "
      "measurements=10 stalls_ps=0 ops=1 [linalg.transpose at t 10000000]\n");
}

TEST(DataMovementTest, FusionsOfXla) {
  Data data;
  HloModule module;
  module.name = "main";
  module.computations.resize(2);
  HloInstruction fusion, transpose;
  fusion.id = 1;
  fusion.name = "wrapped";
  fusion.opcode = "fusion";
  fusion.calledComputationIds = {7};
  transpose.id = 2;
  transpose.name = "t";
  transpose.opcode = "transpose";
  transpose.computation = 1;
  module.computations[0].size = 1;
  module.computations[1] = {"fused", 7, 2, true, 1, 1};
  module.instructions = {fusion, transpose};
  data.profile.hloModules.push_back(module);
  data.addOp(hloKey("wrapped"), kUs);
  EXPECT_EQ(data.ask(kRule),
            "1000000 moved_ps=1000000 moved_ppm=1000000 "
            "measurements=1 stalls_ps=0 ops=1 [main/wrapped 1000000]\n");
  data.profile.hloModules[0].instructions[1].opcode = "add";
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(DataMovementTest, NeedsOps) { EXPECT_EQ(Data().ask(kRule), "no data"); }
