//===- HandlerTest.cpp - Probes that are calls ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawReader.h"
#include "TestModule.h"
#include "gtest/gtest.h"

#include <thread>

namespace {

constexpr uint32_t kNoParent = PROF_RT_NO_PARENT;

/// Calls the handler as from the code address `address`.
void call(TestModule &module, uint32_t id, uintptr_t address) {
  prof_rt_handler(&module.module, id, reinterpret_cast<void *>(address));
}

TEST(Handler, PairsBeginsAndEnds) {
  TestModule module("pairs", {kNoParent, 0}, {}, 10);
  for (int round = 0; round < 3; ++round) {
    call(module, 0, 0x10);
    for (int trip = 0; trip < 2; ++trip) {
      call(module, 1, 0x20);
      call(module, 1, 0x30);
    }
    call(module, 0, 0x40);
  }
  RawFile file = readNow();
  const RawModule &raw = file.find("pairs");
  EXPECT_EQ(raw.count(0), 3u);
  EXPECT_EQ(raw.count(1), 6u);
  EXPECT_EQ(raw.slots.at(0).inside_ticks, raw.ticks(1));
  EXPECT_EQ(raw.slots.at(0).inside_executions, 6u);
  EXPECT_EQ(raw.facts.called, 1u);
  ASSERT_EQ(raw.instances.size(), 9u);
  for (const prof_raw_instance &record : raw.instances) {
    EXPECT_EQ(record.begin_address, record.probe ? 0x20u : 0x10u);
    EXPECT_EQ(record.end_address, record.probe ? 0x30u : 0x40u);
    EXPECT_LE(record.begin_ticks, record.end_ticks);
  }
}

TEST(Handler, TellsRecursion) {
  TestModule module("direct", {kNoParent});
  for (int depth = 0; depth < 5; ++depth)
    call(module, 0, 0x10);
  for (int depth = 0; depth < 5; ++depth)
    call(module, 0, 0x20);
  RawFile file = readNow();
  const RawModule &raw = file.find("direct");
  EXPECT_EQ(raw.count(0), 5u);
  EXPECT_EQ(raw.slots.at(0).inside_executions, 4u + 3 + 2 + 1);
}

TEST(Handler, TellsMutualRecursion) {
  TestModule module("mutual", {kNoParent, kNoParent});
  call(module, 0, 0x10);
  call(module, 1, 0x20);
  call(module, 0, 0x10);
  call(module, 1, 0x20);
  call(module, 1, 0x21);
  call(module, 0, 0x11);
  call(module, 1, 0x21);
  call(module, 0, 0x11);
  RawFile file = readNow();
  const RawModule &raw = file.find("mutual");
  EXPECT_EQ(raw.count(0), 2u);
  EXPECT_EQ(raw.count(1), 2u);
  EXPECT_EQ(raw.slots.at(0).inside_executions, 3u + 1);
  EXPECT_EQ(raw.slots.at(1).inside_executions, 2u + 0);
}

TEST(Handler, TakesCopiesOfUnrolledLoops) {
  TestModule module("unrolled", {kNoParent});
  for (int round = 0; round < 3; ++round)
    for (uintptr_t copy = 0; copy < 8; ++copy) {
      call(module, 0, 0x100 + copy * 16);
      call(module, 0, 0x108 + copy * 16);
    }
  RawFile file = readNow();
  EXPECT_EQ(file.find("unrolled").count(0), 24u);
  EXPECT_EQ(file.find("unrolled").slots.at(0).inside_executions, 0u);
}

TEST(Handler, CountsWhatIsTooDeep) {
  TestModule module("deep", {kNoParent});
  uint64_t before = readNow().losses[PROF_RAW_LOSS_HANDLER];
  for (int depth = 0; depth < 1000; ++depth)
    call(module, 0, 0x10);
  for (int depth = 0; depth < 1000; ++depth)
    call(module, 0, 0x20);
  RawFile file = readNow();
  uint64_t lost = file.losses[PROF_RAW_LOSS_HANDLER] - before;
  EXPECT_EQ(file.find("deep").count(0) + lost, 1000u);
  EXPECT_GT(lost, 0u);
  // All are closed again.
  call(module, 0, 0x10);
  call(module, 0, 0x20);
  EXPECT_EQ(readNow().find("deep").count(0) + lost, 1001u);
}

TEST(Handler, KeepsThreadsApart) {
  TestModule module("handlers", {kNoParent, 0});
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        call(module, 0, 0x10);
        call(module, 1, 0x20);
        call(module, 1, 0x30);
        call(module, 0, 0x40);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  RawFile file = readNow();
  EXPECT_EQ(file.find("handlers").count(0), 2000u);
  EXPECT_EQ(file.find("handlers").count(1), 2000u);
  EXPECT_EQ(file.find("handlers").slots.at(0).inside_executions, 2000u);
}

TEST(Handler, LosesWhatHasNoProbe) {
  TestModule module("no probe", {kNoParent});
  uint64_t before = readNow().losses[PROF_RAW_LOSS_HANDLER];
  call(module, 1, 0x10);
  EXPECT_EQ(readNow().losses[PROF_RAW_LOSS_HANDLER], before + 1);
}

/// A function that calls itself, and finally one that was not called before.
void recurse(TestModule &module, int depth) {
  call(module, 0, 0x10);
  if (depth > 0) {
    recurse(module, depth - 1);
  } else {
    call(module, 1, 0x20);
    call(module, 1, 0x30);
  }
  call(module, 0, 0x40);
}

TEST(Handler, MeasuresRightlyAfterWhatIsTooDeep) {
  TestModule module("deep first", {kNoParent, 0});
  uint64_t before = readNow().losses[PROF_RAW_LOSS_HANDLER];
  // 601 begins of the one and one of the other, of which 512 have room.
  recurse(module, 600);
  RawFile deep = readNow();
  EXPECT_EQ(deep.find("deep first").count(0), 512u);
  EXPECT_EQ(deep.find("deep first").count(1), 0u);
  EXPECT_EQ(deep.losses[PROF_RAW_LOSS_HANDLER] - before, 602u - 512);
  for (int round = 0; round < 10; ++round)
    recurse(module, 2);
  RawFile file = readNow();
  EXPECT_EQ(file.find("deep first").count(0), 512u + 30);
  EXPECT_EQ(file.find("deep first").count(1), 10u);
  EXPECT_EQ(file.losses[PROF_RAW_LOSS_HANDLER] - before, 602u - 512);
}

TEST(Handler, GoesDeeperThanOnePieceOfItsList) {
  TestModule module("very deep", {kNoParent, 0});
  recurse(module, 5000);
  for (int round = 0; round < 3; ++round)
    recurse(module, 0);
  RawFile file = readNow();
  EXPECT_EQ(file.find("very deep").count(0), 512u + 3);
  EXPECT_EQ(file.find("very deep").count(1), 3u);
}

} // namespace
