//===- SmallBatchesTest.cpp - Matrix products with few rows ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kRule = "small-batch";

/// linear of [rows, 64] with weights [64, 64].
static Data makeLinear(int64_t rows, int64_t timePs) {
  Data data;
  std::string left = "[" + std::to_string(rows) + ",64]";
  data.addOp(callKey("aten::addmm", "[[64]," + left + ",[64,64]]"), timePs);
  data.addOp(callKey("aten::relu", "[" + left + "]"), 100 * kUs - timePs);
  return data;
}

TEST(SmallBatchesTest, FewRows) {
  // 4096 weights against 2 * 64 inputs and as many results. 2 of 8 rows that
  // share them took a quarter of the time.
  EXPECT_EQ(makeLinear(2, 40 * kUs).ask(kRule),
            "30000000 time_ps=40000000 share_ppm=400000 "
            "rows=2 good_rows=8 weights=4096 others=256 ops=1 "
            "[aten::addmm 40000000]\n");
}

TEST(SmallBatchesTest, ManyOfWhichNoneIsHot) {
  // 13 products of one row, 1 us each, of 100 us: 13 % in all, 7/8 of it
  // gained.
  Data data;
  for (int i = 0; i < 13; ++i)
    data.addOp(callKey("aten::mm", "[[1,64],[64,64]]"), kUs);
  data.addOp(callKey("aten::relu"), 87 * kUs);
  EXPECT_EQ(data.ask(kRule).substr(0, 116),
            "11375000 time_ps=13000000 share_ppm=130000 rows=1 good_rows=8 "
            "weights=53248 others=1664 ops=13 [aten::mm 1000000] [a");
}

TEST(SmallBatchesTest, PackedInitializersOfOnnxRuntime) {
  // A Gemm of [1, 64] with a bias of 64: its weights [64, 64] were packed.
  OpKey key("/fc/Gemm", "Gemm", OnnxNodeKey());
  key.get<OnnxNodeKey>().shapes = InputShapes::parse("[[1,64],[64]]");
  Data data;
  data.addOp(key, 8 * kUs);
  EXPECT_EQ(data.ask(kRule).substr(0, 86),
            "7000000 time_ps=8000000 share_ppm=1000000 rows=1 good_rows=8 "
            "weights=4096 others=128 o");
  data.profile.opKeys[0].get<OnnxNodeKey>().shapes =
      InputShapes::parse("[[256,64],[64]]");
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(SmallBatchesTest, SilentBelow) {
  EXPECT_NE(makeLinear(4, 40 * kUs).ask(kRule), "silent");
  EXPECT_EQ(makeLinear(5, 40 * kUs).ask(kRule), "silent");
  EXPECT_NE(makeLinear(4, 5 * kUs).ask(kRule), "silent");
  EXPECT_EQ(makeLinear(4, 5 * kUs - kNs).ask(kRule), "silent");
}

TEST(SmallBatchesTest, SilentWhereWeightsDoNotDominate) {
  // 4 x 8 of weights [8, 1024]: 4 * 8 + 4 * 1024 others, half of the weights.
  Data data;
  data.addOp(callKey("aten::mm", "[[4,8],[8,1024]]"), kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(SmallBatchesTest, DotOfXla) {
  Data data;
  HloModule module;
  module.name = "main";
  HloInstruction x, w, dot;
  x.id = 1;
  x.opcode = w.opcode = "parameter";
  x.shape.dimensions = {1, 64};
  w.id = 2;
  w.shape.dimensions = {64, 64};
  dot.id = 3;
  dot.name = "dot";
  dot.opcode = "dot";
  dot.operandIds = {1, 2};
  dot.lhsContractingDimensions = {1};
  module.instructions = {x, w, dot};
  module.computations.emplace_back();
  module.computations.back().size = 3;
  data.profile.hloModules.push_back(module);
  data.addOp(hloKey("dot"), 8 * kUs);
  EXPECT_EQ(data.ask(kRule),
            "7000000 time_ps=8000000 share_ppm=1000000 rows=1 "
            "good_rows=8 weights=4096 others=128 ops=1 [main/dot 8000000]\n");
}

TEST(SmallBatchesTest, ComputingBoundsTheGain) {
  // One row of 64 by 64: 8192 operations, which take 8.192 us of the machine's,
  // in ten iterations of 10 or of 100 us.
  for (auto [eachPs, gain] :
       {std::pair(10 * kUs, "18080000 "), std::pair(100 * kUs, "875000000 ")}) {
    Data data = makeRecording({{"linalg.matmul", "fc", eachPs, 8192, 0}});
    data.ownership.ops.resize(3);
    data.matchLast(MatchClass::Unique, {2});
    MatrixProduct product;
    product.op = 2;
    product.rows = 1;
    product.depth = product.columns = 64;
    data.products = {product};
    EXPECT_EQ(data.ask(kRule).substr(0, strlen(gain)), gain);
  }
}

TEST(SmallBatchesTest, NeedsShapes) {
  Data data;
  data.addOp(callKey("aten::mm"), kUs);
  data.addOp(callKey("aten::mm", "[[not json"), kUs);
  data.addOp(callKey("aten::mm", "[[-1,64],[64,64]]"), kUs);
  data.addOp(callKey("aten::mm", "[[4000000000,4000000000],[4000000000,1]]"),
             kUs);
  EXPECT_EQ(data.ask(kRule), "no data");
}
