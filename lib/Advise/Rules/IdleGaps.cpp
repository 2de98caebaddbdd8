//===- IdleGaps.cpp - Time in which no op runs ----------------------------===//
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
using namespace mlirprof::trace;

/// Less is the usual cost of a loop in Python.
static constexpr int64_t kIdlePpm = 100000;

static Findings find(const AdviseContext &context) {
  StepTimes times = getStepTimes(context.profile);
  // With fewer than three steps, a first step or a stall cannot be recognized.
  if (times.steps == 0 || times.busyPs == 0)
    return std::nullopt;
  std::vector<Advice> findings;
  int64_t idlePs = saturatingAdd(times.betweenPs, times.idlePs);
  int64_t ppm = getPpm(idlePs, times.spanPs);
  if (ppm < kIdlePpm)
    return findings;
  Advice advice = context.makeAdvice(idlePs);
  advice.basis = GainBasis::StepTime;
  advice.basisPs = times.spanPs;
  addTime(advice, "idle_ps", idlePs);
  addTime(advice, "between_steps_ps", times.betweenPs);
  addTime(advice, "within_steps_ps", times.idlePs);
  addTime(advice, "busy_ps", times.busyPs);
  addTime(advice, "span_ps", times.spanPs);
  addPpm(advice, "idle_ppm", ppm);
  addCount(advice, "steps", times.steps);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::IdleGaps() {
  return {"idle-gaps",
          "no op runs in much of the time between and within steps",
          "at least three steps of another tool's recording, and ops in them",
          "no op runs in {idle_ppm} of {steps} typical steps ({span_ps}): "
          "{between_steps_ps} between the steps, {within_steps_ps} in them",
          "Prepare the next step while this one runs: dispatch asynchronously, "
          "fetch results later, and keep slow Python code out of the loop.",
          "step_medians",
          "the medians over the steps of a run of the idle time in a step, the "
          "busy time and the gap to the next step, times the number of each",
          "mlir-prof report {PROFILE} --by=step",
          find};
}
