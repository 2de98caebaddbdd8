//===- ThreadImbalanceTest.cpp - Threads that wait for the slowest --------===//
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

static constexpr llvm::StringLiteral kRule = "thread-imbalance";

/// A pool of two threads that work for these times; the faster one then waits.
static Data makePool(int64_t firstPs, int64_t secondPs, int64_t busyPs) {
  Data data;
  uint32_t first = data.addTrack("pool/17"), second = data.addTrack("pool/-4");
  data.addEvent(first, "work", firstPs);
  data.addEvent(second, "work", secondPs);
  data.addEvent(second, "ThreadPool::Await", 70 * kUs);
  data.addOp(callKey("aten::mm"), firstPs + secondPs);
  data.run().opBusyPs = busyPs;
  return data;
}

TEST(ThreadImbalanceTest, OneWorksLonger) {
  EXPECT_EQ(makePool(100 * kUs, 50 * kUs, 100 * kUs).ask(kRule),
            "25000000 threads=2 busiest_ps=100000000 mean_ps=75000000 "
            "below_ppm=250000 ops=2 [pool/17 100000000] "
            "[pool/-4 50000000]\n");
}

TEST(ThreadImbalanceTest, ThreadsOfOneCoreGainLess) {
  // Both threads together are 1.25 times as fast as one alone. For 50 us they
  // run so, for 50 us the first alone: 62.5 + 50 of one thread's work, which
  // both do in 90 us.
  Data data = makePool(100 * kUs, 50 * kUs, 100 * kUs);
  data.run().machine.threads = 2;
  data.run().machine.flopsOneThread = 1000;
  data.run().machine.flopsAllThreads = 1250;
  EXPECT_EQ(data.ask(kRule).substr(0, 9), "10000000 ");
  data.run().machine.flopsAllThreads = 2000;
  EXPECT_EQ(data.ask(kRule).substr(0, 9), "25000000 ");
}

TEST(ThreadImbalanceTest, SilentBelow) {
  EXPECT_NE(makePool(100 * kUs, 60 * kUs, 100 * kUs).ask(kRule), "silent");
  EXPECT_EQ(makePool(100 * kUs, 61 * kUs, 100 * kUs).ask(kRule), "silent");
}

TEST(ThreadImbalanceTest, TakingTurnsIsNone) {
  EXPECT_EQ(makePool(100 * kUs, 50 * kUs, 150 * kUs).ask(kRule), "silent");
}

TEST(ThreadImbalanceTest, NeedsAPool) {
  Data data;
  data.addEvent(data.addTrack("reader"), "work", 100 * kUs);
  data.addEvent(data.addTrack("writer"), "work", 10 * kUs);
  data.addOp(callKey("aten::mm"), 110 * kUs);
  data.run().opBusyPs = 50 * kUs;
  EXPECT_EQ(data.ask(kRule), "no data");
}
