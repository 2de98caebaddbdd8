//===- PaddleTest.cpp - Reading PaddlePaddle's traces ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::reading;
using namespace mlirprof::trace;

namespace {

TEST(Paddle, ExactTimes) {
  Profile profile = readSeed("paddle", "paddle/synthetic-train.json");
  // 10.3 to 210.7 us; the content ends with it to the nanosecond, which begins
  // truncated to microseconds would not show.
  OpTotal product = getTotal(profile, "matmul compute");
  // On the host, and in the kernel that it launched.
  EXPECT_EQ(product.keys, 2u);
  EXPECT_EQ(product.executePs, 100125000 + 30250000);
  EXPECT_EQ(getTotal(profile, "matmul").executePs, 200400000);
  EXPECT_EQ(getTotal(profile, "matmul").selfPs, 200400000 - 100125000);
  EXPECT_EQ(getTotal(profile, "matmul_grad").executePs, 150750000);
  EXPECT_TRUE(profile.runs[0].clock.hasAnchor);
  EXPECT_EQ(profile.runs[0].clock.anchorNs, 1700000000000100000);
  EXPECT_EQ(getLoss(profile,
                    "start_time that contradicts the timestamp, which is used"),
            0u);
}

TEST(Paddle, Ops) {
  Profile profile = readSeed("paddle", "paddle/synthetic-train.json");
  const OpKey *product = findKey(profile, "matmul");
  ASSERT_TRUE(product);
  EXPECT_EQ(getKeyTraits(*product).shapes->print(), "[[16,64],[64,32]]");
  EXPECT_EQ(getKeyTraits(*product).phase, CallPhase::Forward);
  EXPECT_EQ(getKeyTraits(*product).ordinal, 0u);
  const OpKey *inner = findKey(profile, "matmul compute");
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->get<FrameworkCallKey>().callers,
            std::vector<std::string>{"matmul"});
  // The kernel belongs to the op that launched it.
  const OpKey *kernel = findKey(profile, "matmul compute", "sgemm_32x32");
  ASSERT_TRUE(kernel);
  // Within the annotation of Python, on the other timeline of the thread.
  const OpKey *gradient = findKey(profile, "matmul_grad");
  ASSERT_TRUE(gradient);
  EXPECT_EQ(getKeyTraits(*gradient).phase, CallPhase::Backward);
  EXPECT_EQ(getKeyTraits(*gradient).shapes->print(), "");
}

std::string makeEvent(llvm::StringRef name, llvm::StringRef timestamp,
                      llvm::StringRef begin) {
  return ("{\"name\":\"" + name + "\",\"ph\":\"X\",\"pid\":1,\"tid\":\"2(C++)" +
          "\",\"cat\":\"Operator\",\"ts\":" + timestamp +
          ",\"dur\":0.5,\"args\":{\"start_time\":\"" + begin + " us\"}}")
      .str();
}

TEST(Paddle, NamesAndContradictions) {
  Profile profile = readGood(
      "paddle", "{\"traceEvents\":[" + makeEvent("a[0.500 us]", "100", "0.0") +
                    "," + makeEvent("b[2]", "101", "77.0") + "," +
                    makeEvent("c [x us]", "102", "2.25") + "," +
                    makeEvent("d[1.000 ms]", "20000100", "20000000.5") + "]}");
  EXPECT_EQ(getTotal(profile, "a").count, 1u);
  EXPECT_EQ(getTotal(profile, "b[2]").count, 1u);
  EXPECT_EQ(getTotal(profile, "c [x us]").count, 1u);
  EXPECT_EQ(getLoss(profile,
                    "start_time that contradicts the timestamp, which is used"),
            1u);
  for (const OpSummary &op : profile.runs[0].ops) {
    llvm::StringRef name = profile.opKeys[op.op].op;
    if (name == "b[2]")
      EXPECT_EQ(op.firstBeginPs, 1000000);
    if (name == "c [x us]")
      EXPECT_EQ(op.firstBeginPs, 2250000);
    // After the first seconds the text is coarser than the timestamp.
    if (name == "d")
      EXPECT_EQ(op.firstBeginPs, 20000000000000);
  }
}

} // namespace
