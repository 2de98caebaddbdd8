//===- MergeTest.cpp - Union of profiles ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Merge.h"
#include "TestProfiles.h"
#include "mlir-prof/Profile/Compact.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Profile/StoredModule.h"
#include "mlir-prof/Scope/Recording.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

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
    // The written profile is valid.
    llvm::Expected<Profile> again = readProfile(all, "merged");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  }
}

/// Executions, and their time, by name: independent of how profiles number
/// their op keys.
struct Times {
  std::map<std::string, Summary> execute;
  std::map<std::string, int64_t> timePs;
};

Times getTimes(const Profile &profile) {
  Times times;
  for (const OpSummary &op : mergeRuns(profile)) {
    if (const Summary *execute = op.find(Quantity::Execute))
      times.execute[profile.opKeys[op.op].op].merge(*execute);
    times.timePs[profile.opKeys[op.op].op] += op.getTimePs();
  }
  return times;
}

TEST(Merge, IsExact) {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round != 50; ++round) {
    Profile a = makeRandomProfile(random), b = makeRandomProfile(random);
    Profile merged = merge({&a, &b});
    // Each run once, whichever profile contains it.
    Times expected;
    std::set<std::string> seen;
    for (const Profile *profile : {&a, &b}) {
      for (const auto &run : profile->runs) {
        if (!seen.insert(run.hash).second)
          continue;
        Profile alone = *profile;
        alone.runs = {run};
        Times times = getTimes(alone);
        for (auto &[name, summary] : times.execute)
          expected.execute[name].merge(summary);
        for (auto &[name, timePs] : times.timePs)
          expected.timePs[name] += timePs;
      }
    }
    EXPECT_EQ(merged.runs.size(), seen.size());
    Times times = getTimes(merged);
    EXPECT_TRUE(times.execute == expected.execute);
    for (auto &[name, timePs] : expected.timePs)
      EXPECT_EQ(times.timePs[name], timePs) << name;
  }
}

TEST(Merge, KeepsEventsThatOneImportKept) {
  Profile with = makeFixedProfile(), without = with;
  without.runs[0].kept = EventColumns();
  Profile merged = merge({&without, &with});
  ASSERT_EQ(merged.runs.size(), 1u);
  EXPECT_EQ(merged.runs[0].kept.size(), 3u);
  EXPECT_EQ(merged.irModules.size(), 2u);
  EXPECT_EQ(merged.programs.size(), 2u);
  EXPECT_EQ(merged.hloModules.size(), 1u);
}

TEST(Merge, KeepsMachinesApart) {
  Profile a = makeFixedProfile(), b = a;
  b.runs[0].hash = "other";
  b.runs[0].folded = {"0c"};
  // Another process: its scopes are not copies.
  auto scopes = std::make_shared<scope::Recording>(*b.runs[0].scopes);
  ++scopes->process;
  b.runs[0].scopes = std::move(scopes);
  b.runs[0].machine.cpu = "another";
  EXPECT_NE(mergeError(a, b).find("another machine (another, 8 threads"),
            std::string::npos);
  EXPECT_EQ(
      llvm::cantFail(mergeProfiles({&a, &b}, MachineRule::Mixed)).runs.size(),
      2u);
  // Names of containers change; unknown properties do not count as a
  // difference.
  b.runs[0].machine = a.runs[0].machine;
  b.runs[0].machine.host = "another";
  EXPECT_EQ(merge({&a, &b}).runs.size(), 2u);
  b.runs[0].machine.cpu.clear();
  EXPECT_NE(mergeError(a, b).find("another machine (another)"),
            std::string::npos);
  b.runs[0].machine = Machine();
  EXPECT_EQ(merge({&a, &b}).runs.size(), 2u);
}

/// A profile of one run that measured `ops`, with or without the module with
/// which it was imported.
Profile makeImport(llvm::StringRef hash,
                   std::initializer_list<const char *> ops, bool hasModule) {
  Profile profile;
  Run &run = profile.runs.emplace_back();
  run.hash = hash.str();
  for (const char *name : ops) {
    profile.opKeys.emplace_back(name, "", GraphNodeKey());
    OpSummary &op = run.ops.emplace_back();
    op.op = uint32_t(profile.opKeys.size() - 1);
    op.get(Quantity::Self).add(1000);
  }
  if (hasModule) {
    IrModule &module = profile.irModules.emplace_back();
    module.level = "input";
    module.fingerprint = "f";
    module.bytecode = "b";
  }
  return profile;
}

std::map<std::string, bool> getKeysOfModule(const Profile &profile) {
  std::map<std::string, bool> keys;
  std::vector<bool> isOf = findKeysOfStoredModule(profile);
  for (size_t i = 0; i != isOf.size(); ++i)
    keys[profile.opKeys[i].op] = isOf[i];
  return keys;
}

/// A module does not apply to recordings imported without it.
TEST(Merge, KeepsWhatAModuleIsOf) {
  Profile with = makeImport("01", {"mine", "both"}, true),
          without = makeImport("02", {"theirs", "both"}, false),
          more = makeImport("03", {"third"}, false);
  Profile merged = merge({&with, &without});
  EXPECT_EQ(merged.irModules.size(), 1u);
  std::map<std::string, bool> expected = {
      {"mine", true}, {"both", true}, {"theirs", false}};
  EXPECT_EQ(getKeysOfModule(merged), expected);
  // In any order and grouping, and again.
  std::string all = toBytes(merge({&with, &without, &more}));
  EXPECT_EQ(toBytes(merge({&more, &without, &with})), all);
  EXPECT_EQ(toBytes(merge({&merged, &more})), all);
  Profile others = merge({&without, &more});
  EXPECT_EQ(toBytes(merge({&others, &with})), all);
  EXPECT_EQ(toBytes(merge({&merged, &with})), toBytes(merged));
  // A recording imported both ways belongs to the module.
  Profile again = makeImport("02", {"theirs", "both"}, true);
  expected["theirs"] = true;
  EXPECT_EQ(getKeysOfModule(merge({&merged, &again})), expected);
  EXPECT_EQ(getKeysOfModule(merge({&again, &merged})), expected);
  // Folded runs are separate too.
  Profile compact = llvm::cantFail(compactProfile(merged));
  EXPECT_EQ(compact.runs.size(), 2u);
  expected["theirs"] = false;
  EXPECT_EQ(getKeysOfModule(compact), expected);
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
