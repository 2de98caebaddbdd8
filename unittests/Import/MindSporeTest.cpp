//===- MindSporeTest.cpp - Reading MindSpore's tables ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::reading;

namespace {

TEST(MindSpore, KernelDetails) {
  Profile profile =
      readSeed("mindspore-csv", "mindspore/synthetic-kernel_details.csv");
  OpTotal product = getTotal(profile, "aclnnMatmul_MatMulCommon_MatMulV2");
  EXPECT_EQ(product.keys, 1u);
  EXPECT_EQ(product.count, 2u);
  EXPECT_EQ(product.executePs, 820750000ll);
  const mlirprof::Run &run = profile.runs[0];
  ASSERT_EQ(run.tracks.size(), 2u);
  EXPECT_EQ(run.tracks[0].name, "stream 46");
  EXPECT_EQ(run.tracks[0].events, 2u);
  for (const OpSummary &op : run.ops) {
    const OpKey &key = profile.opKeys[op.op];
    if (key.op == "aclnnAdd_AddAiCore_Add") {
      EXPECT_EQ(key.call.shapes, "[[16,64],[16,64]]");
      // 420.5 us behind the first, whose begin has a tab behind it.
      EXPECT_EQ(op.firstBeginPs, 420500000ll);
    }
    if (key.op == "hcom_allReduce__1") {
      EXPECT_EQ(key.call.shapes, "");
    }
  }
}

TEST(MindSpore, Totals) {
  Profile statistic =
      readSeed("mindspore-csv", "mindspore/synthetic-op_statistic.csv");
  EXPECT_EQ(getTotal(statistic, "MatMulV2").count, 18u);
  EXPECT_EQ(getTotal(statistic, "MatMulV2").executePs, 750500000ll);
  Profile detail = readSeed("mindspore-csv", "mindspore/synthetic-detail.csv");
  std::string dense = "Default/network-WithLossCell/_backbone-LeNet5/"
                      "fc1-Dense/MatMul-op21";
  EXPECT_EQ(getTotal(detail, dense).count, 10u);
  EXPECT_EQ(getTotal(detail, dense).executePs, 125000000ll);
  EXPECT_EQ(getLoss(detail, "times of a table that names no unit, taken for "
                            "microseconds"),
            1u);
}

TEST(MindSpore, Errors) {
  EXPECT_NE(readBad("mindspore-csv", "a,b\n1,2\n").find("line 1: is no header"),
            std::string::npos);
  std::string head = "Name,Type,Accelerator Core,Start Time(us),Duration(us)\n";
  EXPECT_NE(readBad("mindspore-csv", head + "a,b,c,1,-2\n")
                .find("line 2: has a duration that is no number, or negative"),
            std::string::npos);
  EXPECT_NE(readBad("mindspore-csv", head + "a,b,c,x,2\n")
                .find("line 2: has a begin that is no number"),
            std::string::npos);
  EXPECT_NE(
      readBad("mindspore-csv", head + "a,b,c,0,2\na,b,c,90000000000000,2\n")
          .find("line 3: begins too far"),
      std::string::npos);
}

} // namespace
