//===- SameScopesTest.cpp - Merging copies of sessions of scopes ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProfiles.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Scope/Recording.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using scope::Recording;

namespace {

/// Scopes of one session that begin at these ticks after its first reading.
/// Each takes ten ticks, of `ps` picoseconds.
Recording makeCopy(std::vector<int64_t> begins, uint64_t ps = 400) {
  Recording recording;
  recording.process = 11;
  recording.parentProcess = 10;
  recording.hasEvents = true;
  recording.clock.firstTicks = 5000;
  recording.clock.firstMonotonicNs = 77;
  recording.clock.anchorNs = 1700000000000000003;
  // Ticks are not whole picoseconds.
  recording.clock.ps = 3 * ps + 1;
  recording.clock.ticks = 3;
  recording.sites = {{"a", "", 0, 0, 0, 0}, {"b", "", 0, 0, 0, 0}};
  recording.threads = {{0, 12, "main", false, 0, false, scope::kNoScope}};
  for (int64_t begin : begins) {
    scope::ScopeEvent event;
    event.site = uint32_t(begin % 2);
    event.first = uint32_t(recording.events.size());
    event.beginPs = recording.clock.toDurationPs(uint64_t(begin));
    event.endPs = recording.clock.toDurationPs(uint64_t(begin) + 10);
    event.selfPs = event.getDurationPs();
    recording.events.push_back(event);
  }
  return recording;
}

/// The sums of so many calls in a generation.
scope::SiteStatistics makeSums(uint32_t generation, uint64_t calls) {
  scope::SiteStatistics sums;
  sums.generation = generation;
  sums.calls = calls;
  sums.counts[0] = uint32_t(calls);
  return sums;
}

Profile makeProfile(Recording recording, char hash,
                    const std::string &format = "scopes") {
  Profile profile;
  Run &run = profile.runs.emplace_back();
  run.hash = std::string(32, hash);
  run.producer.format = format;
  // Each has a name of its own, which goes away with it.
  profile.strings = {std::string("name ") + hash};
  run.tracks.emplace_back();
  run.events.emplace_back();
  run.scopes = std::make_shared<Recording>(std::move(recording));
  return profile;
}

/// The hashes of the merged runs, by their first characters, or the error.
std::string merge(const std::vector<Profile> &profiles) {
  std::string first;
  std::vector<const Profile *> pointers;
  for (const Profile &profile : profiles)
    pointers.push_back(&profile);
  for (bool isReversed : {false, true}) {
    if (isReversed)
      std::reverse(pointers.begin(), pointers.end());
    llvm::Expected<Profile> merged = mergeProfiles(pointers);
    std::string found;
    if (merged) {
      for (const Run &run : merged->runs)
        found += run.hash[0];
      EXPECT_EQ(merged->strings.size(), merged->runs.size());
    } else {
      found = llvm::toString(merged.takeError());
    }
    if (isReversed)
      EXPECT_EQ(found, first);
    first = found;
  }
  return first;
}

TEST(SameScopes, ALaterCopyContainsAnEarlierOne) {
  Recording early = makeCopy({10, 30, 31, 900000000});
  early.events.back().end = scope::EventEnd::Open;
  early.events.back().endPs += 5;
  // Its clock was known better.
  Recording late = makeCopy({10, 30, 31, 900000000, 900000100}, 401);
  EXPECT_EQ(merge({makeProfile(early, 'a'), makeProfile(late, 'b')}), "b");
  EXPECT_EQ(merge({makeProfile(early, 'c'), makeProfile(late, 'b')}), "b");
  // Copies of one moment.
  EXPECT_EQ(merge({makeProfile(late, 'a'), makeProfile(late, 'b'),
                   makeProfile(early, 'c')}),
            "a");
  // One at which nothing had ended.
  EXPECT_EQ(merge({makeProfile(makeCopy({}), 'a'), makeProfile(late, 'b')}),
            "b");
}

TEST(SameScopes, OthersStay) {
  Recording one = makeCopy({10, 30}), part = makeCopy({50, 70});
  // Parts of one session, and another session and process.
  Recording session = one, process = one, unknown = one;
  session.clock.firstTicks += 1000;
  process.process = 12;
  EXPECT_EQ(merge({makeProfile(one, 'a'), makeProfile(part, 'b'),
                   makeProfile(session, 'c'), makeProfile(process, 'd')}),
            "abcd");
  // Recordings of other programs do not tell their session.
  unknown.clock.firstTicks = 0;
  EXPECT_EQ(merge({makeProfile(unknown, 'a'), makeProfile(unknown, 'b')}),
            "ab");
  // Scopes of one begin, of which one copy has two.
  Recording twice = makeCopy({10, 10, 30});
  EXPECT_EQ(merge({makeProfile(one, 'a'), makeProfile(twice, 'b')}), "b");
  // Another thread.
  Recording thread = one;
  thread.threads[0].id = 13;
  EXPECT_EQ(merge({makeProfile(one, 'a'), makeProfile(thread, 'b')}), "ab");
}

TEST(SameScopes, OverlapsAreRefused) {
  // A ring had overwritten the first scope.
  std::string error = merge({makeProfile(makeCopy({10, 30}), 'a'),
                             makeProfile(makeCopy({30, 50}), 'b')});
  EXPECT_NE(error.find("would count twice"), std::string::npos) << error;
  // A run that has more than scopes is not left out.
  Recording one = makeCopy({10, 30}), more = makeCopy({10, 30, 50});
  EXPECT_EQ(merge({makeProfile(one, 'a'), makeProfile(one, 'b', "mlir-prof")}),
            "b");
  error = merge({makeProfile(one, 'b', "mlir-prof"), makeProfile(more, 'a')});
  EXPECT_NE(error.find("would count twice"), std::string::npos) << error;
}

TEST(SameScopes, StatisticsAlone) {
  Recording early = makeCopy({}), late = early, other = early;
  early.statistics = {makeSums(1, 5)};
  late.statistics = {makeSums(1, 7), makeSums(2, 3)};
  other.statistics = {makeSums(3, 7)};
  EXPECT_EQ(merge({makeProfile(early, 'a'), makeProfile(late, 'b'),
                   makeProfile(other, 'c')}),
            "bc");
  other.statistics.push_back(makeSums(2, 4));
  std::string error = merge({makeProfile(late, 'b'), makeProfile(other, 'c')});
  EXPECT_NE(error.find("would count twice"), std::string::npos) << error;
}

} // namespace
