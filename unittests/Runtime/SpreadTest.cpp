//===- SpreadTest.cpp - How executions of a probe differ ------------------===//
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

using Buckets = std::map<uint64_t, std::pair<uint64_t, uint64_t>>;

RawSpread getSpread(const TestModule &module, uint64_t probe) {
  RawFile file = readNow();
  const auto &spreads = file.find(module.name).spread;
  auto found = spreads.find(probe);
  return found == spreads.end() ? RawSpread() : found->second;
}

TEST(Spread, IsOfSelfTimesBetweenMarks) {
  TestModule module("spread", {kNoParent, 0});
  prof_rt_base(&module.module);
  prof_rt_mark();
  for (int64_t ticks : {5, 31, 32, 1000}) {
    int64_t *block = prof_rt_base(&module.module);
    InlineProbe outer(module, block, 0);
    InlineProbe(module, block, 1).end(ticks);
    outer.end(ticks + 20);
    prof_rt_mark();
  }
  RawSpread inner = getSpread(module, 1);
  EXPECT_EQ(inner.header.min, 5);
  EXPECT_EQ(inner.header.max, 1000);
  // 31 >> 1 is 15; 32 is 8 << 2; 1000 >> 6 is 15.
  EXPECT_EQ(inner.buckets, (Buckets{{5, {1, 5}},
                                    {8 + 15, {1, 31}},
                                    {8 * 2 + 8, {1, 32}},
                                    {8 * 6 + 15, {1, 1000}}}));
  EXPECT_EQ(inner.header.first, 5u);
  EXPECT_EQ(getSpread(module, 0).buckets, (Buckets{{8 + 10, {4, 80}}}));
}

TEST(Spread, TakesExecutionsBetweenMarksForAlike) {
  TestModule module("alike", {kNoParent});
  prof_rt_base(&module.module);
  prof_rt_mark();
  for (int64_t ticks : {10, 20, 30})
    runProbe(module, 0, ticks);
  prof_rt_mark();
  prof_rt_mark();
  runProbe(module, 0, 7);
  RawSpread spread = getSpread(module, 0);
  EXPECT_EQ(spread.buckets, (Buckets{{8 + 10, {3, 60}}, {7, {1, 7}}}));
  // Reading has marked the rest, and reading again does not change anything.
  EXPECT_EQ(getSpread(module, 0).buckets, spread.buckets);
  EXPECT_EQ(spread.header.min, 7);
  EXPECT_EQ(spread.header.max, 20);
}

TEST(Spread, SumsThreadsUp) {
  TestModule module("summed", {kNoParent});
  prof_rt_base(&module.module);
  prof_rt_mark();
  for (int round = 0; round < 3; ++round) {
    runProbe(module, 0, 8);
    std::thread([&] { runProbe(module, 0, 16); }).join();
    prof_rt_mark();
  }
  EXPECT_EQ(getSpread(module, 0).buckets, (Buckets{{12, {6, 72}}}));
}

TEST(Spread, IsForgottenByAReset) {
  TestModule module("forgotten", {kNoParent});
  runProbe(module, 0, 1000);
  prof_rt_mark();
  runProbe(module, 0, 1000);
  prof_rt_reset();
  EXPECT_TRUE(getSpread(module, 0).buckets.empty());
  runProbe(module, 0, 3);
  prof_rt_mark();
  RawSpread spread = getSpread(module, 0);
  EXPECT_EQ(spread.buckets, (Buckets{{3, {1, 3}}}));
  EXPECT_EQ(spread.header.max, 3);
}

TEST(Spread, PutsWhatIsLargestIntoTheLastBucket) {
  TestModule module("largest", {kNoParent});
  prof_rt_base(&module.module);
  prof_rt_mark();
  runProbe(module, 0, INT64_MAX);
  RawSpread spread = getSpread(module, 0);
  EXPECT_EQ(spread.buckets,
            (Buckets{{PROF_RAW_SPREAD_BUCKETS - 1, {1, uint64_t(INT64_MAX)}}}));
  EXPECT_EQ(spread.header.max, INT64_MAX);
}

TEST(Spread, IsNotWrittenWithoutMarks) {
  TestModule module("unmarked", {kNoParent});
  runProbe(module, 0, 5);
  EXPECT_TRUE(readNow().find("unmarked").spread.empty());
}

} // namespace
