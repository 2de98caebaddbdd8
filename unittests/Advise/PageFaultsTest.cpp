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
  data.addOp(outsideKey("clear_page_erms"), 700 * kNs);
  data.addOp(outsideKey("munmap"), 100 * kNs, 3);
  data.addOp(callKey("aten::mm"), 98 * kUs);
  EXPECT_EQ(data.ask(kRule),
            "2000000 fault_ps=2000000 fault_ppm=20000 symbols_ps=2000000 "
            "kernel_ps=0 faults=0 iterations=0 ops=3 "
            "[asm_exc_page_fault:outside 1000000] "
            "[clear_page_erms:outside 700000] [munmap:outside 300000]\n");
  data.addOp(callKey("aten::mm"), kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(PageFaultsTest, WhatServesAFaultIsCalledByIt) {
  // 2 of 100 us are in locks, below the fault and below munmap.
  Data data;
  OpKey lock = callKey("_raw_spin_lock");
  lock.get<FrameworkCallKey>().scope = {"scale", "munmap"};
  data.addOp(lock, 100 * kNs, 5);
  lock.get<FrameworkCallKey>().scope = {"scale", "asm_exc_page_fault"};
  data.addOp(lock, 100 * kNs, 15);
  data.addOp(callKey("scale"), 98 * kUs);
  EXPECT_EQ(data.ask(kRule).substr(0, 34),
            "2000000 fault_ps=2000000 fault_ppm");
  lock.get<FrameworkCallKey>().scope = {"futex_wait"};
  data.addOp(lock, kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(PageFaultsTest, MemoryThatIsNotGivenBackDoesNotComeBack) {
  // A starting program: half of its time in faults, and it never unmaps, only
  // twice, hardly, or as it ends.
  auto make = [](llvm::StringRef back, int64_t eachPs, uint64_t count) {
    Data data;
    data.addOp(outsideKey("asm_exc_page_fault"), 50 * kUs);
    data.addOp(callKey("main"), 50 * kUs);
    OpKey key = callKey("free_unref_page_list");
    key.get<FrameworkCallKey>().scope = {back.str()};
    data.addOp(key, eachPs, count);
    return data.ask(kRule);
  };
  EXPECT_EQ(make("munmap", 2 * kUs, 2), "silent");
  EXPECT_EQ(make("munmap", 500 * kNs, 3), "silent");
  EXPECT_EQ(make("exit_mmap", 2 * kUs, 3), "silent");
  EXPECT_EQ(make("munmap", 2 * kUs, 3).substr(0, 9), "56000000 ");
}

TEST(PageFaultsTest, CountedFaults) {
  Data data = makeRecording({{"linalg.matmul", "fc", 400 * kUs, 0, 0}});
  data.addEvent(data.addTrack("main"), "kernel", 500 * kUs);
  data.run().facts = {{"page faults", "160"}};
  // 160 faults of half a microsecond are 2 % of 4 ms.
  EXPECT_EQ(data.ask(kRule),
            "80000000 fault_ps=80000000 fault_ppm=20000 symbols_ps=0 "
            "kernel_ps=500000000 faults=160 iterations=10 ops=0\n");
  // With the cost of a fault on the machine: 160 of 1.9 us, and 160 of 0.1 us.
  data.run().facts.emplace_back("picoseconds a page fault", "1900000");
  EXPECT_EQ(data.ask(kRule).substr(0, 10), "304000000 ");
  data.run().facts.back().second = "100000";
  EXPECT_EQ(data.ask(kRule), "silent");
  // Fewer per iteration are not churn.
  data.run().facts = {{"page faults", "159"}};
  EXPECT_EQ(data.ask(kRule), "silent");
  // Limited to the time seen in the kernel.
  data.run().facts = {{"page faults", "16000"}};
  EXPECT_EQ(data.ask(kRule).substr(0, 10), "500000000 ");
}

TEST(PageFaultsTest, SymbolsThatAreNoEvidenceAreNotSubjects) {
  Data data = makeRecording({{"linalg.matmul", "fc", 400 * kUs, 0, 0}});
  data.addEvent(data.addTrack("main"), "kernel", 500 * kUs);
  data.run().facts = {{"page faults", "16000"}};
  // Memory is released too rarely; the advice follows from the counted faults.
  data.addOp(outsideKey("asm_exc_page_fault"), 50 * kUs);
  EXPECT_EQ(data.ask(kRule),
            "500000000 fault_ps=500000000 fault_ppm=123456 symbols_ps=0 "
            "kernel_ps=500000000 faults=16000 iterations=10 ops=0\n");
}

TEST(PageFaultsTest, ManyCallsDoNotWrap) {
  Data data;
  data.addOp(callKey("main"), 50 * kUs);
  for (const char *symbol : {"munmap", "madvise"}) {
    data.addOp(outsideKey(symbol), 2 * kUs, 3);
    for (Measurement &each : data.run().ops.back().measurements)
      each.summary.count = uint64_t(1) << 63;
  }
  EXPECT_EQ(data.ask(kRule).substr(0, 9), "12000000 ");
}

TEST(PageFaultsTest, TheFirstIterationFaultsInWhatItUses) {
  Data data = makeRecording({{"linalg.matmul", "fc", 400 * kUs, 0, 0}});
  data.addEvent(data.addTrack("main"), "kernel", 500 * kUs);
  data.run().facts = {{"page faults", "1600"},
                      {"page faults of the first iteration", "1600"}};
  EXPECT_EQ(data.ask(kRule), "silent");
  // The nine others have 160 each, of half a microsecond.
  data.run().facts.back().second = "160";
  EXPECT_EQ(data.ask(kRule).substr(0, 94),
            "500000000 fault_ps=500000000 fault_ppm=125000 symbols_ps=0 "
            "kernel_ps=500000000 faults=1440 ite");
  // With one iteration it is unknown.
  data.run().iterations = Summary();
  data.run().iterations.add(kMs);
  EXPECT_EQ(data.ask(kRule), "no data");
}

TEST(PageFaultsTest, CallsThatGiveMemoryBack) {
  // 100 us of 1600 in munmap, and 500 in the kernel; the faults cost 800.
  Data data = makeRecording({{"linalg.matmul", "fc", 150 * kUs, 0, 0},
                             {"llvm.call", "back", 10 * kUs, 0, 0}});
  data.profile.opKeys[1].kernel = "libc.so.6:munmap";
  data.addEvent(data.addTrack("main"), "kernel", 500 * kUs);
  data.run().facts = {{"page faults", "1600"}};
  EXPECT_EQ(data.ask(kRule).substr(0, 10), "600000000 ");
}

TEST(PageFaultsTest, ATimerDoesNotSeeTheKernel) {
  Data data = makeRecording({{"linalg.matmul", "fc", 400 * kUs, 0, 0}});
  data.run().facts = {{"page faults", "1600"}, {"sampler", "perf_event"}};
  EXPECT_EQ(data.ask(kRule), "silent");
  // The cost of 1600, limited to the total time.
  for (const char *sampler : {"timer", "none"}) {
    data.run().facts.back().second = sampler;
    EXPECT_EQ(data.ask(kRule).substr(0, 10), "800000000 ") << sampler;
  }
  data.run().facts.front().second = "1600000";
  EXPECT_EQ(data.ask(kRule).substr(0, 11), "4000000000 ");
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
