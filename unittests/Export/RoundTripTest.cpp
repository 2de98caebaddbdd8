//===- RoundTripTest.cpp - Exports can be imported ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Export followed by import keeps totals: for random profiles, by each format
// that can be imported.

#include "../Profile/RandomKeys.h"
#include "ExportTest.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/File.h"
#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Reads text as importProfile does, its format found from the content.
Profile readBack(llvm::StringRef text, llvm::StringRef format) {
  std::unique_ptr<llvm::MemoryBuffer> plain;
  if (isGzip(text)) {
    auto inflated = gunzip(text, "test");
    if (!inflated) {
      ADD_FAILURE() << llvm::toString(inflated.takeError());
      return {};
    }
    plain = std::move(*inflated);
    text = plain->getBuffer();
  }
  for (const Importer &importer : getImporters()) {
    if (!importer.detect(text))
      continue;
    EXPECT_EQ(importer.name.str(), format.str());
    Profile profile;
    ProfileBuilder builder(profile, {KeepEvents::Mode::All, {}});
    if (llvm::Error error = importer.read({text, "test"}, builder))
      ADD_FAILURE() << llvm::toString(std::move(error));
    builder.finish();
    return profile;
  }
  ADD_FAILURE() << "nobody reads " << format.str();
  return {};
}

const OpKey kInstruction("", "", HloInstructionKey{"jit_f", {}});
const OpKey kNode("", "", GraphNodeKey());

/// Events of several threads that nest, overlap and touch; one in three is for
/// an op. Half of the times have a fraction of a nanosecond.
Profile makeRandom(unsigned seed, const OpKey &sample) {
  std::mt19937_64 random(seed);
  Profile profile;
  ProfileBuilder builder(profile, {KeepEvents::Mode::All, {}});
  builder.getRun().clock = {"test", 1700000000000000000, true};
  std::vector<uint32_t> tracks, names, ops;
  for (int i = 0; i < 3; ++i) {
    Track track;
    track.plane = "/host:CPU";
    track.name = "thread " + std::to_string(i);
    track.line = i;
    tracks.push_back(builder.addTrack(track));
  }
  for (int i = 0; i < 6; ++i) {
    std::string name = "op " + std::to_string(i) + (i == 5 ? " \"\\;/\n" : "");
    names.push_back(builder.addName(name));
    OpKey key = sample;
    key.op = "net/layer" + std::to_string(i % 2) + "/op" + std::to_string(i);
    ops.push_back(builder.addOpKey(key));
  }
  std::vector<Event> events;
  for (int i = 0; i < 500; ++i) {
    Event event;
    event.track = tracks[random() % 3];
    size_t which = random() % 6;
    event.name = names[which];
    event.op = random() % 3 ? kNone : ops[which];
    int64_t unit = seed % 2 ? 1 : 1000;
    event.beginPs = int64_t(random() % 2000000) / unit * unit;
    event.endPs = event.beginPs + int64_t(random() % 90000) / unit * unit;
    events.push_back(event);
  }
  std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
    return a.beginPs != b.beginPs ? a.beginPs < b.beginPs : a.endPs > b.endPs;
  });
  for (const Event &event : events)
    builder.event(event);
  builder.finish();
  return profile;
}

/// Count and time of the events of each name.
using EventSums = std::map<std::string, std::pair<uint64_t, int64_t>>;

EventSums sumEvents(const Profile &profile) {
  EventSums sums;
  for (const Run &run : profile.runs)
    for (const EventSummary &event : run.events) {
      auto &[count, time] = sums[profile.strings[event.name]];
      count += event.total.count;
      time += event.total.sum;
    }
  return sums;
}

EventSums sumOps(const Profile &profile) {
  EventSums sums;
  for (const OpSummary &op : mergeRuns(profile))
    if (op.getCount()) {
      auto &[count, time] = sums[profile.opKeys[op.op].op];
      count += op.getCount();
      time += op.getSum(Quantity::Execute);
    }
  return sums;
}

TEST(RoundTrip, ChromeKeepsEventsAndOps) {
  for (unsigned seed = 1; seed < 9; ++seed) {
    Profile first = makeRandom(seed, kInstruction);
    Profile second = readBack(exportAs("chrome-json", {first}), "chrome-json");
    EXPECT_EQ(sumEvents(first), sumEvents(second)) << seed;
    EXPECT_EQ(sumOps(first), sumOps(second)) << seed;
  }
}

/// A text that contains all of a key.
std::string toText(const OpKey &key) {
  Profile profile;
  profile.opKeys.push_back(key);
  std::string text;
  llvm::raw_string_ostream os(text);
  writeProfileJson(profile, os);
  return text;
}

/// Counts and times by complete op keys.
EventSums sumKeys(const Profile &profile) {
  EventSums sums;
  for (const OpSummary &op : mergeRuns(profile))
    if (op.getCount()) {
      auto &[count, time] = sums[toText(profile.opKeys[op.op])];
      count += op.getCount();
      time += op.getSum(Quantity::Execute);
    }
  return sums;
}

TEST(RoundTrip, ChromeKeepsOpKeysOfAllKinds) {
  for (unsigned seed = 1; seed < 60; ++seed) {
    OpKey sample = test::makeEmptyKey(seed % test::kKinds);
    Profile first = makeRandom(seed, sample);
    test::KeyMaker maker(seed);
    // Keys with similar names must be distinguished by their other members.
    std::set<std::string> known;
    for (OpKey &key : first.opKeys)
      do
        key = maker.make(sample);
      while (!known.insert(toText(key)).second);
    Profile second = readBack(exportAs("chrome-json", {first}), "chrome-json");
    EXPECT_EQ(sumKeys(first), sumKeys(second)) << seed;
    EXPECT_EQ(sumEvents(first), sumEvents(second)) << seed;
  }
}

TEST(RoundTrip, PerfettoKeepsEventsAndOps) {
  for (unsigned seed = 1; seed < 9; ++seed)
    for (const OpKey &sample : {kInstruction, kNode}) {
      Profile first = makeRandom(seed, sample);
      Profile second = readBack(exportAs("perfetto", {first}), "perfetto");
      EXPECT_EQ(sumEvents(first), sumEvents(second)) << seed;
      EXPECT_EQ(sumOps(first), sumOps(second)) << seed;
    }
}

TEST(RoundTrip, StacksKeepTheTotal) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    Profile first = makeRandom(seed, kNode);
    for (const char *format : {"speedscope", "pprof"}) {
      ExportInput input{first};
      input.stacks = StackKind::Module;
      Profile second = readBack(exportAs(format, input), format);
      EXPECT_EQ(getTotalPs(first), getTotalPs(second)) << format << seed;
    }
    // Its values do not have a unit: they are read as samples.
    Profile folded = readBack(exportAs("folded", {first}), "folded");
    int64_t samples = 0;
    for (const OpSummary &op : mergeRuns(folded))
      samples += op.getSum(Quantity::Samples);
    EXPECT_EQ(getTotalPs(first), samples) << seed;
  }
}

TEST(RoundTrip, SpeedscopeKeepsTheTimeOfEvents) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    Profile first = makeRandom(seed, kNode);
    Profile second = readBack(exportAs("speedscope", {first}), "speedscope");
    // The busy time of each lane, which is in the innermost frames.
    int64_t total = getTotalPs(second);
    EXPECT_GT(total, 0);
    int64_t self = 0;
    for (const EventSummary &event : first.runs[0].events)
      self += event.self.sum;
    EXPECT_GE(total, self) << seed;
  }
}

} // namespace
