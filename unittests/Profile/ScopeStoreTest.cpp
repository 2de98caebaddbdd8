//===- ScopeStoreTest.cpp - Scopes in profiles ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProfiles.h"
#include "mlir-prof/Profile/Compact.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Recording.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using scope::kNoScope;
using scope::Recording;

namespace {

Profile read(llvm::StringRef bytes) {
  llvm::Expected<Profile> profile = readProfile(bytes, "f.mlprof");
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return Profile();
}

struct Breakage {
  const char *error;
  void (*apply)(Recording &);
};

/// Changes to the recording of the fixed profile, which has two sites, two
/// threads, two places and four scopes.
const Breakage breakages[] = {
    {"events[0]: its site", [](Recording &r) { r.events[0].site = 2; }},
    {"events[1]: its site", [](Recording &r) { r.events[1].thread = 2; }},
    {"events[0]: its parent",
     [](Recording &r) { r.events[0].parent = kNoScope - 1; }},
    {"events[0]: its parent", [](Recording &r) { r.events[0].parent = 4; }},
    {"it is its own parent", [](Recording &r) { r.events[2].parent = 0; }},
    {"events[3]: it is linked",
     [](Recording &r) { r.events[3].parent = kNoScope; }},
    {"events[1]: its first part", [](Recording &r) { r.events[1].first = 4; }},
    {"events[1]: its first part", [](Recording &r) { r.events[1].first = 2; }},
    {"events[0]: its first part", [](Recording &r) { r.events[0].first = 1; }},
    {"a negative duration", [](Recording &r) { r.events[0].endPs = -1001; }},
    {"ends beyond 64 bits",
     [](Recording &r) {
       r.events[0].beginPs = INT64_MAX;
       r.events[0].endPs = INT64_MIN + 10;
     }},
    {"events[0]: its self time", [](Recording &r) { r.events[0].selfPs = -1; }},
    {"events[0]: its self time",
     [](Recording &r) { r.events[0].selfPs = 5001; }},
    {"events[2]: its cost", [](Recording &r) { r.events[2].costPs = 10001; }},
    {"events[2]: its cost", [](Recording &r) { r.events[2].costPs = -1; }},
    {"events[1]: its cost", [](Recording &r) { r.events[1].selfCostPs = 901; }},
    {"statistics[0]: their site",
     [](Recording &r) { r.statistics[0].site = 2; }},
    {"statistics[1]: their site",
     [](Recording &r) { r.statistics[1].thread = 2; }},
    {"statistics[0]: their minimum",
     [](Recording &r) { r.statistics[0].min = 21; }},
    {"threads[1]: its device", [](Recording &r) { r.threads[1].device = 1; }},
    {"counts[1]: its scope", [](Recording &r) { r.counts[1].event = 4; }},
    {"counts[1]: its scope", [](Recording &r) { r.counts[1].event = 1; }},
    {"counts[0]: its amounts",
     [](Recording &r) { r.counts[0].known = 1 << scope::kCounts; }},
    {"counts[0]: its amounts", [](Recording &r) { r.counts[0].known = 0; }},
    {"counts[0]: its cost", [](Recording &r) { r.counts[0].costs[0] = 5; }},
    {"memory[0]: its scope", [](Recording &r) { r.memory[0].event = 4; }},
    {"memory[0]: its scope", [](Recording &r) { r.memory[0].thread = 2; }},
    {"memory[1]: its scope", [](Recording &r) { r.memory[1].place = 2; }},
    {"an unknown type",
     [](Recording &r) { r.memory[1].type = scope::MemoryType(4); }},
    {"unknown flags",
     [](Recording &r) { r.events[1].end = scope::EventEnd(3); }},
    {"does not advance", [](Recording &r) { r.clock.ticks = 0; }},
    {"clock's picoseconds", [](Recording &r) { r.clock.ps = 0; }},
    {"clock's picoseconds",
     [](Recording &r) { r.clock.ps = uint64_t(1) << 63; }},
    {"the cost of a scope", [](Recording &r) { r.costPairPs = -1; }},
    {"a loss of scopes", [](Recording &r) { r.losses.add("x", 0, 5); }},
};

TEST(ScopeStore, ChecksEveryIndexAndValue) {
  for (const Breakage &breakage : breakages) {
    Profile profile = makeFixedProfile();
    auto broken = std::make_shared<Recording>(*profile.runs[0].scopes);
    breakage.apply(*broken);
    profile.runs[0].scopes = broken;
    llvm::Expected<Profile> again = readProfile(toBytes(profile), "f.mlprof");
    std::string error = llvm::toString(again.takeError());
    EXPECT_NE(error.find(breakage.error), std::string::npos)
        << breakage.error << " / " << error;
    error =
        llvm::toString(readProfileJson(toJson(profile), "f.json").takeError());
    EXPECT_NE(error.find(breakage.error), std::string::npos) << error;
  }
}

TEST(ScopeStore, SpreadsManyScopesOverBlocks) {
  Profile profile = makeFixedProfile();
  auto many = std::make_shared<Recording>(*profile.runs[0].scopes);
  many->memory.assign((size_t(1) << 20) + 3, many->memory[0]);
  scope::ScopeEvent event = many->events[2];
  many->counts.clear();
  while (many->events.size() < (size_t(2) << 20) + 5) {
    event.first = uint32_t(many->events.size());
    // Their parents are in another block.
    event.parent = 2;
    event.endPs = event.beginPs + event.first;
    event.selfPs = event.costPs = event.selfCostPs = 0;
    many->events.push_back(event);
    if (event.first > 1000000)
      many->counts.push_back({event.first, 1, {event.first}, {}});
  }
  profile.runs[0].scopes = many;
  std::string bytes = toBytes(profile);
  size_t blocks = 0;
  for (const RawSection &section : parseFile(bytes))
    blocks += section.type >= 10 && section.type <= 12;
  EXPECT_EQ(blocks, 7u);
  Profile again = read(bytes);
  ASSERT_TRUE(again.runs[0].scopes);
  ASSERT_EQ(again.runs[0].scopes->events.size(), many->events.size());
  EXPECT_EQ(again.runs[0].scopes->events.back().parent, 2u);
  EXPECT_EQ(again.runs[0].scopes->events.back().getDurationPs(),
            (int64_t(2) << 20) + 4);
  EXPECT_EQ(again.runs[0].scopes->memory.size(), many->memory.size());
  EXPECT_EQ(again.runs[0].scopes->counts.back().values[0],
            again.runs[0].scopes->counts.back().event);
  EXPECT_EQ(toBytes(again), bytes);
}

TEST(ScopeStore, RefusesASecondRecordingOfARun) {
  std::vector<RawSection> sections = parseFile(toBytes(makeFixedProfile()));
  sections.pop_back();
  for (size_t i = 0; i != sections.size(); ++i)
    if (sections[i].type == 9) {
      sections.insert(sections.begin() + ptrdiff_t(i), sections[i]);
      break;
    }
  llvm::Expected<Profile> profile =
      readProfile(buildFile(sections, 1, 5), "f.mlprof");
  EXPECT_NE(llvm::toString(profile.takeError()).find("out of order"),
            std::string::npos);
}

/// Damage inside of the messages of scopes, under correct checksums: an error,
/// or a profile that survives being written and read again.
TEST(ScopeStore, SurvivesDamage) {
  std::mt19937_64 random(5);
  std::vector<RawSection> good = parseFile(toBytes(makeFixedProfile()));
  good.pop_back();
  std::vector<size_t> ofScopes;
  for (size_t i = 0; i != good.size(); ++i) {
    if (good[i].type < 9)
      continue;
    good[i].payload = good[i].getContent();
    good[i].codec = 0;
    ofScopes.push_back(i);
  }
  ASSERT_EQ(ofScopes.size(), 4u);
  unsigned readable = 0;
  for (unsigned round = 0; round != 8000; ++round) {
    std::vector<RawSection> sections = good;
    RawSection &section = sections[ofScopes[random() % ofScopes.size()]];
    for (uint64_t changes = 1 + random() % 3; changes != 0; --changes)
      section.payload[random() % section.payload.size()] = char(random());
    llvm::Expected<Profile> profile =
        readProfile(buildFile(sections, 1, 5), "f.mlprof");
    if (!profile) {
      llvm::consumeError(profile.takeError());
      continue;
    }
    ++readable;
    std::string bytes = toBytes(*profile);
    EXPECT_EQ(toBytes(read(bytes)), bytes);
  }
  EXPECT_GT(readable, 500u);
}

TEST(ScopeStore, MergesByRun) {
  Profile a = makeFixedProfile();
  Profile b = makeFixedProfile();
  b.runs[0].hash[0] = 'f';
  b.runs[0].folded = {"0c"};
  auto other = std::make_shared<Recording>(*b.runs[0].scopes);
  other->process = 12;
  b.runs[0].scopes = other;
  Profile without = makeFixedProfile();
  without.runs[0].scopes = nullptr;
  auto merge = [](std::vector<const Profile *> profiles) {
    llvm::Expected<Profile> merged = mergeProfiles(profiles);
    EXPECT_TRUE(bool(merged));
    return merged ? std::move(*merged) : Profile();
  };
  Profile both = merge({&a, &b});
  ASSERT_EQ(both.runs.size(), 2u);
  for (const profile::Run &run : both.runs) {
    ASSERT_TRUE(run.scopes);
    EXPECT_EQ(run.scopes->events.size(), 4u);
  }
  std::string bytes = toBytes(both);
  EXPECT_EQ(toBytes(merge({&b, &both, &without, &a})), bytes);
  // An import without scopes is of the same recording, and does not count.
  Profile one = merge({&without, &a});
  ASSERT_EQ(one.runs.size(), 1u);
  EXPECT_TRUE(one.runs[0].scopes);
}

TEST(ScopeStore, CompactNamesWhatItDrops) {
  llvm::Expected<Profile> folded = compactProfile(makeFixedProfile());
  ASSERT_TRUE(bool(folded)) << llvm::toString(folded.takeError());
  EXPECT_FALSE(folded->runs[0].scopes);
  auto getLoss = [&](llvm::StringRef name) {
    for (const Loss &loss : folded->runs[0].losses)
      if (loss.name == name)
        return loss.count;
    return uint64_t(0);
  };
  EXPECT_EQ(getLoss("compacted: scopes"), 4u);
  EXPECT_EQ(getLoss("compacted: statistics of scopes"), 2u);
  EXPECT_EQ(getLoss("compacted: memory events"), 2u);
  EXPECT_EQ(getLoss("compacted: amounts of scopes"), 2u);
}

} // namespace
