//===- ScopesTest.cpp - Exporting scopes ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExportTest.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Scope/RecordingBuilder.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlirprof;
using namespace mlirprof::importer;
using scope::kNoScope;
using scope::Recording;
using scope::ScopeEvent;

namespace {

constexpr int64_t kAnchorNs = 1700000000000000000;

/// Scopes of three threads, the last of which is a device's, at whole
/// nanoseconds; nested, overlapping, and of every type that Paddle has but
/// calls of a runtime.
Recording makeRandomScopes(std::mt19937_64 &random) {
  scope::RecordingBuilder builder;
  builder.getRecording().clock.anchorNs = kAnchorNs;
  builder.getRecording().process = 7;
  for (uint64_t id : {11, 12, 13}) {
    scope::Thread thread;
    thread.id = id;
    thread.isDevice = id == 13;
    builder.addThread(thread);
  }
  for (uint64_t count = 1 + random() % 40; count != 0; --count) {
    ScopeEvent event;
    event.thread = uint32_t(random() % 3);
    scope::Site site;
    site.name = "name\n\"" + std::to_string(random() % 5);
    // Kernel, copies; or others.
    static constexpr uint16_t kHostTypes[] = {0, 1, 7, 8, 9, 12, 14, 15, 16};
    site.type = event.thread == 2 ? uint16_t(4 + random() % 3)
                                  : kHostTypes[random() % 9];
    event.site = builder.addSite(site);
    event.isOutside = event.thread == 2;
    event.beginPs = int64_t(random() % 100) * 1000;
    event.endPs = event.beginPs + int64_t(random() % 50) * 1000;
    builder.addScope(event);
  }
  builder.nest();
  return builder.finish();
}

Profile makeProfile(Recording recording) {
  Profile profile;
  profile::Run &run = profile.runs.emplace_back();
  run.clock.hasAnchor = true;
  run.clock.anchorNs = recording.clock.anchorNs;
  run.producer.format = "scopes";
  run.scopes = std::make_shared<const Recording>(std::move(recording));
  return profile;
}

using Scope = std::tuple<uint64_t, std::string, uint16_t, int64_t, int64_t,
                         std::string, bool>;

/// Facts of scopes that hold in any order; times since the epoch.
std::multiset<Scope> describe(const Recording &recording) {
  std::multiset<Scope> scopes;
  for (const ScopeEvent &event : recording.events) {
    const scope::Site &site = recording.sites[event.site];
    int64_t anchorPs = (recording.clock.anchorNs - kAnchorNs) * 1000;
    std::string parent;
    if (event.parent != kNoScope)
      parent = recording.sites[recording.events[event.parent].site].name;
    scopes.emplace(recording.threads[event.thread].id, site.name, site.type,
                   anchorPs + event.beginPs, anchorPs + event.endPs, parent,
                   event.isOutside);
  }
  return scopes;
}

Recording readBack(llvm::StringRef format, llvm::StringRef bytes) {
  for (const Importer &importer : getImporters()) {
    if (importer.name != format)
      continue;
    EXPECT_TRUE(importer.detect(bytes));
    Profile profile;
    ProfileBuilder builder(profile);
    EXPECT_FALSE(llvm::errorToBool(importer.read({bytes, "test"}, builder)));
    builder.finish();
    return *profile.runs[0].scopes;
  }
  ADD_FAILURE() << "no importer " << format.str();
  return {};
}

TEST(ExportScopes, PaddleGivesThemBack) {
  std::mt19937_64 random(3);
  for (unsigned round = 0; round != 200; ++round) {
    Profile profile = makeProfile(makeRandomScopes(random));
    LossList losses;
    ExportInput input{profile};
    input.losses = &losses;
    Recording again = readBack("paddle-pb", exportAs("paddle-pb", input));
    EXPECT_EQ(describe(again), describe(*profile.runs[0].scopes));
    EXPECT_TRUE(losses.empty());
  }
}

/// Every format takes scopes of every kind, also of several runs.
TEST(ExportScopes, AllFormatsTakeThem) {
  std::mt19937_64 random(4);
  for (unsigned round = 0; round != 50; ++round) {
    Profile profile = makeProfile(makeRandomScopes(random));
    profile.runs.push_back(makeProfile(makeRandomScopes(random)).runs[0]);
    size_t scopes = 0;
    for (const profile::Run &run : profile.runs)
      scopes += run.scopes->events.size();
    for (llvm::StringRef format :
         {"chrome-json", "perfetto", "speedscope", "folded", "pprof",
          "paddle-pb", "paddle-profile"})
      EXPECT_GT(exportAs(format, {profile}).size(), 10u) << format.str();
    EXPECT_EQ(llvm::StringRef(exportAs("chrome-json", {profile}))
                  .count("\"ph\":\"X\""),
              scopes);
    EXPECT_EQ(
        readBack("paddle-pb", exportAs("paddle-pb", {profile})).events.size(),
        scopes);
    EXPECT_EQ(readBack("paddle-profile", exportAs("paddle-profile", {profile}))
                  .events.size(),
              scopes);
  }
}

} // namespace
