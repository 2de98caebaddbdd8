//===- ProbesTest.cpp - Inline probes and threads -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawReader.h"
#include "TestModule.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

namespace {

constexpr uint32_t kNoParent = PROF_RT_NO_PARENT;

TEST(Probes, NestInTheirParents) {
  TestModule module("nest", {kNoParent, 0, 1, 0});
  int64_t *block = prof_rt_base(&module.module);
  InlineProbe function(module, block, 0);
  InlineProbe loop(module, block, 1);
  for (int trip = 0; trip < 3; ++trip)
    InlineProbe(module, block, 2).end(10);
  loop.end(50);
  InlineProbe(module, block, 3).end(7);
  function.end(100);
  RawFile file = readNow();
  const RawModule &raw = file.find("nest");
  EXPECT_EQ(raw.count(2), 3u);
  EXPECT_EQ(raw.self(0), 100 - 50 - 7);
  EXPECT_EQ(raw.self(1), 50 - 30);
  EXPECT_EQ(raw.self(2), 30);
  EXPECT_EQ(raw.self(3), 7);
  EXPECT_EQ(raw.slots.at(0).inside_executions, 5u);
  EXPECT_EQ(raw.slots.at(0).direct_executions, 2u);
  EXPECT_EQ(raw.slots.at(1).inside_executions, 3u);
}

TEST(Probes, CallOtherFunctions) {
  // 0: outer function, 1: loop in it, 2: function that the loop calls, 3: one
  // that 2 calls.
  TestModule module("calls", {kNoParent, 0, kNoParent, kNoParent});
  int64_t *block = prof_rt_base(&module.module);
  InlineProbe outer(module, block, 0);
  InlineProbe loop(module, block, 1);
  for (int trip = 0; trip < 2; ++trip) {
    InlineProbe callee(module, block, 2);
    InlineProbe(module, block, 3).end(5);
    callee.end(20);
  }
  loop.end(60);
  outer.end(100);
  RawFile file = readNow();
  const RawModule &raw = file.find("calls");
  EXPECT_EQ(raw.self(0), 40);
  EXPECT_EQ(raw.self(1), 60 - 40);
  EXPECT_EQ(raw.self(2), 40 - 10);
  EXPECT_EQ(raw.self(3), 10);
  EXPECT_EQ(raw.slots.at(0).inside_executions, 5u);
  EXPECT_EQ(raw.slots.at(0).direct_executions, 1u);
  EXPECT_EQ(raw.slots.at(1).inside_executions, 4u);
  EXPECT_EQ(raw.slots.at(1).direct_executions, 4u);
  EXPECT_EQ(raw.slots.at(2).inside_executions, 2u);
}

int64_t recurse(TestModule &module, int64_t *block, int depth) {
  InlineProbe probe(module, block, 0);
  int64_t ticks = 10 + (depth ? recurse(module, block, depth - 1) : 0);
  probe.end(ticks);
  return ticks;
}

TEST(Probes, Recurse) {
  TestModule module("recursion", {kNoParent});
  recurse(module, prof_rt_base(&module.module), 4);
  RawFile file = readNow();
  const RawModule &raw = file.find("recursion");
  EXPECT_EQ(raw.ticks(0), 10 + 20 + 30 + 40 + 50);
  EXPECT_EQ(raw.self(0), 50);
}

TEST(Probes, WorkersDoNotLengthenTheWallTime) {
  // 0: function, 1: region, 2: work of a thread, 3: an op in it.
  TestModule module("region", {kNoParent, 0, 1, 2});
  auto work = [&](int64_t ticks) {
    int64_t *block = prof_rt_base(&module.module);
    InlineProbe probe(module, block, 2);
    InlineProbe(module, block, 3).end(ticks - 10);
    probe.end(ticks);
  };
  int64_t *block = prof_rt_base(&module.module);
  InlineProbe function(module, block, 0);
  InlineProbe region(module, block, 1);
  std::thread worker(work, 90);
  work(80);
  worker.join();
  region.end(100);
  function.end(120);
  RawFile file = readNow();
  const RawModule &raw = file.find("region");
  EXPECT_EQ(raw.self(0), 20);
  EXPECT_EQ(raw.self(1), 20);
  EXPECT_EQ(raw.ticks(2), 170);
  EXPECT_EQ(raw.self(2), 20);
  EXPECT_EQ(raw.self(3), 150);
}

/// A module whose last probes and tables are those of two dispatches.
TEST(Probes, OfDispatchesAreNamedByTheirPlaces) {
  TestModule module("places", {kNoParent, kNoParent, 1, kNoParent, 3}, {1, 1});
  const uint64_t probes[] = {0, PROF_RAW_PLACE(1, 0), PROF_RAW_PLACE(2, 0),
                             PROF_RAW_PLACE(1, 1), PROF_RAW_PLACE(2, 1)};
  const uint64_t tables[] = {PROF_RAW_PLACE(0, 0), PROF_RAW_PLACE(0, 1)};
  module.module.probe_places = probes;
  module.module.table_places = tables;
  module.module.listed_probes = 3;
  module.module.listed_tables = 1;
  module.module.instances = 1;
  int64_t *block = prof_rt_base(&module.module);
  InlineProbe host(module, block, 0);
  for (uint32_t first : {1, 3, 3}) {
    InlineProbe kernel(module, block, first);
    InlineProbe(module, block, first + 1).end(10);
    kernel.end(30);
  }
  host.end(100);
  prof_rt_instance(&module.module, 4, 5, 6);
  int64_t value = 7;
  prof_rt_value(&module.module, 1, 1, &value);
  prof_rt_mark();
  RawFile file = readNow();
  const RawModule &raw = file.find("places");
  EXPECT_EQ(raw.facts.probes, 3u);
  EXPECT_EQ(raw.facts.tables, 1u);
  EXPECT_EQ(raw.self(0), 100 - 3 * 30);
  EXPECT_EQ(raw.count(PROF_RAW_PLACE(1, 0)), 1u);
  EXPECT_EQ(raw.count(PROF_RAW_PLACE(1, 1)), 2u);
  EXPECT_EQ(raw.self(PROF_RAW_PLACE(1, 1)), 2 * (30 - 10));
  EXPECT_EQ(raw.self(PROF_RAW_PLACE(2, 1)), 2 * 10);
  EXPECT_EQ(raw.slots.count(1), 0u);
  ASSERT_EQ(raw.instances.size(), 1u);
  EXPECT_EQ(raw.instances[0].probe, PROF_RAW_PLACE(2, 1));
  EXPECT_EQ(raw.spread.count(PROF_RAW_PLACE(2, 1)), 1u);
  std::map<std::vector<int64_t>, uint64_t> once = {{{7}, 1}};
  EXPECT_EQ(raw.values.at(PROF_RAW_PLACE(0, 1)), once);
}

TEST(Probes, OfManyThreadsAndModulesAddUp) {
  TestModule first("first", {kNoParent, 0});
  TestModule second("second", {kNoParent});
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number)
    threads.emplace_back([&, number] {
      ++ready;
      while (ready < 8)
        std::this_thread::yield();
      for (int round = 0; round < 1000; ++round) {
        int64_t *block = prof_rt_base(&first.module);
        InlineProbe outer(first, block, 0);
        InlineProbe(first, block, 1).end(number);
        outer.end(100);
        runProbe(second, 0, 1);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  RawFile file = readNow();
  const RawModule &raw = file.find("first");
  EXPECT_EQ(raw.count(0), 8000u);
  EXPECT_EQ(raw.ticks(0), 800000);
  EXPECT_EQ(raw.ticks(1), 28000);
  EXPECT_EQ(raw.self(0), 800000 - 28000);
  EXPECT_EQ(file.find("second").count(0), 8000u);
  EXPECT_EQ(file.find("second").ticks(0), 8000);
}

TEST(Probes, OfEndedThreadsStayAndTheirMemoryIsUsedAgain) {
  TestModule module("ended", {kNoParent, 0});
  for (int number = 0; number < 200; ++number)
    std::thread([&] {
      int64_t *block = prof_rt_base(&module.module);
      InlineProbe outer(module, block, 0);
      InlineProbe(module, block, 1).end(3);
      outer.end(10);
    }).join();
  RawFile file = readNow();
  const RawModule &raw = file.find("ended");
  EXPECT_EQ(raw.count(0), 200u);
  EXPECT_EQ(raw.self(0), 1400);
  EXPECT_EQ(raw.self(1), 600);
  EXPECT_LT(raw.blocks, 50u);
}

/// Runs instrumented code when its thread has ended.
struct Late {
  TestModule *module = nullptr;
  ~Late() {
    if (module)
      runProbe(*module, 0, 1);
  }
};

TEST(Probes, RunInDestructorsOfThreads) {
  TestModule module("late", {kNoParent});
  for (int number = 0; number < 20; ++number)
    std::thread([&] {
      static thread_local Late late;
      late.module = &module;
      runProbe(module, 0, 1);
    }).join();
  EXPECT_EQ(readNow().find("late").count(0), 40u);
}

TEST(Probes, AreReadWhileTheyRun) {
  TestModule module("live", {kNoParent});
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int number = 0; number < 3; ++number)
    threads.emplace_back([&] {
      while (!stop)
        runProbe(module, 0, 2);
    });
  uint64_t last = 0;
  for (int round = 0; round < 20 || last == 0; ++round) {
    RawFile file = readNow();
    uint64_t count = file.find("live").count(0);
    EXPECT_GE(count, last);
    last = count;
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  RawFile file = readNow();
  EXPECT_EQ(file.find("live").ticks(0),
            2 * int64_t(file.find("live").count(0)));
}

TEST(Probes, ModulesMayGoAway) {
  {
    TestModule module("gone", {kNoParent});
    runProbe(module, 0, 42);
    module.name.assign(module.name.size(), 'x');
  }
  EXPECT_EQ(readNow().find("gone").ticks(0), 42);
}

TEST(Probes, OfAnotherAbiAreLost) {
  TestModule module("another", {kNoParent});
  module.module.abi = PROF_RT_ABI + 1;
  uint64_t before = readNow().losses[PROF_RAW_LOSS_BLOCK];
  ASSERT_NE(prof_rt_base(&module.module), nullptr);
  runProbe(module, 0, 1);
  RawFile file = readNow();
  EXPECT_EQ(file.losses[PROF_RAW_LOSS_BLOCK], before + 2);
  EXPECT_EQ(file.find("another").facts.probes, 0u);
}

TEST(Probes, OfAnotherAbiAreNotLookedInto) {
  TestModule module("strange", {kNoParent}, {1});
  module.module.abi = PROF_RT_ABI + 1;
  // Another version may have other fields here.
  module.module.tables = UINT32_MAX;
  module.module.parents = nullptr;
  module.module.tuple_lengths = nullptr;
  uint64_t before = readNow().losses[PROF_RAW_LOSS_MODULE];
  int64_t tuple = 3;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(prof_rt_base(&module.module), module.module.discard);
    prof_rt_value(&module.module, 0, 1, &tuple);
    prof_rt_handler(&module.module, 0, &module);
    prof_rt_instance(&module.module, 0, 1, 2);
  }
  // It is rejected once.
  EXPECT_EQ(readNow().losses[PROF_RAW_LOSS_MODULE], before + 1);
}

TEST(Probes, OfTooManyWordsAreLost) {
  TestModule module("large", {kNoParent}, {1});
  module.tupleLengths[0] = UINT32_MAX;
  EXPECT_EQ(prof_rt_base(&module.module), module.module.discard);
}

TEST(Probes, OfThreadsThatHaveEndedKeepTheirThread) {
  TestModule module("ended", {kNoParent});
  runProbe(module, 0, 1);
  uint64_t last = 0;
  for (const prof_raw_thread &thread : readNow().threads)
    last = std::max(last, thread.number);
  // Each thread reuses the record of the one before.
  for (int number = 0; number < 3; ++number)
    std::thread([&] { runProbe(module, 0, 1); }).join();
  std::multiset<uint64_t> numbers;
  for (const prof_raw_thread &thread : readNow().threads)
    numbers.insert(thread.number);
  for (uint64_t number = last + 1; number <= last + 3; ++number)
    EXPECT_EQ(numbers.count(number), 1u);
}

} // namespace
