//===- LeaveOutTest.cpp - Recordings without some scopes ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/LeaveOut.h"
#include "mlir-prof/Scope/RecordingBuilder.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// Scopes of one thread with roles 0 and 1; each counts its own begin, and is
/// what memory was allocated in.
Recording makeRecording(std::mt19937_64 &random) {
  RecordingBuilder builder;
  for (uint8_t role : {0, 1})
    builder.addSite({"s", "", 0, 7, 1, role});
  builder.addThread({});
  builder.addPlace("cpu");
  for (uint64_t left = 1 + random() % 20; left; --left) {
    ScopeEvent event;
    event.site = uint32_t(random() % 2);
    event.beginPs = int64_t(random() % 50);
    event.endPs = event.beginPs + 1 + int64_t(random() % 20);
    uint32_t scope = builder.addScope(event);
    MemoryEvent memory;
    memory.event = scope;
    memory.thread = 0;
    memory.atPs = event.beginPs;
    builder.addMemory(memory);
  }
  builder.nest();
  Recording recording = builder.finish();
  for (uint32_t index = 0; index != recording.events.size(); ++index) {
    EventCounts &counts = recording.counts.emplace_back();
    counts.event = index;
    counts.known = 1;
    counts.values[0] = uint64_t(recording.events[index].beginPs);
  }
  return recording;
}

TEST(LeaveOut, KeepsWhatHangsOnEvents) {
  std::mt19937_64 random(5);
  for (unsigned round = 0; round != 300; ++round) {
    Recording all = makeRecording(random);
    Recording some = leaveOutRoles(all, 2);
    std::vector<uint32_t> kept;
    std::vector<uint32_t> numberOf(all.events.size(), kNoScope);
    for (uint32_t index = 0; index != all.events.size(); ++index)
      if (all.events[index].site == 0) {
        numberOf[index] = uint32_t(kept.size());
        kept.push_back(index);
      }
    // The nearest one that is kept, upwards one by one.
    auto find = [&](uint32_t at) {
      while (at != kNoScope && numberOf[at] == kNoScope)
        at = all.events[at].parent;
      return at == kNoScope ? kNoScope : numberOf[at];
    };
    ASSERT_EQ(some.events.size(), kept.size());
    ASSERT_EQ(some.counts.size(), kept.size());
    std::vector<int64_t> self(kept.size());
    for (uint32_t index = 0; index != all.events.size(); ++index)
      if (uint32_t at = find(index); at != kNoScope)
        self[at] += all.events[index].selfPs;
    for (uint32_t index = 0; index != kept.size(); ++index) {
      const ScopeEvent &event = some.events[index];
      const ScopeEvent &before = all.events[kept[index]];
      EXPECT_EQ(event.beginPs, before.beginPs);
      EXPECT_EQ(event.endPs, before.endPs);
      EXPECT_EQ(event.parent,
                before.parent == kNoScope ? kNoScope : find(before.parent));
      EXPECT_EQ(event.selfPs, self[index]);
      EXPECT_EQ(event.first, index);
      EXPECT_EQ(some.counts[index].event, index);
      EXPECT_EQ(some.counts[index].values[0], uint64_t(before.beginPs));
    }
    ASSERT_EQ(some.memory.size(), all.memory.size());
    for (size_t index = 0; index != all.memory.size(); ++index)
      EXPECT_EQ(some.memory[index].event, all.memory[index].event == kNoScope
                                              ? kNoScope
                                              : find(all.memory[index].event));
  }
}

/// Parts of a scope stay one call when the first one is gone.
TEST(LeaveOut, PartsStayOneScope) {
  Recording recording;
  recording.hasEvents = true;
  recording.sites.emplace_back();
  recording.threads.emplace_back();
  for (int64_t part = 0; part != 4; ++part) {
    ScopeEvent &event = recording.events.emplace_back();
    event.beginPs = part * 10;
    event.endPs = part * 10 + 5;
  }
  Recording some = leaveOut(recording, {true, false, false, false});
  ASSERT_EQ(some.events.size(), 3u);
  for (const ScopeEvent &event : some.events)
    EXPECT_EQ(event.first, 0u);
  EXPECT_EQ(some.events[0].beginPs, 10);
}

TEST(LeaveOut, Statistics) {
  Recording recording;
  recording.hasEvents = recording.hasStatistics = true;
  recording.sites.resize(2);
  recording.sites[1].role = 1;
  recording.threads.emplace_back();
  recording.events.emplace_back();
  for (uint32_t site : {0, 1})
    recording.statistics.emplace_back().site = site;
  Recording some = leaveOutRoles(recording, 2);
  ASSERT_EQ(some.statistics.size(), 1u);
  EXPECT_EQ(some.statistics[0].site, 0u);
  EXPECT_EQ(leaveOut(recording, {false}).statistics.size(), 2u);
  some = leaveOut(recording, {true});
  EXPECT_TRUE(some.statistics.empty());
  ASSERT_EQ(some.losses.list().size(), 1u);
  EXPECT_EQ(some.losses.list()[0].count, 2u);
}

/// Long chains take a moment, not one step for each pair.
TEST(LeaveOut, DeepChains) {
  constexpr uint32_t kEvents = 200000;
  Recording recording;
  recording.sites.emplace_back();
  recording.threads.emplace_back();
  std::vector<bool> isGone(kEvents, true);
  for (uint32_t index = 0; index != kEvents; ++index) {
    ScopeEvent &event = recording.events.emplace_back();
    event.first = index;
    event.parent = index + 1 == kEvents ? kNoScope : index + 1;
    event.selfPs = 1;
  }
  isGone[0] = isGone[kEvents - 1] = false;
  Recording some = leaveOut(recording, isGone);
  ASSERT_EQ(some.events.size(), 2u);
  EXPECT_EQ(some.events[0].parent, 1u);
  EXPECT_EQ(some.events[1].selfPs, kEvents - 1);
}

} // namespace
