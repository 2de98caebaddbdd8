//===- UnfusedChainsTest.cpp - Memory-bound chains ------------------------===//
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

static constexpr llvm::StringLiteral kRule = "memory-bound-chain-not-fused";

// 2000 bytes at 10^9 per second need 2 us; they take 4.
static const RecordedOp kRelu = {"linalg.generic", "relu", 4 * kUs, 10, 2000};
static const RecordedOp kScale = {"linalg.generic", "scale", 6 * kUs, 10, 2000};
static const RecordedOp kMatmul = {"linalg.matmul", "fc", 10 * kUs, 9000, 100};

TEST(UnfusedChainsTest, OwnRecording) {
  Data data = makeRecording({kMatmul, kRelu, kScale});
  // 40 + 60 us; fused, they need at least the 60.
  EXPECT_EQ(data.ask(kRule), "40000000 time_ps=100000000 share_ppm=500000 "
                             "longest_ps=60000000 ops=2 "
                             "[linalg.generic at scale 60000000] "
                             "[linalg.generic at relu 40000000]\n");
}

TEST(UnfusedChainsTest, SilentWhereLittleWouldBeGained) {
  // 100 us of the longer one, 0.5 or 0.4 of the other.
  RecordedOp large = {"linalg.generic", "large", 100 * kUs, 10, 2000};
  RecordedOp small = {"linalg.generic", "small", 510 * kNs, 10, 200};
  EXPECT_EQ(makeRecording({large, small}).ask(kRule).substr(0, 8), "5100000 ");
  small.eachPs = 490 * kNs;
  EXPECT_EQ(makeRecording({large, small}).ask(kRule), "silent");
}

TEST(UnfusedChainsTest, OnlyATrialOfFusingRefutes) {
  Data data = makeRecording({kMatmul, kRelu, kScale});
  OpTrial trial;
  trial.op = 3;
  trial.technique = "fusion";
  trial.choice = "with=none";
  data.trials = {trial};
  EXPECT_EQ(data.ask(kRule).substr(0, 9), "40000000 ");
  data.trials[0].choice = "with=all";
  EXPECT_EQ(data.ask(kRule).substr(0, 8), "unknown ");
}

TEST(UnfusedChainsTest, SilentWhereFused) {
  Data data = makeRecording({kMatmul, kRelu, kScale}, Loops::OneForAll);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(UnfusedChainsTest, SilentWhereComputeIsBetween) {
  Data data = makeRecording({kRelu, kMatmul, kScale});
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(UnfusedChainsTest, SilentWhereOthersUseTheResult) {
  Data data = makeRecording({kRelu, kScale, kMatmul});
  data.graph.edges.push_back({0, 2});
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(UnfusedChainsTest, SilentWhereNotHot) {
  // 10 of 500 us per iteration are 2 %, 10 of 501 are less.
  RecordedOp matmul = kMatmul;
  matmul.eachPs = 490 * kUs;
  Data data = makeRecording({matmul, kRelu, kScale});
  EXPECT_NE(data.ask(kRule), "silent");
  matmul.eachPs += kUs;
  data = makeRecording({matmul, kRelu, kScale});
  EXPECT_EQ(data.ask(kRule), "silent");
}

static HloInstruction makeInstruction(int64_t id, llvm::StringRef name,
                                      llvm::StringRef opcode,
                                      std::vector<int64_t> operands) {
  HloInstruction instruction;
  instruction.id = id;
  instruction.name = name.str();
  instruction.opcode = opcode.str();
  instruction.operandIds = std::move(operands);
  return instruction;
}

/// x -> add -> `middle` -> exp
static Data makeHlo(llvm::StringRef middle) {
  Data data;
  HloModule module;
  module.name = "main";
  module.instructions = {makeInstruction(1, "x", "parameter", {}),
                         makeInstruction(2, "add", "add", {1, 1}),
                         makeInstruction(3, "middle", middle, {2}),
                         makeInstruction(4, "exp", "exponential", {3})};
  module.computations.emplace_back();
  module.computations.back().size = 4;
  data.profile.hloModules.push_back(std::move(module));
  for (const char *name : {"add", "middle", "exp"})
    data.addOp(hloKey(name), 10 * kUs);
  return data;
}

TEST(UnfusedChainsTest, Xla) {
  Data data = makeHlo("tanh");
  EXPECT_EQ(data.ask(kRule), "20000000 time_ps=30000000 share_ppm=1000000 "
                             "longest_ps=10000000 ops=3 [main/add 10000000] "
                             "[main/middle 10000000] [main/exp 10000000]\n");
  data = makeHlo("dot");
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(UnfusedChainsTest, NeedsFlow) {
  Data data;
  data.addOp(callKey("aten::relu"), kMs);
  EXPECT_EQ(data.ask(kRule), "no data");
  data = makeRecording({kRelu, kScale});
  data.graph = {};
  EXPECT_EQ(data.ask(kRule), "no data");
}

TEST(UnfusedChainsTest, NearThePeakOfComputingIsNotBoundByMemory) {
  // 3000 bytes in 2 us came from a cache; 1000 flop in them are half the peak.
  RecordedOp product = {"linalg.batch_matmul", "qk", 2 * kUs, 1000, 3000};
  Data data = makeRecording({product, kRelu});
  EXPECT_EQ(data.ask(kRule), "silent");
  product.flops = 998;
  data = makeRecording({product, kRelu});
  EXPECT_NE(data.ask(kRule), "silent");
}
