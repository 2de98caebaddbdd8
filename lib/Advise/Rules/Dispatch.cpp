//===- Dispatch.cpp - Dispatch overhead larger than the work --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Words.h"
#include "Rules.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringSet.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Ratio of overhead to work above which most of the time is overhead.
static constexpr int64_t kOverheadPpm = 1000000;
/// Ratio that a compiled program still needs for dispatch; the gain is the time
/// above it.
static constexpr int64_t kCompiledPpm = 100000;
/// A call with longer work hides the cost of a dispatch (5 to 20 us in eager
/// frameworks and for launches).
static constexpr int64_t kTinyCallPs = 20 * 1000 * 1000;
/// An op around others whose time without them is shorter does little but call
/// them; a longer one works itself, as aten::addmm does around the views that
/// it creates.
static constexpr int64_t kCallingPs = 10 * 1000 * 1000;
/// Minimum number of calls for the rule.
static constexpr uint64_t kManyCalls = 100;

namespace {
struct Costs {
  int64_t workPs = 0;
  uint64_t calls = 0;
  /// The framework's ops around others, without these.
  int64_t frameworkPs = 0;
  /// Calls that launch kernels.
  int64_t launchPs = 0;
  /// Within steps, while no op ran.
  int64_t idlePs = 0;
  int64_t getOverheadPs() const {
    // While launches run, steps also look idle to ops of a device.
    return saturatingAdd(frameworkPs, std::max(launchPs, idlePs));
  }
};
} // namespace

/// Names of ops that call others: their own time is the framework's.
static llvm::StringSet<> getCallers(const Profile &profile) {
  llvm::StringSet<> callers;
  for (const OpKey &key : profile.opKeys) {
    KeyTraits traits = getKeyTraits(key);
    if (traits.isCall)
      for (const std::string &caller : traits.callers)
        callers.insert(caller);
  }
  return callers;
}

/// Whether the op calls others, and does not do anything else.
static bool isCalling(const KeyTraits &traits, const OpSummary &op,
                      const llvm::StringSet<> &callers) {
  return traits.isCall && traits.kernel.empty() &&
         callers.contains(traits.opType) && op.getCount() != 0 &&
         getMean(op.getTimePs(), op.getCount()) < kCallingPs;
}

static Costs getCosts(const AdviseContext &context) {
  Costs costs;
  llvm::StringSet<> callers = getCallers(context.profile);
  for (const OpSummary &op : context.merged) {
    KeyTraits traits = context.getTraits(op);
    if (traits.isOutside)
      continue;
    if (isCalling(traits, op, callers)) {
      costs.frameworkPs =
          saturatingAdd(costs.frameworkPs, context.getTimePs(op));
      continue;
    }
    costs.workPs = saturatingAdd(costs.workPs, context.getTimePs(op));
    costs.calls += op.getCount();
  }
  static constexpr llvm::StringLiteral kLaunch[] = {"launch"};
  for (const Run &run : context.profile.runs)
    for (const EventSummary &event : run.events)
      if (event.name < context.profile.strings.size() &&
          hasWord(context.profile.strings[event.name], kLaunch))
        costs.launchPs = saturatingAdd(costs.launchPs, getHabitPs(event.self));
  costs.idlePs = getStepTimes(context.profile).idlePs;
  return costs;
}

/// Adds the ops with the most calls, which are those to avoid.
static void addTinyOps(const AdviseContext &context, Advice &advice) {
  for (const OpSummary &op : context.merged)
    if (op.getCount() && getMean(op.getTimePs(), op.getCount()) < kTinyCallPs &&
        !context.getTraits(op).isOutside)
      advice.subjects.push_back(context.getSubject(op));
}

static Findings find(const AdviseContext &context) {
  bool isForeign = llvm::any_of(context.profile.runs, [](const Run &run) {
    return !isOwnRecording(run) && !run.ops.empty();
  });
  // Compiled models do not dispatch ops.
  if (!isForeign || !context.profile.programs.empty())
    return std::nullopt;
  Costs costs = getCosts(context);
  int64_t overheadPs = costs.getOverheadPs();
  std::vector<Advice> findings;
  if (costs.calls < kManyCalls || costs.workPs <= 0 ||
      getMean(costs.workPs, costs.calls) >= kTinyCallPs ||
      overheadPs < scale(costs.workPs, kOverheadPpm, kMillionths.ps))
    return findings;
  Advice advice = context.makeAdvice(
      overheadPs - scale(costs.workPs, kCompiledPpm, kMillionths.ps));
  advice.basisPs = saturatingAdd(costs.workPs, overheadPs);
  addTime(advice, "overhead_ps", overheadPs);
  addTime(advice, "framework_ps", costs.frameworkPs);
  addTime(advice, "launch_ps", costs.launchPs);
  addTime(advice, "idle_ps", costs.idlePs);
  addTime(advice, "work_ps", costs.workPs);
  addCount(advice, "calls", costs.calls);
  addTime(advice, "work_per_call_ps", getMean(costs.workPs, costs.calls));
  addTinyOps(context, advice);
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::Dispatch() {
  return {
      "dispatch-larger-than-work",
      "the framework needs more time between many small calls than they do",
      "a recording of a framework's or a runtime's ops",
      "{calls} calls work for {work_per_call_ps} each ({work_ps} in all), "
      "and {overhead_ps} go to calling them ({framework_ps} in the "
      "framework's own ops; {idle_ps} of the steps while no op ran; "
      "{launch_ps} in launches)",
      "Run the model as one program (torch.compile, jax.jit, tf.function "
      "with jit_compile, or mlir-prof record on the exported MLIR), or give "
      "each call more to do.",
      "habit_sum_and_step_medians",
      "the sum of each op's calls and of each event, without time that does "
      "not recur; of the steps, the medians times their number",
      "mlir-prof report {PROFILE} --by=measured-op --sort=-count --top=20",
      find};
}
