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
using namespace mlirprof::profile;
using namespace mlirprof::reading;
using namespace mlirprof::trace;

namespace {

TEST(MindSpore, KernelDetails) {
  Profile profile =
      readSeed("mindspore-csv", "mindspore/synthetic-kernel_details.csv");
  OpTotal product = getTotal(profile, "aclnnMatmul_MatMulCommon_MatMulV2");
  EXPECT_EQ(product.keys, 1u);
  EXPECT_EQ(product.count, 2u);
  EXPECT_EQ(product.executePs, 820750000ll);
  const profile::Run &run = profile.runs[0];
  ASSERT_EQ(run.tracks.size(), 2u);
  EXPECT_EQ(run.tracks[0].name, "stream 46");
  EXPECT_EQ(run.tracks[0].events, 2u);
  for (const OpSummary &op : run.ops) {
    const OpKey &key = profile.opKeys[op.op];
    if (key.op == "aclnnAdd_AddAiCore_Add") {
      EXPECT_EQ(key.get<FrameworkCallKey>().shapes.print(),
                "[[16,64],[16,64]]");
      // 420.5 us after the first, whose begin is followed by a tab.
      EXPECT_EQ(op.firstBeginPs, 420500000ll);
    }
    if (key.op == "hcom_allReduce__1") {
      EXPECT_EQ(key.get<FrameworkCallKey>().shapes.print(), "");
    }
  }
}

TEST(MindSpore, Totals) {
  Profile statistic =
      readSeed("mindspore-csv", "mindspore/synthetic-op_statistic.csv");
  EXPECT_EQ(getTotal(statistic, "MatMulV2").count, 18u);
  EXPECT_EQ(getTotal(statistic, "MatMulV2").executePs, 750500000ll);
  // 10 times 12.5 ms.
  Profile detail = readSeed("mindspore-csv", "mindspore/synthetic-detail.csv");
  std::string dense = "Default/network-WithLossCell/_backbone-LeNet5/"
                      "fc1-Dense/MatMul-op21";
  EXPECT_EQ(getTotal(detail, dense).count, 10u);
  EXPECT_EQ(getTotal(detail, dense).executePs, 125000000000ll);
}

// The output of the parsers of 1.10 and 2.0 for one recording of four steps,
// and the expected output of newer ones. In units of 10 ns, the recording
// contains: GetNext ran 4 times for 10174 in all, TransData, with two tasks a
// step, 8 times for 28152, and two ops of type Conv2D 8 times for 83745 +
// 86979.
constexpr int64_t k10Ns = 10000;
constexpr llvm::StringLiteral kConvolution =
    "Default/network-TrainOneStepCell/network-WithLossCell/_backbone-LeNet5/"
    "conv1-Conv2d/Conv2D-op3";
constexpr llvm::StringLiteral kStepLoss =
    "times of one step, on average: the table does not say how many steps ran";

TEST(MindSpore, DetailsOfAllReleases) {
  for (llvm::StringRef file : {"detail-2.0", "detail-2.1"}) {
    Profile detail =
        readSeed("mindspore-csv", ("mindspore/" + file + ".csv").str());
    EXPECT_EQ(getTotal(detail, "Default/GetNext-op0").count, 4u);
    EXPECT_EQ(getTotal(detail, "Default/GetNext-op0").executePs, 10174 * k10Ns);
    EXPECT_EQ(getTotal(detail, "Default/TransData-op2").count, 8u);
    EXPECT_EQ(getTotal(detail, "Default/TransData-op2").executePs,
              28152 * k10Ns);
    EXPECT_EQ(getTotal(detail, kConvolution).executePs, 83745 * k10Ns);
    EXPECT_TRUE(detail.runs[0].losses.empty());
  }
  Profile step = readSeed("mindspore-csv", "mindspore/detail-1.10.csv");
  EXPECT_EQ(getTotal(step, "Default/TransData-op2").count, 1u);
  EXPECT_EQ(getTotal(step, "Default/TransData-op2").executePs,
            28152 * k10Ns / 4);
  EXPECT_EQ(getTotal(step, kConvolution).executePs, 83745 * k10Ns / 4);
  EXPECT_EQ(getLoss(step, kStepLoss), 1u);
}

TEST(MindSpore, TypesOfAllReleases) {
  for (llvm::StringRef file : {"type-2.0", "type-2.6"}) {
    Profile types =
        readSeed("mindspore-csv", ("mindspore/" + file + ".csv").str());
    EXPECT_EQ(getTotal(types, "TransData").executePs, 28152 * k10Ns);
    EXPECT_EQ(getTotal(types, "Conv2D").count, 8u);
    EXPECT_EQ(getTotal(types, "Conv2D").executePs, (83745 + 86979) * k10Ns);
    EXPECT_TRUE(types.runs[0].losses.empty());
  }
  // For two ops, one execution each.
  Profile step = readSeed("mindspore-csv", "mindspore/type-1.10.csv");
  EXPECT_EQ(getTotal(step, "Conv2D").count, 2u);
  EXPECT_EQ(getTotal(step, "Conv2D").executePs, (83745 + 86979) * k10Ns / 4);
  EXPECT_EQ(getLoss(step, kStepLoss), 1u);
}

TEST(MindSpore, AiCpu) {
  // Ends less begins, in hundredths of a microsecond.
  Profile profile = readSeed("mindspore-csv", "mindspore/aicpu-1.10.csv");
  EXPECT_EQ(getTotal(profile, "GetNext-op0").count, 4u);
  EXPECT_EQ(getTotal(profile, "GetNext-op0").executePs,
            (2567 + 2649 + 2440 + 2518) * k10Ns);
  EXPECT_EQ(profile.runs[0].tracks[0].events, 4u);
  Profile older = readSeed("mindspore-csv", "mindspore/aicpu-1.1.csv");
  EXPECT_EQ(getTotal(older, "GetNext").executePs,
            (27 + 24 + 25 + 28) * 100 * k10Ns);
  EXPECT_NE(
      readBad("mindspore-csv", "serial_number,op_type,dispatch_time,run_start,"
                               "run_end\n1,a,0,5,4\n")
          .find("line 2: has a duration that is not a number, or negative"),
      std::string::npos);
}

TEST(MindSpore, Errors) {
  EXPECT_NE(
      readBad("mindspore-csv", "a,b\n1,2\n").find("line 1: is not a header"),
      std::string::npos);
  std::string head = "Name,Type,Accelerator Core,Start Time(us),Duration(us)\n";
  EXPECT_NE(
      readBad("mindspore-csv", head + "a,b,c,1,-2\n")
          .find("line 2: has a duration that is not a number, or negative"),
      std::string::npos);
  EXPECT_NE(readBad("mindspore-csv", head + "a,b,c,x,2\n")
                .find("line 2: has a begin that is not a number"),
            std::string::npos);
  EXPECT_NE(
      readBad("mindspore-csv", head + "a,b,c,0,2\na,b,c,90000000000000,2\n")
          .find("line 3: begins too far"),
      std::string::npos);
}

} // namespace
