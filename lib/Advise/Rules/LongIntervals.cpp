//===- LongIntervals.cpp - Time before steps begin to work ----------------===//
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

/// MindSpore's threshold for the mean; a shorter one is the usual cost of a
/// loop.
static constexpr int64_t kIntervalPs = 500000000;
/// A smaller share of the steps is not worth a change.
static constexpr int64_t kIntervalPpm = 50000;

static Findings find(const AdviseContext &context) {
  StepPhases phases = getStepPhases(context);
  if (phases.steps == 0)
    return std::nullopt;
  std::vector<Advice> findings;
  int64_t meanPs = getMean(phases.intervalPs, phases.steps);
  int64_t ppm = getPpm(phases.intervalPs, phases.totalPs);
  if (meanPs <= kIntervalPs || ppm < kIntervalPpm)
    return findings;
  Advice advice = context.makeAdvice(phases.intervalPs);
  advice.basis = GainBasis::StepTime;
  advice.basisPs = phases.totalPs;
  addTime(advice, "interval_ps", meanPs);
  addPpm(advice, "interval_ppm", ppm);
  addTime(advice, "step_ps", getMean(phases.totalPs, phases.steps));
  addCount(advice, "steps", phases.steps);
  advice.evidence.push_back({"step-trace", {}});
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::LongIntervals() {
  return {"long-interval",
          "steps wait long before their first op",
          "the phases of at least two steps",
          "{steps} steps wait {interval_ps} on average before their first op, "
          "{interval_ppm} of their time ({step_ps} each)",
          "Look whether the input arrives in time (pipeline, queue), and move "
          "work of the host out of the loop.",
          "mean_of_steps",
          "the mean over all steps but the first of each recording",
          "mlir-prof report {PROFILE} --by=step-trace",
          find};
}
