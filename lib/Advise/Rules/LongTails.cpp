//===- LongTails.cpp - Time after the backward pass -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../StepPhases.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// An optimizer that keeps pace takes less.
static constexpr int64_t kTailPpm = 200000;

static Findings find(const AdviseContext &context) {
  StepPhases phases = getStepPhases(context);
  if (phases.steps == 0)
    return std::nullopt;
  std::vector<Advice> findings;
  int64_t ppm = getPpm(phases.tailPs, phases.totalPs);
  if (ppm < kTailPpm)
    return findings;
  // The optimizer needs a part of the tail, which the phases do not tell.
  Advice advice = context.makeAdvice(std::nullopt);
  addTime(advice, "tail_ps", getMean(phases.tailPs, phases.steps));
  addPpm(advice, "tail_ppm", ppm);
  addTime(advice, "step_ps", getMean(phases.totalPs, phases.steps));
  addCount(advice, "steps", phases.steps);
  advice.evidence.push_back({"step-trace", {}});
  if (context.getReport("collective").size())
    advice.evidence.push_back({"collective", {}});
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::LongTails() {
  return {"long-tail",
          "the end of steps, after the backward pass, takes long",
          "the phases of at least two steps",
          "after the backward pass, {steps} steps go on for {tail_ps} on "
          "average, {tail_ppm} of their time ({step_ps} each)",
          "Let collectives overlap the backward pass, and fuse the "
          "optimizer's ops.",
          "mean_of_steps",
          "the mean over all steps but the first of each recording",
          "mlir-prof report {PROFILE} --by=step-trace",
          find};
}
