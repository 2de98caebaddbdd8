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
        // The coarsest layer in which it is visible.
        EXPECT_GE(event.durationPs, Timeline::getResolution(layer));
        if (layer + 1 != Timeline::kLayers) {
          EXPECT_LT(event.durationPs, Timeline::getResolution(layer + 1));
        }
        EXPECT_EQ(timeline->find(event.id), &event);
      }
  EXPECT_EQ(seen.size(), kCount);
  EXPECT_EQ(timeline->find(kCount), nullptr);
}

TEST(Timeline, CountsTheEventsOfBars) {
  TestFolder folder;
  Profile profile = makeProfile(5000);
  auto timeline = writeAndOpen(profile, folder);
  for (uint32_t lane = 0; lane != timeline->countLanes(); ++lane) {
    uint64_t finer = 0;
    for (unsigned layer = 0; layer != Timeline::kLayers; ++layer) {
      uint64_t merged = 0;
      int64_t end = INT64_MIN;
      for (const TimelineBlock &block : timeline->getBlocks(lane, layer)) {
        merged += block.count;
        EXPECT_GE(block.beginPs, end);
        end = block.endPs;
      }
      EXPECT_EQ(merged, finer);
      finer += timeline->getEvents(lane, layer).size();
    }
  }
}

TEST(Timeline, DoesNotOverlapInALane) {
  TestFolder folder;
  auto timeline = writeAndOpen(makeProfile(5000), folder);
  for (uint32_t lane = 0; lane != timeline->countLanes(); ++lane) {
    std::vector<TimelineEvent> events;
    for (unsigned layer = 0; layer != Timeline::kLayers; ++layer)
      for (const TimelineEvent &event : timeline->getEvents(lane, layer))
        events.push_back(event);
    llvm::sort(events, [](const auto &a, const auto &b) {
      return std::tie(a.beginPs, a.id) < std::tie(b.beginPs, b.id);
    });
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
