//===- TimelineTest.cpp - Events in layers --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline/Timeline.h"
#include "TestFolder.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::serve;
using namespace mlirprof::test;
using trace::kNone;

namespace {

/// Two tracks of `count` events of all widths, some in others.
Profile makeProfile(uint32_t count) {
  Profile profile;
  profile.strings = {"a", "b", "c"};
  Run run;
  run.tracks.resize(2);
  run.tracks[0].name = "first";
  run.tracks[1].name = "second";
  std::mt19937_64 random(1);
  int64_t begin = 0;
  for (uint32_t i = 0; i != count; ++i) {
    begin += int64_t(random() % 2000000);
    run.kept.track.push_back(i % 2);
    run.kept.name.push_back(i % 3);
    run.kept.op.push_back(kNone);
    run.kept.beginPs.push_back(begin);
    run.kept.durationPs.push_back(int64_t(random() >> (24 + random() % 40)));
    run.kept.addLaunch(i % 7 == 6 ? i - 3 : kNone);
  }
  profile.runs.push_back(std::move(run));
  return profile;
}

std::unique_ptr<Timeline> writeAndOpen(const Profile &profile,
                                       const TestFolder &folder) {
  std::string path = folder.join("t.timeline");
  llvm::cantFail(writeTimeline(profile, path));
  return llvm::cantFail(Timeline::open(path));
}

TEST(Timeline, HoldsEachEventOnce) {
  TestFolder folder;
  constexpr uint32_t kCount = 5000;
  Profile profile = makeProfile(kCount);
  auto timeline = writeAndOpen(profile, folder);
  const EventColumns &kept = profile.runs[0].kept;
  ASSERT_EQ(timeline->size(), kCount);
  std::set<uint32_t> seen;
  for (uint32_t lane = 0; lane != timeline->countLanes(); ++lane)
    for (unsigned layer = 0; layer != Timeline::kLayers; ++layer)
      for (const TimelineEvent &event : timeline->getEvents(lane, layer)) {
        EXPECT_TRUE(seen.insert(event.id).second);
        EXPECT_EQ(event.beginPs, kept.beginPs[event.id]);
        EXPECT_EQ(event.durationPs, kept.durationPs[event.id]);
        EXPECT_EQ(timeline->getTrackOf(lane), kept.track[event.id]);
        EXPECT_EQ(timeline->find(event.id), &event);
      }
  EXPECT_EQ(seen.size(), kCount);
  EXPECT_EQ(timeline->find(kCount), nullptr);
}

/// Begin, end, count, and the event or kNone for several.
using Shown = std::tuple<int64_t, int64_t, uint32_t, uint32_t>;

/// The events of a lane, in order.
std::vector<TimelineEvent> getLane(const Timeline &timeline, uint32_t lane) {
  std::vector<TimelineEvent> events;
  for (unsigned layer = 0; layer != Timeline::kLayers; ++layer)
    llvm::append_range(events, timeline.getEvents(lane, layer));
  llvm::sort(events, [](const auto &a, const auto &b) {
    return std::tie(a.beginPs, a.id) < std::tie(b.beginPs, b.id);
  });
  return events;
}

/// Joins narrow events that are closer than the resolution, one after another.
std::vector<Shown> joinNarrow(llvm::ArrayRef<TimelineEvent> events,
                              int64_t resolution) {
  std::vector<Shown> shown;
  bool isNarrow = false;
  for (const TimelineEvent &event : events) {
    int64_t end = event.beginPs + event.durationPs;
    bool joins = event.durationPs < resolution && isNarrow &&
                 event.beginPs - std::get<1>(shown.back()) < resolution;
    isNarrow = event.durationPs < resolution;
    if (!joins) {
      shown.push_back({event.beginPs, end, 1, event.id});
      continue;
    }
    auto &[first, last, count, id] = shown.back();
    last = std::max(last, end);
    ++count;
    id = kNone;
  }
  return shown;
}

TEST(Timeline, ShowsEachEventInAllLayers) {
  TestFolder folder;
  auto timeline = writeAndOpen(makeProfile(5000), folder);
  for (uint32_t lane = 0; lane != timeline->countLanes(); ++lane) {
    std::vector<TimelineEvent> events = getLane(*timeline, lane);
    for (unsigned layer = 0; layer != Timeline::kLayers; ++layer) {
      std::vector<Shown> shown;
      for (unsigned i = layer; i != Timeline::kLayers; ++i) {
        for (const TimelineEvent &event : timeline->getEvents(lane, i))
          shown.push_back(
              {event.beginPs, event.beginPs + event.durationPs, 1, event.id});
        for (const TimelineBlock &block : timeline->getBlocks(lane, i))
          if (block.firstLayer <= layer)
            shown.push_back({block.beginPs, block.endPs, block.count, kNone});
      }
      llvm::sort(shown);
      auto expected = joinNarrow(events, Timeline::getResolution(layer));
      llvm::sort(expected);
      EXPECT_EQ(shown, expected) << lane << ", " << layer;
    }
  }
}

TEST(Timeline, HoldsFewerBarsThanEvents) {
  TestFolder folder;
  auto timeline = writeAndOpen(makeProfile(5000), folder);
  size_t bars = 0;
  for (uint32_t lane = 0; lane != timeline->countLanes(); ++lane)
    for (unsigned layer = 0; layer != Timeline::kLayers; ++layer)
      bars += timeline->getBlocks(lane, layer).size();
  EXPECT_GT(bars, 0u);
  EXPECT_LT(bars, timeline->size());
}

TEST(Timeline, DoesNotOverlapInALane) {
  TestFolder folder;
  auto timeline = writeAndOpen(makeProfile(5000), folder);
  for (uint32_t lane = 0; lane != timeline->countLanes(); ++lane) {
    std::vector<TimelineEvent> events = getLane(*timeline, lane);
    for (size_t i = 1; i < events.size(); ++i)
      EXPECT_GE(events[i].beginPs,
                events[i - 1].beginPs + events[i - 1].durationPs);
  }
}

TEST(Timeline, KnowsWhatLaunchedAnEvent) {
  TestFolder folder;
  Profile profile = makeProfile(100);
  // The numbers of the events of a further run follow.
  profile.runs.push_back(profile.runs[0]);
  auto timeline = writeAndOpen(profile, folder);
  llvm::ArrayRef<uint32_t> launches = timeline->getLaunches();
  ASSERT_EQ(launches.size(), 200u);
  EXPECT_EQ(launches[6], 3u);
  EXPECT_EQ(launches[7], kNone);
  EXPECT_EQ(launches[106], 103u);
  profile = makeProfile(100);
  profile.runs[0].kept.launch.clear();
  EXPECT_TRUE(writeAndOpen(profile, folder)->getLaunches().empty());
}

TEST(Timeline, RefusesDamagedFiles) {
  TestFolder folder;
  std::string path = folder.join("t.timeline");
  llvm::cantFail(writeTimeline(makeProfile(50), path));
  auto buffer = llvm::cantFail(
      llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)));
  std::string bytes = buffer->getBuffer().str();
  for (size_t size : {size_t(0), size_t(7), size_t(100), bytes.size() - 1}) {
    folder.write(path, llvm::StringRef(bytes).take_front(size));
    auto timeline = Timeline::open(path);
    EXPECT_FALSE(bool(timeline)) << size;
    llvm::consumeError(timeline.takeError());
  }
  // An earlier version.
  bytes[8] = 1;
  folder.write(path, bytes);
  auto timeline = Timeline::open(path);
  EXPECT_FALSE(bool(timeline));
  llvm::consumeError(timeline.takeError());
}

TEST(Timeline, IsNotWrittenWithoutEvents) {
  TestFolder folder;
  std::string path = folder.join("t.timeline");
  llvm::cantFail(writeTimeline(Profile(), path));
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

} // namespace
