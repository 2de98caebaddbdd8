//===- MergeTest.cpp - Union of profiles --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Merge.h"
#include "TestProfiles.h"
#include "mlir-prof/Profile/ProfileFile.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::test;

namespace {

Profile merge(std::initializer_list<const Profile *> profiles) {
  llvm::Expected<Profile> merged = mergeProfiles(profiles);
  if (merged)
    return std::move(*merged);
  ADD_FAILURE() << llvm::toString(merged.takeError());
  return Profile();
}

std::string mergeError(const Profile &a, const Profile &b) {
  llvm::Expected<Profile> merged = mergeProfiles({&a, &b});
  EXPECT_FALSE(bool(merged));
  return merged ? "" : llvm::toString(merged.takeError());
}

TEST(Merge, IsAUnion) {
  std::mt19937_64 random(6);
  for (unsigned round = 0; round != 200; ++round) {
    Profile a = makeRandomProfile(random), b = makeRandomProfile(random),
            c = makeRandomProfile(random);
    std::string all = toBytes(merge({&a, &b, &c}));
    // In any order and grouping, and again.
    EXPECT_EQ(toBytes(merge({&c, &a, &b})), all);
    Profile ab = merge({&a, &b}), bc = merge({&b, &c});
    EXPECT_EQ(toBytes(merge({&ab, &c})), all);
    EXPECT_EQ(toBytes(merge({&a, &bc})), all);
    Profile merged = merge({&a, &b, &c});
    EXPECT_EQ(toBytes(merge({&merged, &b})), all);
    EXPECT_EQ(toBytes(merge({&merged})), all);
    // What it writes is valid.
    llvm::Expected<Profile> again = readProfile(all, "merged");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  }
}

/// By name, independent of how profiles number their op keys.
std::map<std::string, Summary> selfTimes(const Profile &profile) {
  std::map<std::string, Summary> times;
  for (const OpSummary &op : mergeRuns(profile))
    if (const Summary *self = op.find(Quantity::Self))
      times[profile.opKeys[op.op].op].merge(*self);
  return times;
}

TEST(Merge, IsExact) {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round != 50; ++round) {
    Profile a = makeRandomProfile(random), b = makeRandomProfile(random);
    Profile merged = merge({&a, &b});
    // Each run once, whoever has it.
    std::map<std::string, Summary> expected;
    std::set<std::string> seen;
    for (const Profile *profile : {&a, &b}) {
      for (const auto &run : profile->runs) {
        if (!seen.insert(run.hash).second)
          continue;
        Profile alone = *profile;
        alone.runs = {run};
        for (auto &[name, summary] : selfTimes(alone))
          expected[name].merge(summary);
      }
    }
    EXPECT_EQ(merged.runs.size(), seen.size());
    EXPECT_EQ(selfTimes(merged), expected);
  }
}

TEST(Merge, KeepsEventsThatOneImportKept) {
  Profile with = makeFixedProfile(), without = with;
  without.runs[0].kept = EventColumns();
  Profile merged = merge({&without, &with});
  ASSERT_EQ(merged.runs.size(), 1u);
  EXPECT_EQ(merged.runs[0].kept.size(), 3u);
  EXPECT_EQ(merged.irModules.size(), 2u);
  EXPECT_EQ(merged.programs.size(), 1u);
  EXPECT_EQ(merged.hloModules.size(), 1u);
}

TEST(Merge, OfNothingIsEmpty) {
  EXPECT_EQ(toBytes(merge({})), toBytes(Profile()));
}

TEST(Merge, RefusesWhatItCannotMergeExactly) {
  Profile fixed = makeFixedProfile();
  Profile newer = fixed;
  newer.minor = Profile::kMinor + 1;
  EXPECT_NE(mergeError(fixed, newer).find("newer version"), std::string::npos);
  Profile unknown = fixed;
  unknown.unknownSections.push_back({99, 0, 0, ""});
  EXPECT_NE(mergeError(unknown, fixed).find("newer version"),
            std::string::npos);
  Profile nameless = fixed;
  nameless.runs[0].hash.clear();
  EXPECT_NE(mergeError(fixed, nameless).find("content hash"),
            std::string::npos);
  Profile otherHlo = fixed;
  otherHlo.hloModules[0].instructions[0].opcode = "subtract";
  EXPECT_NE(mergeError(fixed, otherHlo).find("HLO module jit_f (program 10)"),
            std::string::npos);
  Profile otherIr = fixed;
  otherIr.irModules[0].fingerprint = "x";
  EXPECT_NE(mergeError(fixed, otherIr).find("level input"), std::string::npos);
  Profile otherProgram = fixed;
  otherProgram.programs[0].nodes[1].cost = 1;
  EXPECT_NE(mergeError(fixed, otherProgram).find("program p1"),
            std::string::npos);
}

} // namespace
