//===- SlowRanks.cpp - Ranks that the others wait for ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Steps of a rank against the mean of all ranks, in millionths.
static constexpr int64_t kSlowPpm = 1200000;

static Findings find(const AdviseContext &context) {
  const Table &table = context.getReport("cluster");
  std::vector<uint32_t> ranks;
  for (uint32_t row = 0; row != table.size(); ++row) {
    // Other recordings with steps need not be ranks of one job.
    if (getNumber(table, row, "rank"))
      ranks.push_back(row);
  }
  if (ranks.size() < 2)
    return std::nullopt;
  __int128 sum = 0;
  for (uint32_t row : ranks)
    sum += getNumber(table, row, "step_ps").value_or(0);
  int64_t meanPs = int64_t(sum / __int128(ranks.size()));
  std::vector<Advice> findings;
  for (uint32_t row : ranks) {
    int64_t stepPs = getNumber(table, row, "step_ps").value_or(0);
    int64_t ppm = scale(stepPs, 1000000, meanPs);
    if (ppm <= kSlowPpm)
      continue;
    int64_t steps = getNumber(table, row, "steps").value_or(0);
    int64_t rank = getNumber(table, row, "rank").value_or(0);
    // At best, it is as fast as the mean; the others then wait less.
    Advice advice = context.makeAdvice(saturatingMul(stepPs - meanPs, steps));
    advice.basis = GainBasis::StepTime;
    advice.basisPs = saturatingMul(stepPs, steps);
    addCount(advice, "rank", uint64_t(rank));
    addCount(advice, "ranks", ranks.size());
    addTime(advice, "step_ps", stepPs);
    addTime(advice, "mean_ps", meanPs);
    addPpmRatio(advice, "mean_ppm", ppm);
    advice.evidence.push_back({"cluster", {"rank=" + std::to_string(rank)}});
    findings.push_back(std::move(advice));
  }
  return findings;
}

AdviceRule rule::SlowRanks() {
  return {"slow-rank",
          "a rank takes longer for its steps than the others, which wait",
          "steps of at least two ranks of a training job",
          "a step of rank {rank} takes {step_ps}, {mean_ppm} times the mean of "
          "{ranks} ranks ({mean_ps})",
          "Compare its phases, input and device with those of the others.",
          "mean_of_steps",
          "the mean over the steps of each rank, and over the ranks",
          "mlir-prof report {PROFILE} --by=cluster",
          find};
}
