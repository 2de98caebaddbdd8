//===- OwnershipTest.cpp - Times of the ops of a module -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/Ownership.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;

namespace {

struct SplitCase {
  int64_t total;
  std::vector<uint64_t> weights;
  std::vector<int64_t> parts;
};
const SplitCase splitCases[] = {
#include "SplitCases.inc"
};

TEST(SplitExactly, EqualsExactFractions) {
  for (const SplitCase &test : splitCases) {
    std::vector<int64_t> parts = splitExactly(test.total, test.weights);
    EXPECT_EQ(parts, test.parts) << test.total;
    __int128 sum = 0;
    for (int64_t part : parts)
      sum += part;
    EXPECT_TRUE(sum == test.total);
  }
  EXPECT_TRUE(splitExactly(5, {}).empty());
}

/// A profile of op keys with these self times, one event each.
Profile makeProfile(std::initializer_list<int64_t> times) {
  Profile profile;
  profile.runs.resize(1);
  for (int64_t time : times) {
    OpSummary op;
    op.op = uint32_t(profile.opKeys.size());
    op.firstBeginPs = 1000 - op.op;
    op.get(Quantity::Execute).add(time);
    op.get(Quantity::Self).add(time);
    profile.opKeys.emplace_back();
    profile.runs[0].ops.push_back(op);
  }
  return profile;
}

Match makeMatch(MatchClass matchClass, std::vector<uint32_t> ops,
                std::vector<uint64_t> weights, std::string reason = "") {
  Match match;
  match.matchClass = matchClass;
  match.ops = std::move(ops);
  match.weights = std::move(weights);
  match.reason = std::move(reason);
  return match;
}

TEST(Attribute, ChargesEachClass) {
  Profile profile = makeProfile({100, 10, 7, 5, 3, 2});
  Ownership ownership;
  ownership.ops.resize(4);
  ownership.matches = {
      makeMatch(MatchClass::Unique, {1}, {1}),
      makeMatch(MatchClass::Fused, {1, 2, 3}, {1, 2, 2}),
      makeMatch(MatchClass::Ambiguous, {2, 3}, {1, 1}),
      makeMatch(MatchClass::Partial, {3}, {1}, "gone"),
      makeMatch(MatchClass::Unmatched, {}, {}, "no op_name"),
      makeMatch(MatchClass::Unmatched, {}, {}, "no op_name"),
  };
  Attribution result = attribute(profile, ownership);
  ASSERT_EQ(result.ops.size(), 4u);
  EXPECT_EQ(result.ops[0].count, 0u);
  EXPECT_EQ(result.ops[1].solePs, 100);
  EXPECT_EQ(result.ops[1].sharedPs, 10);
  EXPECT_EQ(result.ops[1].estimatedPs, 2);
  EXPECT_EQ(result.ops[1].totalPs(), 102);
  EXPECT_EQ(result.ops[1].count, 2u);
  EXPECT_EQ(result.ops[1].firstBeginPs, 999);
  EXPECT_EQ(result.ops[2].solePs, 0);
  EXPECT_EQ(result.ops[2].sharedPs, 17);
  EXPECT_EQ(result.ops[2].estimatedPs, 4 + 4);
  EXPECT_EQ(result.ops[3].solePs, 5);
  EXPECT_EQ(result.ops[3].sharedPs, 17);
  EXPECT_EQ(result.ops[3].estimatedPs, 4 + 3);
  const Coverage &coverage = result.coverage;
  EXPECT_EQ(coverage.opTimePs, 127);
  EXPECT_EQ(coverage.uniquePs, 100);
  EXPECT_EQ(coverage.fusedPs, 10);
  EXPECT_EQ(coverage.ambiguousPs, 7);
  EXPECT_EQ(coverage.partialPs, 5);
  EXPECT_EQ(coverage.unmatchedPs, 5);
  EXPECT_EQ(coverage.meanFusedMembersPpm, 3000000);
  ASSERT_EQ(result.unmatched.size(), 1u);
  EXPECT_EQ(result.unmatched[0].reason, "no op_name");
  EXPECT_EQ(result.unmatched[0].timePs, 5);
  EXPECT_EQ(result.unmatched[0].count, 2u);
}

TEST(Attribute, WeighsSetSizesByTime) {
  Profile profile = makeProfile({30, 10});
  Ownership ownership;
  ownership.ops.resize(9);
  ownership.matches = {
      makeMatch(MatchClass::Fused, {1, 2}, {0, 0}),
      makeMatch(MatchClass::Fused, {1, 2, 3, 4, 5, 6, 7}, {}),
  };
  // (30 * 2 + 10 * 7) / 40 = 3.25
  Attribution result = attribute(profile, ownership);
  EXPECT_EQ(result.coverage.meanFusedMembersPpm, 3250000);
  EXPECT_EQ(result.ops[1].estimatedPs, 15 + 2);
}

TEST(Attribute, SurvivesForeignIndicesAndSaturates) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  Profile profile = makeProfile({kMax, kMax, 4});
  Ownership ownership;
  ownership.ops.resize(1);
  ownership.matches = {makeMatch(MatchClass::Unique, {0}, {1}),
                       makeMatch(MatchClass::Fused, {0, 7}, {1, 1})};
  Attribution result = attribute(profile, ownership);
  EXPECT_EQ(result.coverage.opTimePs, kMax);
  EXPECT_EQ(result.ops[0].solePs, kMax);
  EXPECT_EQ(result.ops[0].sharedPs, kMax);
  EXPECT_EQ(result.coverage.unmatchedPs, 4);
}

TEST(OpSummary, TimeIsSelfPlusWhatRanOnAsynchronously) {
  OpSummary op;
  EXPECT_EQ(op.getTimePs(), 0);
  EXPECT_EQ(op.getCount(), 0u);
  op.get(Quantity::Execute).add(100);
  EXPECT_EQ(op.getTimePs(), 100);
  op.get(Quantity::Self).add(90);
  EXPECT_EQ(op.getTimePs(), 90);
  op.get(Quantity::Bounded).add(150);
  EXPECT_EQ(op.getTimePs(), 140);
  EXPECT_EQ(op.getCount(), 1u);
  EXPECT_EQ(op.getSum(Quantity::Complete), 0);
  EXPECT_EQ(op.find(Quantity::Complete), nullptr);
}

TEST(MergeRuns, AddsUpOverRuns) {
  Profile profile = makeProfile({5, 6});
  profile.runs.push_back(profile.runs[0]);
  profile.runs[1].ops[0].firstBeginPs = 3;
  profile.runs[1].ops.pop_back();
  profile.opKeys.emplace_back();
  std::vector<OpSummary> merged = mergeRuns(profile);
  ASSERT_EQ(merged.size(), 3u);
  EXPECT_EQ(merged[0].getCount(), 2u);
  EXPECT_EQ(merged[0].getSum(Quantity::Self), 10);
  EXPECT_EQ(merged[0].firstBeginPs, 3);
  EXPECT_EQ(merged[1].getSum(Quantity::Execute), 6);
  EXPECT_TRUE(merged[2].measurements.empty());
}

} // namespace
