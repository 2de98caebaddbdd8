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
#include "mlir-prof/Scope/Scope.h"
#include "gtest/gtest.h"

#include <map>
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

/// Also scopes that begin and end with the one around them, which the file has
/// inner ones first.
TEST(ExportScopes, FirstProfilerGivesTiesBack) {
  scope::RecordingBuilder builder;
  uint32_t thread = builder.addThread({});
  uint32_t parent = scope::kNoScope;
  for (const char *name : {"outer", "middle", "x", "leaf"}) {
    scope::Site site;
    site.name = name;
    site.type = uint16_t(scope::ScopeType::UserDefined);
    scope::ScopeEvent event;
    event.site = builder.addSite(site);
    event.thread = thread;
    event.parent = parent;
    event.beginPs = 1000;
    event.endPs = 9000;
    parent = builder.addScope(event);
  }
  Profile profile = makeProfile(builder.finish());
  Recording again =
      readBack("paddle-profile", exportAs("paddle-profile", {profile}));
  ASSERT_EQ(again.events.size(), 4u);
  std::map<std::string, std::string> parents;
  for (const scope::ScopeEvent &event : again.events)
    parents[again.sites[event.site].name] =
        event.parent == scope::kNoScope
            ? ""
            : again.sites[again.events[event.parent].site].name;
  EXPECT_EQ(
      parents,
      (std::map<std::string, std::string>{
          {"outer", ""}, {"middle", "outer"}, {"x", "middle"}, {"leaf", "x"}}));
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

/// Scopes in [begin, end) and in one another, of which one fills it.
void addNested(scope::RecordingBuilder &builder, std::mt19937_64 &random,
               uint32_t thread, int64_t begin, int64_t end) {
  ScopeEvent event;
  scope::Site site;
  site.name = "s" + std::to_string(random() % 4);
  site.type = uint16_t(scope::ScopeType::UserDefined);
  event.site = builder.addSite(site);
  event.thread = thread;
  event.beginPs = begin * 1000;
  event.endPs = end * 1000;
  builder.addScope(event);
  int64_t length = (end - begin - 2) / 2;
  if (length <= 0)
    return;
  for (int64_t part : {begin + 1, begin + 1 + length})
    if (random() % 3)
      addNested(builder, random, thread, part, part + length);
}

/// The first profiler's file numbers threads and lacks the process.
TEST(ExportScopes, FirstProfilerGivesThemBack) {
  std::mt19937_64 random(6);
  for (unsigned round = 0; round != 100; ++round) {
    scope::RecordingBuilder builder;
    builder.getRecording().clock.anchorNs = kAnchorNs;
    for (uint64_t id : {0, 1}) {
      scope::Thread thread;
      thread.id = id;
      addNested(builder, random, builder.addThread(thread), int64_t(id) * 5,
                10 + int64_t(random() % 200));
    }
    builder.nest();
    Profile profile = makeProfile(builder.finish());
    LossList losses;
    ExportInput input{profile};
    input.losses = &losses;
    Recording again =
        readBack("paddle-profile", exportAs("paddle-profile", input));
    EXPECT_EQ(describe(again), describe(*profile.runs[0].scopes));
    EXPECT_TRUE(losses.empty());
  }
}

/// A launch on the host, with work on a device of half its length.
Recording makeLaunch() {
  scope::RecordingBuilder builder;
  builder.getRecording().clock.anchorNs = kAnchorNs;
  auto add = [&](const char *name, scope::ScopeType type, uint32_t thread,
                 uint32_t parent, int64_t beginNs, int64_t endNs) {
    ScopeEvent event;
    event.site = builder.addSite({name, "", 0, uint16_t(type), 1, 0});
    event.thread = thread;
    event.parent = parent;
    event.beginPs = beginNs * 1000;
    event.endPs = endNs * 1000;
    event.isOutside = thread == 1;
    return builder.addScope(event);
  };
  using Type = scope::ScopeType;
  builder.addThread({});
  scope::Thread stream;
  stream.isDevice = true;
  builder.addThread(stream);
  uint32_t op = add("op", Type::Operator, 0, kNoScope, 0, 100);
  uint32_t call = add("launch", Type::CudaRuntime, 0, op, 10, 90);
  uint32_t inside = add("inside", Type::UserDefined, 0, call, 20, 80);
  add("deeper", Type::UserDefined, 0, inside, 30, 70);
  uint32_t kernel = add("kernel", Type::Kernel, 1, call, 200, 300);
  add("part of kernel", Type::Kernel, 1, kernel, 210, 220);
  scope::MemoryEvent memory;
  memory.place = builder.addPlace("cpu");
  memory.thread = 0;
  memory.event = inside;
  builder.addMemory(memory);
  return builder.finish();
}

TEST(ExportScopes, LaunchesOfSeveralRunsStayApart) {
  Profile profile = makeProfile(makeLaunch());
  profile.runs.push_back(makeProfile(makeLaunch()).runs[0]);
  LossList losses;
  ExportInput input{profile};
  input.losses = &losses;
  std::string bytes = exportAs("paddle-pb", input);
  // In each run two scopes in the call, and one in the kernel.
  ASSERT_EQ(losses.list().size(), 2u);
  EXPECT_EQ(losses.list()[0].count + losses.list()[1].count, 6u + 2u);
  // The numbers of events are those of the order of ends on each thread: the
  // call's is 2, and each run has 6.
  EXPECT_NE(bytes.find(std::string("\x30\x03\x38", 3)), std::string::npos);
  EXPECT_NE(bytes.find(std::string("\x30\x09\x38", 3)), std::string::npos);
  Recording again = readBack("paddle-pb", bytes);
  EXPECT_EQ(again.events.size(), 6u);
}

/// Controls are escaped, so that names that differ are frames that do.
TEST(ExportScopes, FoldedNamesStayApart) {
  scope::RecordingBuilder builder;
  builder.addThread({});
  for (llvm::StringRef name : {llvm::StringRef("a b"), llvm::StringRef("a\nb"),
                               llvm::StringRef("a\0b", 3)}) {
    ScopeEvent event;
    event.site = builder.addSite({name.str(), "", 0, 7, 1, 0});
    event.endPs = 2000;
    builder.addScope(event);
  }
  std::string text = exportAs("folded", {makeProfile(builder.finish())});
  for (llvm::StringRef line :
       {"a b 2000\n", "a\\u{a}b 2000\n", "a\\u{0}b 2000\n"})
    EXPECT_NE(text.find(line.str()), std::string::npos) << text;
}

} // namespace
