//===- SearchTest.cpp - A search with a simulated clock -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeStopwatch.h"
#include "mlir-prof/Tuning/TrialPlanner.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

/// The i-th op takes 1 / (i + 1) s. A trial on it gains `gains[i]`.
struct FakeModel {
  std::vector<double> gains;
  /// Ops that already take the least time that the machine needs.
  std::set<size_t> atBound;

  double getSeconds(size_t op) const { return 1.0 / double(op + 1); }
};

struct SearchResult {
  std::set<size_t> tried, kept;
  double seconds = 0;
  StopReason reason = StopReason::None;
};

/// Makes the trials that the planner names, each by a comparison under noise.
SearchResult search(const FakeModel &model, const PlannerOptions &options,
                    uint64_t seed) {
  TrialPlanner planner(options);
  for (size_t op = 0; op != model.gains.size(); ++op) {
    double seconds = model.getSeconds(op);
    double bound = model.atBound.count(op) ? seconds : 0.6 * seconds;
    TrialEstimate estimate;
    estimate.technique = "t";
    estimate.costSeconds = 1;
    planner.addTrial(planner.addSite({"op", seconds, bound}), estimate);
  }
  SearchResult result;
  while (std::optional<PlannedTrial> trial = planner.next(result.seconds)) {
    result.tried.insert(trial->site);
    FakeStopwatch stopwatch(seed * 1000 + trial->site, model.gains[trial->site],
                            {0.02, 0, 0.005, 0.05});
    ComparisonOptions comparing;
    comparing.alpha = 0.001;
    Comparison seen = llvm::cantFail(compare(stopwatch, comparing));
    bool isFaster = seen.verdict == Verdict::Faster;
    if (isFaster)
      result.kept.insert(trial->site);
    planner.report(trial->trial,
                   {isFaster ? Outcome::Kept : Outcome::Rejected,
                    seen.ratio * model.getSeconds(trial->site), seen.seconds});
    result.seconds += seen.seconds;
  }
  result.reason = planner.getStopReason();
  return result;
}

TEST(SearchTest, FindsWhatIsThereAndNothingElse) {
  FakeModel model;
  for (size_t op = 0; op != 200; ++op) {
    model.gains.push_back(op % 3 ? 0 : 0.05);
    if (op % 5 == 4)
      model.atBound.insert(op);
  }
  for (uint64_t seed = 0; seed != 20; ++seed) {
    SearchResult result = search(model, {}, seed);
    EXPECT_EQ(result.reason, StopReason::BelowNoise);
    // The harmonic sum of 200 is 5.878: a fifth of an op's time has to be a
    // thousandth of that, and results make it less for later ops.
    EXPECT_GE(result.tried.size(), 10u);
    EXPECT_LE(*result.tried.rbegin(), 34u);
    for (size_t op : result.tried) {
      EXPECT_FALSE(model.atBound.count(op)) << op;
      EXPECT_EQ(result.kept.count(op), op % 3 ? 0u : 1u) << op;
    }
    // The hottest came first, so all hot ones were tried.
    for (size_t op : {0, 1, 2, 3, 5})
      EXPECT_TRUE(result.tried.count(op)) << op;
  }
}

TEST(SearchTest, EndsWithItsBudget) {
  FakeModel model;
  model.gains.assign(100, 0.05);
  PlannerOptions options;
  options.seconds = 5;
  SearchResult result = search(model, options, 1);
  // A trial takes about 0.7 s, not the second that was estimated.
  EXPECT_EQ(result.reason, StopReason::BudgetUsed);
  EXPECT_LE(result.seconds, 5.5);
  EXPECT_GE(result.tried.size(), 6u);
  EXPECT_EQ(*result.tried.rbegin(), result.tried.size() - 1);
}

TEST(SearchTest, StopsSoonWhenNothingHelps) {
  FakeModel model;
  model.gains.assign(100, 0.0);
  SearchResult result = search(model, {}, 1);
  EXPECT_TRUE(result.kept.empty());
  EXPECT_EQ(result.reason, StopReason::BelowNoise);
  EXPECT_LE(result.tried.size(), 34u);
}

} // namespace
