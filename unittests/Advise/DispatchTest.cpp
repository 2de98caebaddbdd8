//===- DispatchTest.cpp - Dispatch overhead -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::test;

static constexpr llvm::StringLiteral kRule = "dispatch-larger-than-work";

/// 100 calls of 5 us, and as many of the op around them.
static Data makeEager(int64_t frameworkPs) {
  Data data;
  data.addOp(callKey("aten::addmm", "", {"aten::linear"}), 5 * kUs, 100);
  data.addOp(callKey("aten::linear"), frameworkPs, 100);
  return data;
}

TEST(DispatchTest, FrameworkLargerThanWork) {
  // 0.6 ms against 0.5 ms; a compiled program needs a tenth of that.
  EXPECT_EQ(makeEager(6 * kUs).ask(kRule),
            "550000000 overhead_ps=600000000 framework_ps=600000000 "
            "launch_ps=0 idle_ps=0 work_ps=500000000 calls=100 "
            "work_per_call_ps=5000000 ops=2 [aten::linear 600000000] "
            "[aten::linear/aten::addmm 500000000]\n");
}

TEST(DispatchTest, IdleStepsCount) {
  Data data = makeEager(2 * kUs);
  for (int i = 0; i < 3; ++i)
    data.addStep(i * kMs, kMs, 900 * kUs);
  // 0.2 ms of the framework, 0.3 ms without any op.
  EXPECT_NE(data.ask(kRule).find("450000000 overhead_ps=500000000 "
                                 "framework_ps=200000000 launch_ps=0 "
                                 "idle_ps=300000000"),
            std::string::npos);
}

TEST(DispatchTest, SilentBelow) {
  EXPECT_NE(makeEager(5 * kUs).ask(kRule), "silent");
  EXPECT_EQ(makeEager(5 * kUs - 1).ask(kRule), "silent");
  // An op with more own time than calling takes works itself.
  EXPECT_NE(makeEager(10 * kUs - 1).ask(kRule), "silent");
  EXPECT_EQ(makeEager(10 * kUs).ask(kRule), "silent");
}

TEST(DispatchTest, SilentWhereCallsAreLargeOrFew) {
  auto make = [](int64_t workPs, uint64_t calls) {
    Data data;
    data.addOp(callKey("aten::addmm", "", {"aten::linear"}), workPs, calls);
    for (int i = 0; i < 3; ++i)
      data.addStep(i * 10 * kMs, 10 * kMs, 7 * kMs);
    return data.ask(kRule);
  };
  EXPECT_NE(make(20 * kUs - 1, 100), "silent");
  EXPECT_EQ(make(20 * kUs, 100), "silent");
  EXPECT_EQ(make(20 * kUs - 1, 99), "silent");
}

TEST(DispatchTest, CompiledModelsHaveNone) {
  Data data = makeRecording({{"linalg.matmul", "fc1", 5 * kUs, 1000, 100}});
  EXPECT_EQ(data.ask(kRule), "no data");
  EXPECT_EQ(Data().ask(kRule), "no data");
}
