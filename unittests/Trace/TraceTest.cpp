//===- TraceTest.cpp - Self time, completion, busy time -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Trace/BusyTime.h"
#include "mlir-prof/Trace/Completion.h"
#include "mlir-prof/Trace/InnermostEvents.h"
#include "mlir-prof/Trace/IntegerMap.h"
#include "mlir-prof/Trace/SelfTime.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <random>

using namespace mlirprof;
using namespace mlirprof::trace;

namespace {

Event interval(int64_t begin, int64_t end, uint32_t op = kNone) {
  Event event;
  event.beginPs = begin;
  event.endPs = end;
  event.op = op;
  return event;
}

/// Self and op self time of each event, by position.
struct Selves {
  /// Track 1 has the regions of track 0.
  explicit Selves(const std::vector<Event> &events)
      : self(events.size(), -1), opSelf(events.size(), -1) {
    time.setRegions(1, 0);
    auto closed = [&](const SelfTime::Closed &closed) {
      EXPECT_EQ(self[closed.tag], -1) << "closed twice";
      self[closed.tag] = closed.selfPs;
      opSelf[closed.tag] = closed.opSelfPs;
    };
    for (uint32_t i = 0; i != events.size(); ++i)
      time.open(events[i], i, closed);
    time.finish(closed);
  }

  SelfTime time;
  std::vector<int64_t> self;
  std::vector<int64_t> opSelf;
};

} // namespace

TEST(SelfTime, Nesting) {
  Selves result({interval(0, 100), interval(10, 40), interval(10, 20),
                 interval(40, 50), interval(50, 50)});
  EXPECT_EQ(result.self, (std::vector<int64_t>{60, 20, 10, 10, 0}));
  EXPECT_EQ(result.time.getPartialOverlaps(0), 0u);
}

TEST(SelfTime, PartialOverlapIsNoParent) {
  // The second begins within the first and outlives it.
  Selves result({interval(0, 100), interval(10, 30), interval(20, 50)});
  EXPECT_EQ(result.self, (std::vector<int64_t>{50, 20, 30}));
  EXPECT_EQ(result.time.getPartialOverlaps(0), 1u);
}

TEST(SelfTime, WorkOfStreamsIsNotNested) {
  SelfTime time;
  time.setStream(0);
  std::vector<std::pair<int64_t, int64_t>> selves(3);
  auto closed = [&](const SelfTime::Closed &closed) {
    selves[closed.tag] = {closed.selfPs, closed.opSelfPs};
  };
  uint32_t tag = 0;
  for (auto [begin, end] : {std::pair(0, 100), {10, 30}, {20, 50}}) {
    time.open(interval(begin, end, /*op=*/tag), tag, closed);
    ++tag;
  }
  time.finish(closed);
  EXPECT_EQ(selves, (std::vector<std::pair<int64_t, int64_t>>{
                        {100, 100}, {20, 20}, {30, 30}}));
  EXPECT_EQ(time.getPartialOverlaps(0), 1u);
}

TEST(SelfTime, OpsSeeThroughOtherEvents) {
  Selves result({interval(0, 100, 1), interval(10, 60), interval(20, 50, 2),
                 interval(30, 40)});
  EXPECT_EQ(result.opSelf[0], 70);
  EXPECT_EQ(result.opSelf[2], 30);
  EXPECT_EQ(result.self[0], 50);
}

TEST(SelfTime, TracksAreApart) {
  std::vector<Event> events = {interval(0, 100), interval(10, 20)};
  events[1].track = 7;
  Selves result(events);
  EXPECT_EQ(result.self, (std::vector<int64_t>{100, 10}));
}

static Event region(int64_t begin, int64_t end) {
  Event event = interval(begin, end);
  event.track = 1;
  return event;
}

TEST(SelfTime, RegionsAreNestedWithOps) {
  // The region in the first op ends after the function that it begins in.
  Selves result({interval(0, 100, 1), interval(5, 60), region(10, 70),
                 interval(20, 50, 2), region(25, 35)});
  EXPECT_EQ(result.opSelf[0], 40);
  EXPECT_EQ(result.self[0], 45);
  EXPECT_EQ(result.self[2], 30);
  EXPECT_EQ(result.opSelf[3], 20);
  EXPECT_EQ(result.self[3], 30);
  EXPECT_EQ(result.self[4], 10);
}

TEST(SelfTime, RegionsAroundOps) {
  Selves result({region(0, 200), interval(10, 110, 1), region(20, 80),
                 interval(30, 40, 2), interval(70, 90, 3), region(120, 130),
                 interval(130, 140, 4)});
  // Without its direct children: an op of 100, a region and another op.
  EXPECT_EQ(result.self[0], 80);
  // The last op in it overlaps the region partially: 10 of both count once.
  EXPECT_EQ(result.opSelf[1], 30);
  EXPECT_EQ(result.self[2], 50);
  EXPECT_EQ(result.self[5], 10);
  EXPECT_EQ(result.opSelf[6], 10);
}

TEST(SelfTime, RegionsThatOverlapOpsLeaveNoNegativeTime) {
  Selves result({interval(0, 100, 1), region(5, 65), interval(10, 100, 2)});
  EXPECT_EQ(result.opSelf[0], 5);
  EXPECT_EQ(result.self[1], 60);
  EXPECT_EQ(result.opSelf[2], 90);
  EXPECT_EQ(result.time.getPartialOverlaps(0), 1u);
}

TEST(SelfTime, RegionsInAnOpThatBeganInAnother) {
  // The last op overlaps a region that does not contain its parent, and one in
  // that parent: 6 of the parent's 19 are outside of [2, 15].
  Selves result(
      {region(0, 10), interval(1, 20, 1), region(2, 8), interval(5, 15, 2)});
  EXPECT_EQ(result.opSelf[1], 6);
  EXPECT_EQ(result.self[2], 6);
  EXPECT_EQ(result.opSelf[3], 10);
}

TEST(SelfTime, ManyRegionsThatEnded) {
  // Each op looks past the regions that are open, not past all.
  constexpr int64_t kCount = 200000;
  std::vector<Event> events;
  for (int64_t i = 0; i != kCount; ++i)
    events.push_back(region(i, 2 * kCount - i));
  for (int64_t i = 0; i != kCount; ++i)
    events.push_back(interval(2 * kCount + i, 2 * kCount + i + 1, 1));
  Selves result(events);
  EXPECT_EQ(result.self[0], 2);
  EXPECT_EQ(result.opSelf[kCount], 1);
}

TEST(IntegerMap, AgainstStdMap) {
  std::mt19937_64 random(1);
  IntegerMap map;
  std::map<uint64_t, uint32_t> reference;
  for (int i = 0; i != 200000; ++i) {
    // Few keys, so that erasing hits clusters; extremes among them.
    uint64_t key = random() % 512;
    key = key < 4 ? ~key : key << (random() % 2 ? 0 : 50);
    if (random() % 2) {
      map.erase(key);
      reference.erase(key);
    } else {
      map[key] = uint32_t(i);
      reference[key] = uint32_t(i);
    }
    ASSERT_EQ(map.size(), reference.size());
  }
  for (uint64_t key = 0; key != 512; ++key)
    for (uint64_t k : {key, ~key, key << 50}) {
      auto it = reference.find(k);
      EXPECT_EQ(map.find(k), it == reference.end() ? kNone : it->second);
    }
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

namespace {

class CompletionTest : public testing::Test {
protected:
  void begin(uint32_t op, int64_t at, int64_t end, uint64_t flow,
             uint64_t run = 0) {
    Event event = interval(at, end, op);
    event.hasFlowOut = flow != 0;
    event.flowOut = flow;
    event.run = run;
    completion.begin(event, add());
  }
  void end(uint64_t flow, int64_t at) { completion.end(flow, at, add()); }
  std::function<void(const Completion::Done &)> add() {
    return [this](const Completion::Done &done) { all.push_back(done); };
  }

  Completion completion;
  std::vector<Completion::Done> all;
};

} // namespace

TEST_F(CompletionTest, CutAtFirstConsumerOfTheRun) {
  completion.setConsumers(1, {2, 3});
  begin(1, 0, 10, 5);
  begin(2, 20, 21, 0, /*run=*/9); // Another run.
  begin(3, 30, 31, 0);
  begin(2, 40, 41, 0);
  end(5, 50);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[3].op, 1u);
  EXPECT_EQ(all[3].completePs, 50);
  EXPECT_EQ(all[3].boundedPs, 30);
  EXPECT_TRUE(all[3].reported);
}

TEST_F(CompletionTest, RunsThatAlternate) {
  // Op 1 in three runs, whose consumers come in another order; the first run
  // has two of them.
  completion.setConsumers(1, {2});
  begin(1, 0, 5, 10, /*run=*/7);
  begin(1, 10, 15, 11, /*run=*/8);
  begin(1, 20, 25, 12, /*run=*/7);
  begin(1, 30, 35, 13, /*run=*/9);
  begin(2, 40, 41, 0, /*run=*/8);
  begin(2, 50, 51, 0, /*run=*/7);
  begin(2, 60, 61, 0, /*run=*/9);
  begin(2, 70, 71, 0, /*run=*/6);
  all.clear();
  for (uint64_t flow = 10; flow != 14; ++flow)
    end(flow, 100);
  ASSERT_EQ(all.size(), 4u);
  // Cut by the event of its own op that follows it in its run.
  EXPECT_EQ(all[0].boundedPs, 20);
  EXPECT_EQ(all[1].boundedPs, 40);
  EXPECT_EQ(all[2].boundedPs, 50);
  EXPECT_EQ(all[3].boundedPs, 60);
}

TEST_F(CompletionTest, EndsInAnyOrderOfRuns) {
  // None is cut; those of older runs end first, in the middle and last.
  for (uint64_t run = 1; run != 6; ++run)
    begin(1, int64_t(run) * 10, int64_t(run) * 10 + 5, run, run);
  for (uint64_t flow : {3, 1, 5, 4, 2})
    end(flow, 100 + int64_t(flow));
  ASSERT_EQ(all.size(), 5u);
  for (const Completion::Done &done : all)
    EXPECT_EQ(done.boundedPs, 100 + done.beginPs / 10);
  EXPECT_EQ(completion.getOldestBegin(99), 99);
}

TEST_F(CompletionTest, NeverBeforeItsOwnEnd) {
  completion.setConsumers(1, {2});
  begin(1, 0, 30, 5);
  begin(2, 20, 21, 0);
  end(5, 25);
  EXPECT_EQ(all.back().completePs, 30);
  EXPECT_EQ(all.back().boundedPs, 30);
}

TEST_F(CompletionTest, ConsumerAtTheSameTimeDoesNotCut) {
  completion.setConsumers(1, {2});
  begin(1, 10, 10, 5);
  begin(2, 10, 11, 0);
  end(5, 60);
  EXPECT_EQ(all.back().boundedPs, 60);
}

TEST_F(CompletionTest, WithoutReport) {
  begin(1, 0, 10, 5);
  begin(1, 20, 30, 6);
  EXPECT_EQ(completion.getOldestBegin(99), 0);
  completion.finish(add());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].boundedPs, 10);
  EXPECT_FALSE(all[0].reported);
  EXPECT_EQ(completion.getOldestBegin(99), 99);
  end(5, 100);
  EXPECT_EQ(all.size(), 2u);
}

TEST_F(CompletionTest, FlowUsedTwice) {
  begin(1, 0, 10, 5);
  begin(2, 20, 30, 5);
  end(5, 40);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_FALSE(all[0].reported);
  EXPECT_EQ(all[1].completePs, 40);
}

TEST_F(CompletionTest, HoldsAtMostSoMany) {
  size_t events = Completion::kMaxWaiting * 3;
  for (size_t i = 0; i != events; ++i)
    begin(uint32_t(i % 7), int64_t(i), int64_t(i) + 1, i + 1);
  EXPECT_EQ(all.size(), events - Completion::kMaxWaiting);
  completion.finish(add());
  EXPECT_EQ(all.size(), events);
}

//===----------------------------------------------------------------------===//
// BusyTime
//===----------------------------------------------------------------------===//

/// An event of track 0.
Event makeNamed(uint32_t name, int64_t begin, int64_t end) {
  Event event;
  event.name = name;
  event.beginPs = begin;
  event.endPs = end;
  return event;
}

using Times = std::map<uint32_t, int64_t>;

TEST(InnermostEvents, NestedAndOverlapping) {
  InnermostEvents events;
  events.add(makeNamed(1, 0, 100));
  events.add(makeNamed(2, 10, 30));
  events.add(makeNamed(3, 10, 20));
  // Outlasts the one around it.
  events.add(makeNamed(4, 90, 120));
  Times times;
  events.addTimes(-5, 130, times);
  EXPECT_EQ(times, (Times{{1, 70}, {2, 10}, {3, 10}, {4, 30}, {kNone, 15}}));
  times.clear();
  events.addTimes(15, 25, times);
  EXPECT_EQ(times, (Times{{2, 5}, {3, 5}}));
  events.forget(25);
  times.clear();
  events.addTimes(15, 95, times);
  EXPECT_EQ(times, (Times{{kNone, 5}, {2, 10}, {1, 60}, {4, 5}}));
}

TEST(InnermostEvents, HoldsAtMostSoMany) {
  InnermostEvents events;
  int64_t count = 3 * int64_t(InnermostEvents::kMaxHeld);
  for (int64_t i = 0; i < count; ++i)
    events.add(makeNamed(uint32_t(i % 2), 10 * i, 10 * i + 5));
  Times times;
  events.addTimes(0, 10 * count, times);
  // Two changes an event: half of kMaxHeld events are known.
  int64_t known = int64_t(InnermostEvents::kMaxHeld) / 2;
  EXPECT_EQ(times[0] + times[1], 5 * known);
  EXPECT_EQ(times[kNone], 10 * count - 5 * known);
}

TEST(BusyTime, UnionAndWindows) {
  BusyTime busy;
  uint32_t window = busy.addWindow(5, 35);
  uint32_t empty = busy.addWindow(5, 5);
  busy.add(0, 10);
  busy.add(5, 12);
  busy.add(20, 40);
  busy.add(12, 15);
  busy.finish();
  EXPECT_EQ(busy.getTotalPs(), 35);
  EXPECT_EQ(busy.getWindowPs(window), 10 + 15);
  EXPECT_EQ(busy.getWindowPs(empty), 0);
}

TEST(BusyTime, AgainstCounting) {
  std::mt19937 random(7);
  for (int round = 0; round != 50; ++round) {
    BusyTime busy;
    std::vector<bool> active(4000);
    std::vector<std::pair<int, int>> windows;
    for (int at = 0; at < 3000; at += int(random() % 12)) {
      if (random() % 20 == 0) {
        windows.push_back({at, at + int(random() % 500)});
        busy.addWindow(windows.back().first, windows.back().second);
      }
      // Some arrive late.
      int begin = random() % 5 ? at : std::max(0, at - int(random() % 300));
      int end = begin + int(random() % 9);
      busy.add(begin, end);
      std::fill(active.begin() + begin, active.begin() + end, true);
      busy.settle(at - 300);
    }
    busy.finish();
    EXPECT_EQ(busy.getTotalPs(),
              std::count(active.begin(), active.end(), true));
    for (size_t i = 0; i != windows.size(); ++i)
      EXPECT_EQ(busy.getWindowPs(uint32_t(i)),
                std::count(active.begin() + windows[i].first,
                           active.begin() + windows[i].second, true));
    EXPECT_EQ(busy.getCut(), 0u);
  }
}

TEST(BusyTime, BoundedMemoryCutsAndSaysSo) {
  BusyTime busy;
  int64_t count = int64_t(BusyTime::kMaxOpen) * 3;
  for (int64_t i = 0; i != count; ++i)
    busy.add(i * 10, i * 10 + 1);
  busy.add(0, count * 10);
  busy.finish();
  EXPECT_EQ(busy.getCut(), 1u);
  EXPECT_GT(busy.getCutPs(), 0);
  EXPECT_LE(busy.getTotalPs() + busy.getCutPs(), count * 11);
}
