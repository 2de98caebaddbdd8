//===- Recompilation.cpp - Programs that are compiled again and again -----===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Words.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// The first compilation is needed; from this many on it is repeated.
static constexpr uint64_t kRepeated = 3;
/// Of the ops' time.
static constexpr int64_t kCompilePpm = 50000;
/// Of the time in which no op runs: steps that compile this much of it wait for
/// little else.
static constexpr int64_t kWaitingPpm = 250000;

static bool isCompilation(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {
      "compile", "compiling", "compilation", "recompile", "recompilation"};
  // TensorFlow's attribute _XlaMustCompile is part of the names of functions.
  static constexpr llvm::StringLiteral kNot[] = {"must", "cache", "lookup"};
  // Frames of Python are named by file and function; those that run what was
  // compiled are called compile_wrapper and the like.
  bool isFrame = name.contains(".py(") || name.contains(".py:");
  return !isFrame && hasWord(name, kWords) && !hasWord(name, kNot);
}

namespace {
struct Compilation {
  uint64_t count = 0;
  int64_t timePs = 0;
};
} // namespace

/// Adds the compilations of a run: of phases, nested or handed to other threads
/// that the first one waits for, the one with most time, which holds the
/// others.
static void addRun(const Profile &profile, const Run &run,
                   std::map<std::string, Compilation> &all) {
  const EventSummary *longest = nullptr;
  for (const EventSummary &event : run.events)
    if (event.name < profile.strings.size() &&
        isCompilation(profile.strings[event.name]) &&
        (!longest || event.total.sum > longest->total.sum))
      longest = &event;
  if (!longest)
    return;
  Compilation &sum = all[profile.strings[longest->name]];
  sum.count += longest->total.count;
  sum.timePs = saturatingAdd(sum.timePs, getHabitPs(longest->total));
}

/// From the begin of the first step to the end of the last, of all runs.
static int64_t getStepsPs(const Profile &profile) {
  int64_t sumPs = 0;
  for (const Run &run : profile.runs) {
    if (run.steps.empty() || isOwnRecording(run))
      continue;
    int64_t beginPs = INT64_MAX, endPs = INT64_MIN;
    for (const Step &step : run.steps) {
      beginPs = std::min(beginPs, step.beginPs);
      endPs = std::max(endPs, saturatingAdd(step.beginPs, step.durationPs));
    }
    sumPs = saturatingAdd(sumPs, saturatingSub(endPs, beginPs));
  }
  return sumPs;
}

/// What compilations hold up. Where each step compiles, a step also waits for
/// the tracing and lowering before it, which few tools name: all the time in
/// which no op usually runs.
static int64_t getHeldUpPs(const Profile &profile, const Compilation &sum) {
  StepTimes times = getStepTimes(profile);
  int64_t idlePs = saturatingAdd(times.idlePs, times.betweenPs);
  bool isEachStep = times.steps != 0 && sum.count >= times.steps;
  return isEachStep && getPpm(sum.timePs, idlePs) >= kWaitingPpm
             ? std::max(sum.timePs, idlePs)
             : sum.timePs;
}

static Findings find(const AdviseContext &context) {
  std::map<std::string, Compilation> all;
  bool hasEvents = false;
  for (const Run &run : context.profile.runs) {
    if (isOwnRecording(run))
      continue;
    hasEvents |= !run.events.empty();
    addRun(context.profile, run, all);
  }
  if (!hasEvents)
    return std::nullopt;
  std::vector<Advice> findings;
  Advice advice = context.makeAdvice(std::nullopt);
  Compilation sum;
  for (const auto &[name, compilation] : all) {
    sum.count += compilation.count;
    sum.timePs = saturatingAdd(sum.timePs, compilation.timePs);
    advice.subjects.push_back({name, "", compilation.timePs});
  }
  if (sum.count < kRepeated || !context.isShareOfOps(sum.timePs, kCompilePpm))
    return findings;
  int64_t heldUpPs = getHeldUpPs(context.profile, sum);
  advice.gainPs = heldUpPs - getMean(heldUpPs, sum.count);
  // Where there are no steps, what was not compiling was running ops.
  int64_t stepsPs = getStepsPs(context.profile);
  advice.basis = stepsPs > 0 ? GainBasis::StepTime : GainBasis::OpTime;
  advice.basisPs =
      stepsPs > 0 ? stepsPs : saturatingAdd(context.opTimePs, sum.timePs);
  addCount(advice, "compilations", sum.count);
  addTime(advice, "compile_ps", sum.timePs);
  addTime(advice, "held_up_ps", heldUpPs);
  addPpm(advice, "compile_ppm", getPpm(sum.timePs, context.opTimePs));
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::Recompilation() {
  return {
      "repeated-recompilation",
      "programs are compiled again during the measurement",
      "events of another tool's recording",
      "{compilations} compilations take {compile_ps}, as much as "
      "{compile_ppm} of the ops' time, and hold up the rest for "
      "{held_up_ps}",
      "Look for what differs from call to call (shapes, types, Python "
      "values) and pad it, mark it dynamic, or pass it as an argument; keep "
      "compiled programs in a cache on disk.",
      "habit_sum_and_step_medians",
      "the sum of the compilations of a run, without what does not come "
      "back; of steps that wait for them, the medians times their number",
      "mlir-prof report {PROFILE} --by=event --filter=name~ompile",
      find};
}
