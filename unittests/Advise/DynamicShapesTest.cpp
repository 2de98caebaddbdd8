//===- DynamicShapesTest.cpp - Many shapes --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kRule = "many-dynamic-shapes";

static ValueTable makeTable(std::vector<ValueCount> entries, uint64_t other) {
  ValueTable table;
  table.program = "p";
  table.node = 0;
  table.names = {"x.dim0", "x.dim1"};
  table.entries = std::move(entries);
  table.other = other;
  return table;
}

TEST(DynamicShapesTest, ObservedTuples) {
  Data data;
  data.run().values = {
      makeTable({{{1, 8}, 10}, {{2, 8}, 60}, {{3, 8}, 10}}, 20)};
  EXPECT_EQ(data.ask(kRule),
            "unknown place=x.dim0, x.dim1 shapes=4 calls=100 most_common=2x8 "
            "most_common_ppm=600000\n");
  data.run().values[0].other = 0;
  EXPECT_EQ(data.ask(kRule), "silent");
  data.run().values[0].kind = ValueKind::Trips;
  EXPECT_EQ(data.ask(kRule), "no data");
}

TEST(DynamicShapesTest, CallsOfAFramework) {
  Data data;
  for (const char *shapes : {"[[1,8]]", "[[2,8]]", "[[3,8]]"})
    data.addOp(callKey("aten::relu", shapes), kUs, 2);
  EXPECT_EQ(data.ask(kRule), "silent");
  data.addOp(callKey("aten::relu", "[[4,8]]"), kUs, 4);
  EXPECT_EQ(data.ask(kRule),
            "unknown place=aten::relu shapes=4 calls=10 most_common=[[4,8]] "
            "most_common_ppm=400000 [aten::relu 10000000]\n");
}

TEST(DynamicShapesTest, OtherPlacesAreOthers) {
  Data data;
  for (uint32_t i = 0; i < 8; ++i) {
    OpKey key = callKey("aten::relu", "[[" + std::to_string(i) + "]]");
    key.get<FrameworkCallKey>().ordinal = i;
    data.addOp(key, kUs);
  }
  EXPECT_EQ(data.ask(kRule), "silent");
}
