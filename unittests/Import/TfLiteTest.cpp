//===- TfLiteTest.cpp - Reading TensorFlow Lite's benchmarks --------------===//
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

TEST(TfLite, Csv) {
  Profile profile = readSeed("tflite-text", "tflite/synthetic-profile.csv");
  // 50 runs of 1.25 ms; the other tables repeat it.
  OpTotal convolution =
      getTotal(profile, "model/conv1/Relu;model/conv1/BiasAdd");
  EXPECT_EQ(convolution.count, 50u);
  EXPECT_EQ(convolution.executePs, 50 * 1250000000ll);
  // Twice in each run.
  EXPECT_EQ(getTotal(profile, "split").count, 100u);
  EXPECT_EQ(getTotal(profile, "split").executePs, 100 * 100000000ll);
  // The type contains the separator, and the output has a namesake.
  OpTotal second = getTotal(profile, "[split]:2");
  EXPECT_EQ(second.executePs, 50 * 100000000ll);
  OpTotal initialization = getTotal(profile, "ModifyGraphWithDelegate/0");
  EXPECT_EQ(initialization.count, 1u);
  EXPECT_EQ(initialization.executePs, 4500000000ll);
  for (const OpSummary &op : profile.runs[0].ops) {
    const OpKey &key = profile.opKeys[op.op];
    EXPECT_EQ(key.is<OutsideKey>(), key.kernel == "initialization");
    if (key.op == "[split]:2") {
      EXPECT_EQ(key.kernel, "SPLIT/axis, 3");
    }
  }
  EXPECT_EQ(profile.runs[0].ops.size(), 6u);
}

TEST(TfLite, TextWithDelegate) {
  Profile profile = readSeed("tflite-text", "tflite/synthetic-delegate.txt");
  EXPECT_EQ(getTotal(profile, "model/conv").selfPs, 12500000000ll);
  // The delegate's inner nodes are not counted twice.
  EXPECT_EQ(getTotal(profile, "out").executePs, 20000000000ll);
  EXPECT_EQ(getTotal(profile, "out").selfPs, 2500000000ll);
  EXPECT_EQ(
      getTotal(profile, "Delegate/Fully Connected (NC, F32) GEMM:0").selfPs,
      15000000000ll);
}

TEST(TfLite, Proto) {
  Profile profile = readSeed("tflite-proto", "tflite/synthetic-profile.pb");
  OpTotal convolution = getTotal(profile, "model/conv");
  EXPECT_EQ(convolution.count, 50u);
  EXPECT_EQ(convolution.executePs, 62500000000ll);
  EXPECT_EQ(getTotal(profile, "model/conv", "subgraph 1").executePs,
            101000000ll);
  EXPECT_EQ(getTotal(profile, "AllocateTensors/0").executePs, 700000000ll);
  const OpSummary &first = profile.runs[0].ops[1];
  EXPECT_EQ(profile.opKeys[first.op].op, "model/conv");
  EXPECT_EQ(first.measurements[0].summary.min, 1200000000ll);
  EXPECT_EQ(first.measurements[0].summary.max, 1400000000ll);
  EXPECT_EQ(profile.runs[0].facts[0].second, "model.tflite");
}

TEST(TfLite, Errors) {
  std::string head = "===== Run Order =====\nnode type, first, avg_ms, %, "
                     "cdf%, mem KB, times called, name\n";
  EXPECT_NE(readBad("tflite-text", head + "CONV_2D, 1, 2\n")
                .find("line 3: is not a row"),
            std::string::npos);
  EXPECT_NE(readBad("tflite-text", head + "CONV_2D, 1, -2, 1%, 1%, 0, 1, a\n")
                .find("line 3: has a time that is negative"),
            std::string::npos);
  EXPECT_NE(readBad("tflite-text", "===== Run Order =====\nfoo, bar\n")
                .find("line 2: is not a header"),
            std::string::npos);
  EXPECT_NE(readBad("tflite-text", "nothing\n").find("without a node"),
            std::string::npos);
  Profile profile =
      readGood("tflite-text", head + "CONV_2D, 1, 2, 1%, 1%, 0, 1, a\n");
  EXPECT_EQ(
      getLoss(profile, "table without a number of runs, assumed to be one"),
      1u);
  // A message that is longer than the file.
  EXPECT_NE(readBad("tflite-proto", llvm::StringRef("\x1a\x05\x0a\x7f", 4))
                .find("byte 2: a message does not end"),
            std::string::npos);
}

} // namespace
