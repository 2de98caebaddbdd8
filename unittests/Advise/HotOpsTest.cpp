//===- HotOpsTest.cpp - Hot ops far from the roofline ---------------------===//
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

static constexpr llvm::StringLiteral kRule = "hot-op-far-from-roofline";

TEST(HotOpsTest, FarFromTheRoofline) {
  // 1000 flop at 10^9 per second need 1 us; it takes 5, so 20 % of attainable.
  // At 70 %, 50 us became 50 * 200 / 700 = 14.285714 us.
  Data data = makeRecording({{"linalg.matmul", "fc1", 5 * kUs, 1000, 100}});
  EXPECT_EQ(data.ask(kRule),
            "35714286 op=linalg.matmul location=fc1 time_ps=50000000 "
            "share_ppm=1000000 iterations=10 attainable_ppm=200000 "
            "reachable_ppm=700000 bound=compute flops=1000 bytes=100 "
            "flops_per_second=200000000 bytes_per_second=20000000 "
            "[linalg.matmul at fc1 50000000]\n");
}

TEST(HotOpsTest, SilentAtHalfOfTheRoofline) {
  Data data = makeRecording({{"linalg.matmul", "fc1", 2 * kUs, 1000, 100}});
  EXPECT_EQ(data.ask(kRule), "silent");
  data = makeRecording({{"linalg.matmul", "fc1", 2005 * kNs, 1000, 100}});
  EXPECT_NE(data.ask(kRule), "silent");
}

TEST(HotOpsTest, SilentWhereNotHot) {
  // 5 of 100 us, and 4.9 of 100 us.
  RecordedOp fast = {"linalg.matmul", "fast", 95 * kUs, 95000, 100};
  RecordedOp slow = {"linalg.matmul", "slow", 5 * kUs, 1000, 100};
  Data data = makeRecording({fast, slow});
  EXPECT_NE(data.ask(kRule), "silent");
  fast.eachPs += kUs;
  slow.eachPs -= kUs;
  data = makeRecording({fast, slow});
  EXPECT_EQ(data.ask(kRule), "silent");
}

static OpTrial makeTrial(uint32_t op, llvm::StringRef technique, bool wasKept) {
  OpTrial trial;
  trial.op = op;
  trial.technique = technique.str();
  trial.choice = "name=direct";
  trial.wasKept = wasKept;
  trial.reason = "not faster";
  return trial;
}

TEST(HotOpsTest, RefusedTrialsOfTheOpSetThePromiseAside) {
  Data data = makeRecording({{"linalg.matmul", "fc1", 5 * kUs, 1000, 100}});
  auto ask = [&] { return data.adviseAll().advice.front(); };
  // The op is the third, after the module and its function.
  for (OpTrial other :
       {makeTrial(1, "tiles", false), makeTrial(2, "fusion", false)}) {
    data.trials = {other};
    EXPECT_EQ(ask().gainPs, 35714286);
    EXPECT_TRUE(ask().trials.empty());
  }
  data.trials = {makeTrial(2, "tiles", false)};
  EXPECT_TRUE(ask().isRefuted());
  EXPECT_EQ(ask().gainPs, std::nullopt);
  EXPECT_EQ(ask().setAsidePs, 35714286);
  data.trials.push_back(makeTrial(2, "algorithm", true));
  EXPECT_FALSE(ask().isRefuted());
  EXPECT_EQ(ask().gainPs, 35714286);
  EXPECT_TRUE(ask().trials.front().wasKept);
}

TEST(HotOpsTest, NeedsPeakAndWork) {
  Data data = makeRecording({{"linalg.matmul", "fc1", 5 * kUs, 1000, 100}});
  data.run().machine = Machine();
  EXPECT_EQ(data.ask(kRule), "no data");
  Data other;
  other.addOp(callKey("aten::mm"), kMs);
  EXPECT_EQ(other.ask(kRule), "no data");
}
