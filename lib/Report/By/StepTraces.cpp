//===- StepTraces.cpp - The report of the phases of steps ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Profile/Job.h"
#include "mlir-prof/Profile/KeptSamples.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

//===----------------------------------------------------------------------===//
// Phases of ops
//===----------------------------------------------------------------------===//

/// Whether a framework's path of an op says that it is of the backward pass:
/// JAX's transpose(jvp(f)), the gradients of TensorFlow, MindSpore's scope.
static bool isBackwardPath(llvm::StringRef path) {
  return path.contains("transpose(jvp(") || path.contains("gradient_tape/") ||
         path.contains("gradients/") || path.contains("Gradients/");
}

namespace {
/// The roles of ops in their steps.
class Phases {
public:
  Phases(const Profile &profile, const StepOps &bounds)
      : profile(profile), bounds(bounds), names(profile),
        known(profile.opKeys.size()) {}

  struct Facts {
    CallPhase phase = CallPhase::Forward;
    bool isFirst = false;
    bool isLast = false;
  };

  const Facts &get(uint32_t op) {
    if (!known[op])
      known[op] = find(op);
    return *known[op];
  }

private:
  Facts find(uint32_t op);
  bool isBackward(uint32_t op, const KeyTraits &traits);

  const Profile &profile;
  const StepOps &bounds;
  OpNames names;
  std::vector<std::optional<Facts>> known;
};
} // namespace

bool Phases::isBackward(uint32_t op, const KeyTraits &traits) {
  if (isBackwardPath(profile.opKeys[op].op) ||
      isBackwardPath(traits.graphNode) ||
      isBackwardPath(getKeyScope(profile.opKeys[op])))
    return true;
  HloFinder::Found found = names.findInstruction(op);
  if (!found)
    return false;
  // A fusion often has the name of one member only.
  const HloModule &module = found.getModule();
  return isBackwardPath(found.getInstruction().opName) ||
         llvm::any_of(
             found.index->getMembers(found.instruction), [&](uint32_t member) {
               return isBackwardPath(module.instructions[member].opName);
             });
}

Phases::Facts Phases::find(uint32_t op) {
  const OpKey &key = profile.opKeys[op];
  KeyTraits traits = getKeyTraits(key);
  Facts facts;
  facts.phase = traits.phase;
  if (facts.phase == CallPhase::Forward && isBackward(op, traits))
    facts.phase = CallPhase::Backward;
  std::string path = getKeyScope(key) + "/" + key.op;
  auto isNamed = [&](llvm::StringRef part) {
    return !part.empty() && llvm::StringRef(path).contains(part);
  };
  facts.isFirst = isNamed(bounds.first);
  facts.isLast = isNamed(bounds.last);
  return facts;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// A step, and what its events say.
struct Traced {
  int64_t number = 0;
  int64_t beginPs = 0;
  int64_t endPs = 0;
  bool hasOps = false;
  bool hasBackward = false;
  /// The bounds of the first and the last op that are not the optimizer's.
  int64_t firstPs = INT64_MAX;
  int64_t lastPs = INT64_MIN;
  int64_t backwardPs = INT64_MAX;
  int64_t backwardEndPs = INT64_MIN;
  /// The bounds of the ops that --first-op and --last-op name.
  int64_t namedFirstPs = INT64_MAX;
  int64_t namedLastPs = INT64_MIN;

  void add(int64_t opBeginPs, int64_t opEndPs, const Phases::Facts &facts) {
    opEndPs = std::min(opEndPs, endPs);
    hasOps = true;
    if (facts.phase != CallPhase::Optimizer) {
      firstPs = std::min(firstPs, opBeginPs);
      lastPs = std::max(lastPs, opEndPs);
    }
    if (facts.phase == CallPhase::Backward) {
      hasBackward = true;
      backwardPs = std::min(backwardPs, opBeginPs);
      backwardEndPs = std::max(backwardEndPs, opEndPs);
    }
    if (facts.isFirst)
      namedFirstPs = std::min(namedFirstPs, opBeginPs);
    if (facts.isLast)
      namedLastPs = std::max(namedLastPs, opEndPs);
  }
};
} // namespace

/// The steps that the recording marks, in order; each begins where the one
/// before ended if that is the one before by number, too.
static std::vector<Traced> getMarkedSteps(const Run &run) {
  std::vector<Traced> steps;
  for (const Step &step : run.steps)
    steps.push_back({step.number, step.beginPs,
                     saturatingAdd(step.beginPs, step.durationPs)});
  llvm::stable_sort(steps, [](const Traced &a, const Traced &b) {
    return a.beginPs < b.beginPs;
  });
  for (size_t i = 1; i < steps.size(); ++i)
    if (steps[i].number == steps[i - 1].number + 1 &&
        steps[i - 1].endPs < steps[i].beginPs)
      steps[i].beginPs = steps[i - 1].endPs;
  return steps;
}

/// Without marks, each occurrence of the first op begins a step.
static std::vector<Traced> getNamedSteps(const Run &run, Phases &phases) {
  std::vector<Traced> steps;
  int64_t endPs = INT64_MIN;
  for (size_t i = 0; i != run.kept.size(); ++i) {
    if (run.kept.op[i] == kNone)
      continue;
    int64_t beginPs = run.kept.beginPs[i];
    // An op within another one of that name is the same occurrence.
    bool isWithin = !steps.empty() && beginPs < steps.back().endPs;
    endPs = std::max(endPs, saturatingAdd(beginPs, run.kept.durationPs[i]));
    if (isWithin || !phases.get(run.kept.op[i]).isFirst)
      continue;
    steps.push_back({int64_t(steps.size()), beginPs,
                     saturatingAdd(beginPs, run.kept.durationPs[i])});
  }
  for (size_t i = 0; i != steps.size(); ++i)
    steps[i].endPs = i + 1 == steps.size() ? endPs : steps[i + 1].beginPs;
  return steps;
}

static void addEvents(const Run &run, Phases &phases,
                      std::vector<Traced> &steps) {
  for (size_t i = 0; i != run.kept.size(); ++i) {
    uint32_t op = run.kept.op[i];
    if (op == kNone)
      continue;
    int64_t beginPs = run.kept.beginPs[i];
    auto after = llvm::upper_bound(steps, beginPs,
                                   [](int64_t beginPs, const Traced &step) {
                                     return beginPs < step.beginPs;
                                   });
    if (after != steps.begin() && beginPs < std::prev(after)->endPs)
      std::prev(after)->add(beginPs,
                            saturatingAdd(beginPs, run.kept.durationPs[i]),
                            phases.get(op));
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Adds a step's row; false if it lacks an op that bounds its phases.
static bool addRow(const Traced &step, const StepOps &bounds,
                   llvm::StringRef source, Table &table) {
  int64_t firstPs = bounds.first.empty() ? step.firstPs : step.namedFirstPs;
  int64_t lastPs = !bounds.last.empty() ? step.namedLastPs
                   : step.hasBackward   ? step.backwardEndPs
                                        : step.lastPs;
  if (!step.hasOps || firstPs > lastPs)
    return false;
  bool hasBackward = step.hasBackward && step.backwardPs >= firstPs &&
                     step.backwardPs <= lastPs;
  int64_t splitPs = hasBackward ? step.backwardPs : lastPs;
  table.addRow({step.number, step.beginPs, firstPs - step.beginPs,
                splitPs - firstPs,
                hasBackward ? Cell(lastPs - splitPs) : Cell(),
                step.endPs - lastPs, step.endPs - step.beginPs, source});
  return true;
}

/// "average of 3 steps: interval 30.318 us, forward and backward 2.945 ms, tail
/// 647.740 us, total 3.896 ms".
static std::string describeAverage(llvm::ArrayRef<StepPoints> steps,
                                   llvm::StringRef which) {
  auto average = [&](int64_t StepPoints::*from, int64_t StepPoints::*to) {
    __int128 sum = 0;
    for (const StepPoints &step : steps)
      sum += step.*to - step.*from;
    return formatTime(int64_t(sum / __int128(steps.size())));
  };
  return ("average of " + formatCount(steps.size(), "step") + which +
          ": interval " + average(&StepPoints::beginPs, &StepPoints::firstPs) +
          ", forward and backward " +
          average(&StepPoints::firstPs, &StepPoints::lastPs) + ", tail " +
          average(&StepPoints::lastPs, &StepPoints::endPs) + ", total " +
          average(&StepPoints::beginPs, &StepPoints::endPs))
      .str();
}

/// Adds the steps whose points the recording itself has. It does not say where
/// the backward pass begins.
static void addPoints(const Run &run, Table &table) {
  llvm::ArrayRef<StepPoints> steps = run.job->steps;
  for (const StepPoints &step : steps) {
    int64_t totalPs = step.endPs - step.beginPs;
    table.addRow({step.number, step.beginPs, step.firstPs - step.beginPs,
                  step.lastPs - step.firstPs, Cell(), step.endPs - step.lastPs,
                  totalPs, run.source});
    addSaturating(table.weightTotal, totalPs);
  }
  table.notes.push_back(describeAverage(steps, ""));
  if (steps.size() > 1)
    table.notes.push_back(
        describeAverage(steps.drop_front(), " without the first"));
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  Table table(
      {{"step", "step", ColumnKind::Number},
       {"begin_ps", "begin", ColumnKind::Time, ColumnUse::Data, Total::None},
       {"interval_ps", "interval", ColumnKind::Time},
       {"forward_ps", "forward", ColumnKind::Time},
       {"backward_ps", "backward", ColumnKind::Time},
       {"tail_ps", "tail", ColumnKind::Time},
       {"total_ps", "total", ColumnKind::Time},
       {"source", "recording", ColumnKind::Text}});
  // Clocks of different recordings, such as those of ranks, need not be
  // comparable.
  table.defaultOrder = {{0, false}, {7, false}, {1, false}};
  table.weightColumn = 6;
  Phases phases(input.profile, input.stepOps);
  uint64_t dropped = 0;
  for (const Run &run : input.profile.runs) {
    if (run.job && !run.job->steps.empty() && input.stepOps.first.empty() &&
        input.stepOps.last.empty()) {
      addPoints(run, table);
      continue;
    }
    // A sample is not an execution.
    if (run.kept.empty() || keepsSamples(run))
      continue;
    std::vector<Traced> steps = getMarkedSteps(run);
    if (steps.empty() && !input.stepOps.first.empty())
      steps = getNamedSteps(run, phases);
    addEvents(run, phases, steps);
    bool hasOps = llvm::any_of(steps, [](const Traced &s) { return s.hasOps; });
    for (const Traced &step : steps) {
      if (addRow(step, input.stepOps, run.source, table))
        addSaturating(table.weightTotal, step.endPs - step.beginPs);
      else
        // A recording of the same steps without ops does not lack any.
        dropped += hasOps;
    }
  }
  if (dropped)
    table.notes.push_back(formatCount(dropped, "step") +
                          (dropped == 1 ? " does" : " do") +
                          " not have the ops that bound its phases");
  return table;
}

ReportKind report::StepTraces() {
  return {
      "step-trace",
      "phases of each step: interval before the first op, forward, backward "
      "and tail",
      Needs::Profile, build, /*usesEvents=*/true};
}
