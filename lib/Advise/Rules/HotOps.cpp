//===- HotOps.cpp - Hot ops far from the machine's peak -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "Rules.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;

/// Minimum share of the ops' time: removing less would not be noticed.
static constexpr int64_t kHotPpm = 50000;
/// Share of the attainable rate. Well-tuned kernels reach more than half.
static constexpr int64_t kFarPpm = 500000;
/// Share that a good kernel reaches; the gain is counted up to this.
static constexpr int64_t kReachablePpm = 700000;

static Advice describe(const AdviseContext &context, const Table &table,
                       uint32_t row, int64_t timePs, uint64_t iterations) {
  int64_t attainable = *getNumber(table, row, "attainable_ppm");
  Advice advice =
      context.makeAdvice(timePs - scale(timePs, attainable, kReachablePpm));
  addText(advice, "op", getText(table, row, "op"));
  addText(advice, "location", getText(table, row, "location"));
  addTime(advice, "time_ps", timePs);
  addPpm(advice, "share_ppm", getPpm(timePs, context.opTimePs));
  addCount(advice, "iterations", iterations);
  addPpm(advice, "attainable_ppm", attainable);
  addPpm(advice, "reachable_ppm", kReachablePpm);
  addText(advice, "bound", getText(table, row, "bound"));
  for (llvm::StringRef name : {"flops", "bytes"})
    addCount(advice, name, uint64_t(getNumber(table, row, name).value_or(0)));
  for (llvm::StringRef name : {"flops_per_second", "bytes_per_second"})
    addRate(advice, name, getNumber(table, row, name).value_or(0));
  if (auto index = getNumber(table, row, "index"))
    advice.ops.push_back(uint32_t(*index));
  advice.subjects.push_back({getText(table, row, "op").str(),
                             getText(table, row, "location").str(), timePs});
  return advice;
}

static Findings find(const AdviseContext &context) {
  const Table *table = context.getRoofline();
  if (!table)
    return std::nullopt;
  Findings findings;
  for (uint32_t row = 0; row < table->size(); ++row) {
    auto attainable = getNumber(*table, row, "attainable_ppm");
    if (!attainable)
      continue;
    if (!findings)
      findings.emplace();
    int64_t timePs = getNumber(*table, row, "time_ps").value_or(0);
    int64_t iterations = getNumber(*table, row, "iterations").value_or(0);
    if (*attainable < kFarPpm && context.isShareOfOps(timePs, kHotPpm))
      findings->push_back(
          describe(context, *table, row, timePs, uint64_t(iterations)));
  }
  return findings;
}

AdviceRule rule::HotOps() {
  return {"hot-op-far-from-roofline",
          "an op with much of the time is far from the machine's peak",
          "a recording of mlir-prof record with the machine's peak",
          "{op} at {location} takes {time_ps} ({share_ppm} of the ops' time) "
          "in {iterations} iterations, and reaches {attainable_ppm} of the "
          "attainable rate (bound: {bound}; {flops} flop and {bytes} bytes per "
          "iteration, {flops_per_second} flop/s per thread)",
          "Let the optimizer measure other schedules and algorithms for it, or "
          "write the op in a form that the pipeline knows.",
          "iteration_sum",
          "the sum over all iterations, without those of the warm-up",
          "mlir-prof optimize {MODEL} --profile={PROFILE} -o faster.mlir",
          find,
          {"algorithm", "tiles"}};
}
