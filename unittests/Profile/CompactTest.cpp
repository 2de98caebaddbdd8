//===- CompactTest.cpp - Compacting profiles ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Compact.h"
#include "TestProfiles.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Profile/ProfileFile.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

Profile take(llvm::Expected<Profile> profile) {
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return Profile();
}

/// Each run once.
Profile merge(std::vector<const Profile *> profiles) {
  return take(mergeProfiles(profiles));
}

/// For all ops together, in 128 bits: nothing may be lost or counted twice.
struct Totals {
  std::map<Quantity, std::pair<uint64_t, __int128>> sums;
  std::map<std::string, Summary> byOp;
  __int128 timePs = 0;
};

Totals getTotals(const Profile &profile) {
  Totals totals;
  for (const auto &run : profile.runs)
    for (const OpSummary &op : run.ops) {
      totals.timePs += op.getTimePs();
      for (const Measurement &measurement : op.measurements) {
        auto &[count, sum] = totals.sums[measurement.quantity];
        count += measurement.summary.count;
        sum += measurement.summary.sum;
      }
      if (const Summary *execute = op.find(Quantity::Execute))
        totals.byOp[profile.opKeys[op.op].op].merge(*execute);
    }
  return totals;
}

Profile makeMerged(std::mt19937_64 &random) {
  Profile a = makeRandomProfile(random), b = makeRandomProfile(random);
  return merge({&a, &b});
}

TEST(Compact, AddsUpExactly) {
  std::mt19937_64 random(11);
  for (unsigned round = 0; round != 100; ++round) {
    Profile profile = makeMerged(random);
    Profile folded = take(compactProfile(profile));
    EXPECT_LE(folded.runs.size(), 1u);
    Totals before = getTotals(profile), after = getTotals(folded);
    EXPECT_EQ(after.byOp, before.byOp);
    EXPECT_TRUE(after.timePs == before.timePs);
    // The written profile is valid.
    auto again = readProfile(toBytes(folded), "folded");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  }
}

TEST(Compact, OfTailsKeepsTheTime) {
  std::mt19937_64 random(12);
  for (unsigned round = 0; round != 100; ++round) {
    Profile profile = makeMerged(random);
    uint64_t top = random() % 6;
    Profile folded = take(compactProfile(profile, {top}));
    EXPECT_TRUE(getTotals(folded).timePs == getTotals(profile).timePs);
    for (const auto &run : folded.runs) {
      std::set<uint32_t> names;
      for (const EventSummary &event : run.events)
        names.insert(event.name);
      EXPECT_LE(names.size(), top + 1);
      EXPECT_LE(run.ops.size(), top + 1);
    }
    // The most expensive ones are kept.
    std::map<std::string, int64_t> times, kept;
    for (const OpSummary &op : mergeRuns(profile))
      times[profile.opKeys[op.op].op] = op.getTimePs();
    int64_t leastKept = INT64_MAX;
    for (const OpSummary &op : mergeRuns(folded))
      if (folded.opKeys[op.op].op != kOtherOps) {
        kept[folded.opKeys[op.op].op] = op.getTimePs();
        leastKept = std::min(leastKept, op.getTimePs());
      }
    for (const auto &[name, time] : times) {
      if (kept.count(name))
        EXPECT_EQ(kept[name], time);
      else if (kept.size() == top)
        EXPECT_LE(time, leastKept);
    }
  }
}

TEST(Compact, DependsOnNothingButTheRuns) {
  std::mt19937_64 random(13);
  for (unsigned round = 0; round != 100; ++round) {
    Profile a = makeRandomProfile(random), b = makeRandomProfile(random);
    Profile profile = merge({&a, &b});
    CompactOptions options;
    if (round % 2)
      options.top = random() % 6;
    Profile folded = take(compactProfile(profile, options));
    // Another order of runs, names and op keys.
    Profile turned = profile;
    std::reverse(turned.runs.begin(), turned.runs.end());
    EXPECT_EQ(toBytes(take(compactProfile(turned, options))), toBytes(folded));
    // Again, and merged with itself.
    EXPECT_EQ(toBytes(take(compactProfile(folded, options))), toBytes(folded));
    EXPECT_EQ(toBytes(merge({&folded, &folded})), toBytes(merge({&folded})));
  }
}

TEST(Compact, RefusesWhatWouldCountTwice) {
  std::mt19937_64 random(14);
  Profile profile;
  while (profile.runs.size() < 3)
    profile = makeMerged(random);
  Profile folded = take(compactProfile(profile));
  ASSERT_EQ(folded.runs.size(), 1u);
  EXPECT_EQ(folded.runs[0].folded.size(), profile.runs.size());
  for (const Profile &other : {profile, take(compactProfile(profile, {2}))}) {
    auto merged = mergeProfiles({&folded, &other});
    ASSERT_FALSE(bool(merged));
    EXPECT_NE(llvm::toString(merged.takeError()).find("would count twice"),
              std::string::npos);
  }
  Profile rest = profile;
  rest.runs.clear();
  EXPECT_EQ(merge({&folded, &rest}).runs.size(), 1u);
}

TEST(Compact, CountsWhatItCannotHold) {
  Profile profile = makeFixedProfile();
  Profile folded = take(compactProfile(profile));
  ASSERT_EQ(folded.runs.size(), 1u);
  const auto &run = folded.runs[0];
  std::map<std::string, uint64_t> losses;
  for (const Loss &loss : run.losses)
    losses[loss.name] = loss.count;
  EXPECT_EQ(losses["compacted: steps"], 2u);
  EXPECT_EQ(losses["compacted: kept events"], 3u);
  EXPECT_EQ(losses["unknown stat"], 3u);
  EXPECT_EQ(run.folded, (std::vector<std::string>{"0a", "0b"}));
  EXPECT_EQ(run.values[0].entries.size() + run.values[1].entries.size(), 1u);
  EXPECT_EQ(run.work.size(), 1u);
  EXPECT_EQ(run.facts.size(), 2u);
  EXPECT_EQ(run.iterations.sum, 77);
}

/// Two runs of one op with values near the limit of 64 bits.
Profile makeLarge() {
  Profile profile;
  profile.opKeys.resize(1);
  for (const char *hash : {"a", "b"}) {
    profile.runs.emplace_back();
    profile.runs.back().hash = hash;
    OpSummary op;
    op.get(Quantity::Self).add(INT64_MAX - 1);
    profile.runs.back().ops = {op};
  }
  return profile;
}

TEST(Compact, CountsSumsThatPassTheirLimit) {
  Profile folded = take(compactProfile(makeLarge()));
  const auto &run = folded.runs[0];
  EXPECT_EQ(run.ops[0].find(Quantity::Self)->sum, INT64_MAX);
  EXPECT_TRUE(run.ops[0].find(Quantity::Self)->saturated);
  ASSERT_EQ(run.losses.size(), 1u);
  EXPECT_EQ(run.losses[0].name,
            "compacted: sums that passed 64 bits (128 of squares)");
}

TEST(Compact, KeepsMachinesApart) {
  Profile profile = makeLarge();
  profile.runs[0].machine.cpu = "znver4";
  profile.runs[1].machine.cpu = "skylake";
  EXPECT_EQ(take(compactProfile(profile)).runs.size(), 2u);
  profile.runs[1].machine.cpu = "znver4";
  profile.runs[1].samplePeriodPs = 1000;
  EXPECT_EQ(take(compactProfile(profile)).runs.size(), 2u);
}

TEST(Compact, MovesBeginsToOneClock) {
  Profile profile = makeLarge();
  profile.runs[0].clock = {"c", 1000, true};
  profile.runs[0].ops[0].firstBeginPs = 5;
  profile.runs[1].clock = {"c", 900, true};
  profile.runs[1].ops[0].firstBeginPs = 200000;
  Profile folded = take(compactProfile(profile));
  EXPECT_EQ(folded.runs[0].clock.anchorNs, 900);
  EXPECT_EQ(folded.runs[0].ops[0].firstBeginPs, 100005);
}

/// The time of an op adds up even if runs measured different quantities of it.
TEST(Compact, AddsUpWhateverWasMeasured) {
  OpSummary plain, asynchronous, nested;
  plain.get(Quantity::Execute).add(5);
  asynchronous.get(Quantity::Execute).add(10);
  asynchronous.get(Quantity::Bounded).add(17);
  nested.get(Quantity::Execute).add(100);
  nested.get(Quantity::Self).add(60);
  OpSummary orders[2];
  for (const OpSummary *op : {&plain, &asynchronous, &nested})
    orders[0].merge(*op);
  for (const OpSummary *op : {&nested, &plain, &asynchronous})
    orders[1].merge(*op);
  for (const OpSummary &sum : orders)
    EXPECT_EQ(sum.getTimePs(), 5 + 17 + 60);
}

} // namespace
