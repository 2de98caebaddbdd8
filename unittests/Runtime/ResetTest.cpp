//===- ResetTest.cpp - Resets and instances -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawReader.h"
#include "TestModule.h"
#include "gtest/gtest.h"

#include <atomic>
#include <set>
#include <thread>

namespace {

constexpr uint32_t kNoParent = PROF_RT_NO_PARENT;

/// One execution with its record, as generated code makes it.
void runRecorded(TestModule &module, uint32_t probe, int64_t begin,
                 int64_t end) {
  int64_t *block = prof_rt_base(&module.module);
  InlineProbe running(module, block, probe);
  int64_t count = block[probe * PROF_RT_SLOT_WORDS + PROF_RT_SLOT_COUNT];
  if (count < module.module.instances)
    prof_rt_instance(&module.module, probe, begin, end);
  running.end(end - begin);
}

TEST(Reset, ForgetsWhatWasBefore) {
  TestModule module("reset", {kNoParent, 0}, {1});
  for (int round = 0; round < 5; ++round) {
    int64_t *block = prof_rt_base(&module.module);
    InlineProbe outer(module, block, 0);
    InlineProbe(module, block, 1).end(1);
    outer.end(10);
    observeInline(module, 0, {3});
  }
  prof_rt_reset();
  EXPECT_EQ(readNow().find("reset").count(0), 0u);
  EXPECT_TRUE(readNow().find("reset").values.empty());
  runProbe(module, 0, 10);
  observeInline(module, 0, {3});
  RawFile file = readNow();
  EXPECT_EQ(file.find("reset").count(0), 1u);
  EXPECT_EQ(file.find("reset").self(0), 10);
  EXPECT_EQ(file.find("reset").values.at(0).at({3}), 1u);
}

TEST(Reset, CountsOnInBlocksThatAreInUse) {
  TestModule module("in use", {kNoParent});
  // No further call of prof_rt_base, as in one long function.
  int64_t *block = prof_rt_base(&module.module);
  InlineProbe(module, block, 0).end(100);
  prof_rt_reset();
  InlineProbe(module, block, 0).end(7);
  EXPECT_EQ(readNow().find("in use").ticks(0), 7);
  prof_rt_reset();
  InlineProbe(module, block, 0).end(5);
  runProbe(module, 0, 4);
  RawFile file = readNow();
  EXPECT_EQ(file.find("in use").ticks(0), 9);
  EXPECT_EQ(file.find("in use").count(0), 2u);
}

TEST(Reset, OfThreadsThatRunBringsNothingBack) {
  TestModule module("running", {kNoParent});
  std::atomic<uint64_t> ran{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int number = 0; number < 3; ++number)
    threads.emplace_back([&] {
      while (!stop) {
        runProbe(module, 0, 1);
        ++ran;
      }
    });
  for (int round = 0; round < 20; ++round) {
    while (ran < uint64_t(round) * 100)
      std::this_thread::yield();
    // Each thread may have one execution that is not in `ran` yet.
    uint64_t before = ran;
    prof_rt_reset();
    uint64_t count = readNow().find("running").count(0);
    EXPECT_LE(count, ran - before + threads.size());
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  prof_rt_reset();
  runProbe(module, 0, 1);
  EXPECT_EQ(readNow().find("running").count(0), 1u);
}

TEST(Instances, AreTheFirstOfEachProbe) {
  TestModule module("instances", {kNoParent, 0}, {}, 3);
  for (int64_t round = 0; round < 5; ++round)
    runRecorded(module, 1, 100 * round, 100 * round + 10 + round);
  runRecorded(module, 0, 1000, 1001);
  RawFile file = readNow();
  const RawModule &raw = file.find("instances");
  ASSERT_EQ(raw.instances.size(), 4u);
  for (uint64_t index = 0; index < 3; ++index) {
    EXPECT_EQ(raw.instances[index].probe, 1u);
    EXPECT_EQ(raw.instances[index].begin_ticks, int64_t(100 * index));
    EXPECT_EQ(raw.instances[index].end_ticks, int64_t(101 * index + 10));
  }
  EXPECT_EQ(raw.count(1), 5u);
}

TEST(Instances, AreTakenAnewAfterAReset) {
  TestModule module("again", {kNoParent}, {}, 2);
  for (int64_t round = 0; round < 5; ++round)
    runRecorded(module, 0, round, round + 1);
  prof_rt_reset();
  EXPECT_TRUE(readNow().find("again").instances.empty());
  for (int64_t round = 10; round < 15; ++round)
    runRecorded(module, 0, round, round + 1);
  RawFile file = readNow();
  ASSERT_EQ(file.find("again").instances.size(), 2u);
  EXPECT_EQ(file.find("again").instances[0].begin_ticks, 10);
}

TEST(Instances, TellTheirThread) {
  TestModule module("threads", {kNoParent}, {}, 400);
  std::vector<std::thread> threads;
  std::atomic<int> ready{0};
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&, number] {
      ++ready;
      while (ready < 4)
        std::this_thread::yield();
      for (int64_t round = 0; round < 50; ++round)
        runRecorded(module, 0, number, 1000);
    });
  for (std::thread &thread : threads)
    thread.join();
  RawFile file = readNow();
  const RawModule &raw = file.find("threads");
  ASSERT_EQ(raw.instances.size(), 200u);
  std::map<int64_t, std::set<uint64_t>> threadsOf;
  for (const prof_raw_instance &record : raw.instances)
    threadsOf[record.begin_ticks].insert(record.thread);
  std::set<uint64_t> all;
  for (const auto &[number, set] : threadsOf) {
    EXPECT_EQ(set.size(), 1u);
    all.insert(set.begin(), set.end());
  }
  EXPECT_EQ(all.size(), 4u);
}

TEST(Instances, OfNoProbeAreLost) {
  TestModule module("none", {kNoParent}, {}, 1);
  prof_rt_base(&module.module);
  uint64_t before = readNow().losses[PROF_RAW_LOSS_INSTANCE];
  prof_rt_instance(&module.module, 1, 0, 1);
  EXPECT_EQ(readNow().losses[PROF_RAW_LOSS_INSTANCE], before + 1);
}

TEST(Reset, MakesRoomForOtherValues) {
  TestModule module("room", {kNoParent}, {1});
  for (int64_t round = 0; round < 5; ++round) {
    for (int64_t value = 0; value < PROF_RT_TUPLES + 3; ++value) {
      int64_t tuple = round * 1000 + value;
      prof_rt_value(&module.module, 0, 1, &tuple);
    }
    RawFile file = readNow();
    const RawModule &raw = file.find("room");
    EXPECT_EQ(raw.values.at(0).size(), size_t(PROF_RT_TUPLES));
    EXPECT_EQ(raw.values.at(0).at({round * 1000}), 1u);
    EXPECT_EQ(raw.other.at(0), 3u);
    prof_rt_reset();
  }
  int64_t last = 7;
  prof_rt_value(&module.module, 0, 1, &last);
  RawFile file = readNow();
  EXPECT_EQ(file.find("room").values.at(0).size(), 1u);
  EXPECT_EQ(file.find("room").values.at(0).at({7}), 1u);
}

} // namespace
