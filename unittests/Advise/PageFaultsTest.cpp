//===- PageFaultsTest.cpp - Memory that is mapped again -------------------===//
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
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kRule = "page-fault-churn";

TEST(PageFaultsTest, Symbols) {
  Data data;
  data.addOp(outsideKey("asm_exc_page_fault"), 1 * kUs);
  data.addOp(outsideKey("clear_page_erms"), 1 * kUs);
  data.addOp(callKey("aten::mm"), 98 * kUs);
  EXPECT_EQ(data.ask(kRule),
            "2000000 fault_ps=2000000 fault_ppm=20000 symbols_ps=2000000 "
            "kernel_ps=0 faults=0 iterations=0 ops=2 "
            "[asm_exc_page_fault:outside 1000000] "
            "[clear_page_erms:outside 1000000]\n");
  data.addOp(callKey("aten::mm"), kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(PageFaultsTest, WhatServesAFaultIsCalledByIt) {
  // 2 of 100 us are in a lock below the fault.
  Data data;
  OpKey lock = callKey("_raw_spin_lock");
  lock.call.scope = {"scale", "asm_exc_page_fault"};
  data.addOp(lock, 2 * kUs);
  data.addOp(callKey("scale"), 98 * kUs);
  EXPECT_EQ(data.ask(kRule).substr(0, 34),
            "2000000 fault_ps=2000000 fault_ppm");
  lock.call.scope = {"futex_wait"};
  data.addOp(lock, kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(PageFaultsTest, CountedFaults) {
  Data data = makeRecording({{"linalg.matmul", "fc", 400 * kUs, 0, 0}});
  data.addEvent(data.addTrack("main"), "kernel", 500 * kUs);
  data.run().facts = {{"page faults", "160"}};
  // 160 faults of half a microsecond are 2 % of 4 ms.
  EXPECT_EQ(data.ask(kRule),
            "80000000 fault_ps=80000000 fault_ppm=20000 symbols_ps=0 "
            "kernel_ps=500000000 faults=160 iterations=10 ops=0\n");
  // By what a fault cost on the machine: 160 of 1.9 us, and 160 of 0.1 us.
  data.run().facts.emplace_back("picoseconds a page fault", "1900000");
  EXPECT_EQ(data.ask(kRule).substr(0, 10), "304000000 ");
  data.run().facts.back().second = "100000";
  EXPECT_EQ(data.ask(kRule), "silent");
  // Fewer an iteration are no churn.
  data.run().facts = {{"page faults", "159"}};
  EXPECT_EQ(data.ask(kRule), "silent");
  // No more than what was seen in the kernel.
  data.run().facts = {{"page faults", "16000"}};
  EXPECT_EQ(data.ask(kRule).substr(0, 10), "500000000 ");
}

TEST(PageFaultsTest, CountsBeyondSignedNumbers) {
  Data data = makeRecording({{"linalg.matmul", "fc", 400 * kUs, 0, 0}});
  data.addEvent(data.addTrack("main"), "kernel", 500 * kUs);
  // 2^63 and 2^64 - 1 faults are many, not few.
  for (const char *faults : {"9223372036854775808", "18446744073709551615"}) {
    data.run().facts = {{"page faults", faults}};
    EXPECT_EQ(data.ask(kRule).substr(0, 10), "500000000 ") << faults;
  }
}

TEST(PageFaultsTest, NeedsSymbols) {
  Data data;
  data.addOp(callKey("aten::mm"), kUs);
  EXPECT_EQ(data.ask(kRule), "no data");
}
