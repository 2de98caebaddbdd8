//===- BuilderTest.cpp - Recordings of other programs ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/RecordingBuilder.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

ScopeEvent makeScope(uint32_t thread, int64_t begin, int64_t end,
                     uint32_t parent = kNoScope) {
  ScopeEvent event;
  event.thread = thread;
  event.beginPs = begin;
  event.endPs = end;
  event.parent = parent;
  return event;
}

/// The moments of [begin, end) that no child on the thread covers.
int64_t countSelf(const Recording &recording, uint32_t index) {
  const ScopeEvent &event = recording.events[index];
  std::set<int64_t> covered;
  for (const ScopeEvent &child : recording.events)
    if (child.parent == index && !child.isLinked)
      for (int64_t at = child.beginPs; at < child.endPs; ++at)
        if (at >= event.beginPs && at < event.endPs)
          covered.insert(at);
  return event.getDurationPs() - int64_t(covered.size());
}

bool isProper(const ScopeEvent &a, const ScopeEvent &b) {
  bool isApart = a.endPs <= b.beginPs || b.endPs <= a.beginPs;
  bool isInside = (a.beginPs >= b.beginPs && a.endPs <= b.endPs) ||
                  (b.beginPs >= a.beginPs && b.endPs <= a.endPs);
  return isApart || isInside;
}

/// Against a model that looks at every moment and every pair.
TEST(RecordingBuilder, RandomIntervals) {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round != 300; ++round) {
    RecordingBuilder builder;
    builder.addSite({"s", "", 0, 7, 1, 0});
    builder.addThread({});
    builder.addThread({});
    unsigned count = unsigned(random() % 14);
    for (unsigned i = 0; i != count; ++i) {
      auto begin = int64_t(random() % 40);
      builder.addScope(
          makeScope(uint32_t(random() % 2), begin,
                    begin + 1 + int64_t(random() % (round % 2 ? 8 : 30))));
    }
    builder.nest();
    Recording recording = builder.finish();
    ASSERT_EQ(recording.events.size(), count);
    for (uint32_t index = 0; index != count; ++index) {
      const ScopeEvent &event = recording.events[index];
      if (index != 0) {
        const ScopeEvent &before = recording.events[index - 1];
        EXPECT_TRUE(std::make_pair(before.thread, before.endPs) <=
                    std::make_pair(event.thread, event.endPs));
      }
      EXPECT_EQ(event.selfPs, countSelf(recording, index));
      // The innermost that is open at the begin: the one that began last.
      int64_t begin = std::numeric_limits<int64_t>::min();
      bool overlaps = false;
      for (uint32_t other = 0; other != count; ++other) {
        const ScopeEvent &of = recording.events[other];
        if (other == index || of.thread != event.thread)
          continue;
        if (of.beginPs < event.beginPs && of.endPs > event.beginPs)
          begin = std::max(begin, of.beginPs);
        overlaps |= !isProper(of, event);
      }
      if (event.parent != kNoScope)
        EXPECT_GE(recording.events[event.parent].beginPs, begin);
      else
        EXPECT_EQ(begin, std::numeric_limits<int64_t>::min());
      // Every scope that is said to overlap does; of two that overlap at
      // least one is said to.
      EXPECT_TRUE(overlaps || !event.isOverlapping);
      for (uint32_t other = 0; other != count; ++other)
        if (recording.events[other].thread == event.thread)
          EXPECT_TRUE(isProper(recording.events[other], event) ||
                      recording.events[other].isOverlapping ||
                      event.isOverlapping);
    }
  }
}

TEST(RecordingBuilder, KnownParents) {
  RecordingBuilder builder;
  uint32_t outer = builder.addSite({"outer", "", 0, 7, 1, 0});
  EXPECT_EQ(builder.addSite({"outer", "", 0, 7, 1, 0}), outer);
  EXPECT_NE(builder.addSite({"outer", "", 0, 14, 1, 0}), outer);
  builder.addThread({});
  Thread stream;
  stream.isDevice = true;
  builder.addThread(stream);
  uint32_t first = builder.addScope(makeScope(0, 0, 10));
  // As long as its parent, and empty at its end.
  uint32_t second = builder.addScope(makeScope(0, 0, 10, first));
  builder.addScope(makeScope(0, 10, 10, second));
  builder.addScope(makeScope(1, 2, 30, second));
  builder.addScope(makeScope(1, 5, 3));
  // Parents that do not exist yet.
  builder.addScope(makeScope(1, 40, 50, 17));
  MemoryEvent memory;
  memory.event = second;
  memory.place = builder.addPlace("cpu");
  EXPECT_EQ(builder.addPlace("cpu"), memory.place);
  builder.addMemory(memory);
  std::vector<uint32_t> order;
  Recording recording = builder.finish(&order);
  EXPECT_EQ(order, (std::vector<uint32_t>{2, 1, 0, 4, 3, 5}));
  EXPECT_EQ(recording.events[0].parent, 1u);
  EXPECT_EQ(recording.events[1].parent, 2u);
  EXPECT_EQ(recording.events[1].selfPs, 10);
  EXPECT_EQ(recording.events[2].selfPs, 0);
  EXPECT_FALSE(recording.events[1].isOverlapping);
  EXPECT_TRUE(recording.events[4].isLinked);
  EXPECT_EQ(recording.events[4].parent, 1u);
  EXPECT_EQ(recording.events[3].getDurationPs(), 0);
  EXPECT_EQ(recording.events[5].parent, kNoScope);
  EXPECT_EQ(recording.memory[0].event, 1u);
}

/// Each change of what was given is counted.
TEST(RecordingBuilder, ChangesAreLosses) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  RecordingBuilder builder;
  builder.addSite({"s", "", 0, 7, 1, 0});
  builder.addThread({});
  builder.addScope(makeScope(0, 5, 3));
  builder.addScope(makeScope(0, -kMost, kMost));
  builder.addScope(makeScope(0, 0, 1, 2));
  builder.addScope(makeScope(0, 0, 1, 9));
  MemoryEvent memory;
  builder.addMemory(memory);
  memory.event = 4;
  builder.addMemory(memory);
  Recording recording = builder.finish();
  std::map<std::string, uint64_t> losses;
  for (const Loss &loss : recording.losses)
    losses[loss.name] = loss.count;
  EXPECT_EQ(losses, (std::map<std::string, uint64_t>{
                        {"event that ends before it begins", 1},
                        {"duration beyond 64 bits, taken as 0", 1},
                        {"parent of a scope that does not exist", 2},
                        {"scope of a memory event that does not exist", 1}}));
}

} // namespace
