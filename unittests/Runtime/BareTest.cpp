//===- BareTest.cpp - The runtime without an operating system -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawReader.h"
#include "TestModule.h"
#include "gtest/gtest.h"

#include <cstring>

static int64_t now = 0;
/// A target's own clock: each reading is 3 ticks later than the last.
extern "C" int64_t prof_rt_ticks(void) { return now += 3; }
extern "C" uint64_t prof_rt_ticks_per_second(void) { return 600000000; }

namespace {

TEST(Bare, LivesInGivenMemory) {
  static char memory[65536];
  std::memset(memory, 0x55, sizeof memory);
  prof_rt_use_memory(memory, sizeof memory);
  TestModule module("bare", {PROF_RT_NO_PARENT, 0, PROF_RT_NO_PARENT}, {1}, 2);
  int64_t *block = prof_rt_base(&module.module);
  EXPECT_GE(reinterpret_cast<char *>(block), memory);
  EXPECT_LT(reinterpret_cast<char *>(block), memory + sizeof memory);
  InlineProbe outer(module, block, 0);
  InlineProbe(module, block, 1).end(3);
  outer.end(10);
  observeInline(module, 0, {4});
  for (uintptr_t address : {0x10, 0x20})
    prof_rt_handler(&module.module, 2, reinterpret_cast<void *>(address));
  RawFile file = readNow();
  const RawModule &raw = file.find("bare");
  EXPECT_EQ(raw.self(0), 7);
  EXPECT_EQ(raw.count(1), 1u);
  // The handler's two readings with nothing between them.
  EXPECT_EQ(raw.ticks(2), 3);
  EXPECT_EQ(raw.values.at(0).at({4}), 1u);
  ASSERT_EQ(raw.instances.size(), 1u);
  EXPECT_EQ(raw.instances[0].end_address, 0x20u);
  EXPECT_EQ(file.clock.ticks_per_second, 600000000u);
  EXPECT_EQ(file.clock.call_window, 3u * PROF_RAW_COST_SCALE);
  EXPECT_EQ(file.clock.start_ns, 0u);
  EXPECT_NE(prof_rt_write("/dev/null"), 0);
}

} // namespace
