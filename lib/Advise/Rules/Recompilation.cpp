//===- Recompilation.cpp - Programs that are compiled repeatedly ----------===//
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
#include <cmath>
#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// The first compilation of each program is needed; from this many others on,
/// it counts as repeated.
static constexpr uint64_t kRepeated = 2;
/// Share of the ops' time.
static constexpr int64_t kCompilePpm = 50000;
/// Share of the time by which steps that compile are longer: below it, they
/// also wait for other things.
static constexpr int64_t kWaitingPpm = 250000;

static bool isCompilation(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {
      "compile", "compiling", "compilation", "recompile", "recompilation"};
  // TensorFlow's attribute _XlaMustCompile is part of the names of functions.
  static constexpr llvm::StringLiteral kNot[] = {"must", "cache", "lookup"};
  // Frames of Python are named by file and function; those that run compiled
  // code are called compile_wrapper and the like.
  bool isFrame = name.contains(".py(") || name.contains(".py:");
  return !isFrame && hasWord(name, kWords) && !hasWord(name, kNot);
}

namespace {
/// The compilations of one run, or of several.
struct Compilations {
  uint64_t count = 0;
  /// Different programs, which need one compilation each.
  uint64_t programs = 0;
  int64_t timePs = 0;
  /// With the work that steps do before each, such as tracing.
  int64_t heldUpPs = 0;
  /// The part of it for the first compilation of each program.
  int64_t neededPs = 0;

  uint64_t getRepeated() const { return count - std::min(count, programs); }
  void add(const Compilations &other);
};

/// Facts about the programs that a run compiled.
struct Programs {
  /// Number of different names, and of all programs, recompiled ones included.
  uint64_t names = 0;
  uint64_t all = 0;
  /// The share of the first program of each name in all compiling work.
  double firstPart = 1;
};
} // namespace

void Compilations::add(const Compilations &other) {
  count += other.count;
  programs += other.programs;
  timePs = saturatingAdd(timePs, other.timePs);
  heldUpPs = saturatingAdd(heldUpPs, other.heldUpPs);
  neededPs = saturatingAdd(neededPs, other.neededPs);
}

/// XLA's programs by their names; the time to compile a program is proportional
/// to its number of instructions.
static Programs getHloPrograms(const Profile &profile, const Run &run) {
  struct Program {
    std::set<int64_t> ids;
    uint64_t instructions = 0;
  };
  std::map<std::pair<llvm::StringRef, int64_t>, uint64_t> sizes;
  for (const HloModule &module : profile.hloModules)
    sizes[{module.name, module.programId}] = module.instructions.size();
  std::map<llvm::StringRef, Program> byName;
  for (const OpSummary &op : run.ops) {
    KeyTraits traits = getKeyTraits(profile.opKeys[op.op]);
    if (!traits.programId)
      continue;
    llvm::StringRef name = traits.module.value_or("");
    Program &program = byName[name];
    auto size = sizes.find({name, *traits.programId});
    if (program.ids.insert(*traits.programId).second)
      program.instructions += size == sizes.end() ? 1 : size->second;
  }
  Programs programs;
  double first = 0, all = 0;
  for (const auto &[name, program] : byName) {
    ++programs.names;
    programs.all += program.ids.size();
    first += double(program.instructions) / double(program.ids.size());
    all += double(program.instructions);
  }
  if (all > 0)
    programs.firstPart = first / all;
  return programs;
}

/// PyTorch numbers compiled functions, and the compilations of each:
/// "Torch-Compiled Region: 1/4".
static Programs getTorchPrograms(const Profile &profile, const Run &run) {
  std::set<std::pair<llvm::StringRef, llvm::StringRef>> all;
  std::set<llvm::StringRef> functions;
  for (const EventSummary &event : run.events) {
    if (event.name >= profile.strings.size())
      continue;
    llvm::StringRef name = profile.strings[event.name];
    if (!name.consume_front("Torch-Compiled Region: "))
      continue;
    auto [function, time] = name.split('/');
    functions.insert(function);
    all.insert({function, time});
  }
  Programs programs{functions.size(), all.size(), 1};
  if (!all.empty())
    programs.firstPart = double(functions.size()) / double(all.size());
  return programs;
}

/// Idle times of a run, within steps and between them, ascending.
static std::vector<int64_t> getIdleTimes(const Run &run) {
  std::vector<Step> steps = run.steps;
  llvm::stable_sort(steps, [](const Step &a, const Step &b) {
    return a.beginPs < b.beginPs;
  });
  std::vector<int64_t> idle;
  int64_t endPs = steps.empty() ? 0 : steps.front().beginPs;
  for (const Step &step : steps) {
    int64_t beforePs = std::max<int64_t>(saturatingSub(step.beginPs, endPs), 0);
    int64_t busyPs = std::max(step.opBusyPs, step.opInflightPs);
    int64_t insidePs =
        std::max<int64_t>(saturatingSub(step.durationPs, busyPs), 0);
    idle.push_back(saturatingAdd(beforePs, insidePs));
    endPs = std::max(endPs, saturatingAdd(step.beginPs, step.durationPs));
  }
  llvm::sort(idle);
  return idle;
}

/// The time that compilations hold up. A step that compiles also waits for the
/// tracing and lowering before it, which few tools name: it counts all by which
/// it is longer than a step that does not compile.
static int64_t getHeldUpPs(const Profile &profile, const Run &run,
                           const Compilations &sum) {
  if (!hasStepTimes(profile, run))
    return sum.timePs;
  std::vector<int64_t> idle = getIdleTimes(run);
  // The longest ones compile; the median of the others is usual.
  uint64_t compiling = std::min<uint64_t>(sum.count, idle.size());
  size_t others = idle.size() - size_t(compiling);
  int64_t usualPs = others ? idle[(others - 1) / 2] : 0;
  int64_t longerPs = 0;
  for (int64_t timePs : llvm::ArrayRef(idle).drop_front(others))
    longerPs = saturatingAdd(longerPs, timePs - usualPs);
  return getPpm(sum.timePs, longerPs) >= kWaitingPpm
             ? std::max(sum.timePs, longerPs)
             : sum.timePs;
}

/// The compilations of a run: among phases, nested or on other threads that the
/// first one waits for, the one with most time, which contains the others.
static const EventSummary *findCompilation(const Profile &profile,
                                           const Run &run) {
  const EventSummary *longest = nullptr;
  for (const EventSummary &event : run.events)
    if (event.name < profile.strings.size() &&
        isCompilation(profile.strings[event.name]) &&
        (!longest || event.total.sum > longest->total.sum))
      longest = &event;
  return longest;
}

static Compilations getCompilations(const Profile &profile, const Run &run,
                                    const EventSummary &event) {
  Programs programs = getHloPrograms(profile, run);
  if (programs.names == 0)
    programs = getTorchPrograms(profile, run);
  Compilations sum;
  sum.count = event.total.count;
  // Programs that are known to differ do not include a stall.
  sum.timePs = programs.names ? event.total.sum : getHabitPs(event.total);
  sum.heldUpPs = getHeldUpPs(profile, run, sum);
  uint64_t recordings = std::max<uint64_t>(run.folded.size(), 1);
  sum.programs = std::max<uint64_t>(programs.names, recordings);
  // Some programs may have been compiled before the recording, or may not have
  // run.
  double count = double(std::max<uint64_t>(sum.count, 1));
  double part = programs.names
                    ? programs.firstPart * double(programs.all) / count
                    : double(sum.programs) / count;
  sum.neededPs =
      part < 1 ? std::llround(double(sum.heldUpPs) * part) : sum.heldUpPs;
  return sum;
}

/// From the begin of the first step to the end of the last, over all runs.
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

/// Whether the time of the ops includes compiling: PyTorch's phases are ops.
static bool isAmongOps(const AdviseContext &context,
                       const std::map<std::string, int64_t> &compilations) {
  return llvm::any_of(context.merged, [&](const OpSummary &op) {
    return !op.measurements.empty() &&
           compilations.count(context.getKey(op).op);
  });
}

static Findings find(const AdviseContext &context) {
  std::map<std::string, int64_t> byName;
  bool hasEvents = false;
  Compilations sum;
  for (const Run &run : context.profile.runs) {
    if (isOwnRecording(run))
      continue;
    hasEvents |= !run.events.empty();
    const EventSummary *event = findCompilation(context.profile, run);
    if (!event)
      continue;
    Compilations found = getCompilations(context.profile, run, *event);
    sum.add(found);
    int64_t &timePs = byName[context.profile.strings[event->name]];
    timePs = saturatingAdd(timePs, found.timePs);
  }
  if (!hasEvents)
    return std::nullopt;
  std::vector<Advice> findings;
  Advice advice = context.makeAdvice(std::nullopt);
  for (const auto &[name, timePs] : byName)
    advice.subjects.push_back({name, "", timePs});
  if (sum.getRepeated() < kRepeated ||
      !context.isShareOfOps(sum.timePs, kCompilePpm))
    return findings;
  advice.gainPs = sum.heldUpPs - sum.neededPs;
  // Without steps, all time except compiling was running ops.
  int64_t stepsPs = getStepsPs(context.profile);
  advice.basis = stepsPs > 0 ? GainBasis::StepTime : GainBasis::OpTime;
  advice.basisPs = stepsPs > 0 ? stepsPs
                   : isAmongOps(context, byName)
                       ? context.opTimePs
                       : saturatingAdd(context.opTimePs, sum.timePs);
  addCount(advice, "compilations", sum.count);
  addCount(advice, "programs", sum.programs);
  addTime(advice, "compile_ps", sum.timePs);
  addTime(advice, "held_up_ps", sum.heldUpPs);
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
      "{compilations} compilations of {programs} programs take {compile_ps}, "
      "as much as {compile_ppm} of the ops' time, and delay the steps by "
      "{held_up_ps}",
      "Find the shapes, types or Python values that differ from call to call, "
      "and pad them, mark them dynamic, or pass them as arguments; keep "
      "compiled programs in a cache on disk.",
      "habit_sum_and_step_medians",
      "the sum of the compilations of a run (where their programs are not "
      "known, without time that does not recur), and the time of steps that "
      "compile beyond the median of other steps",
      "mlir-prof report {PROFILE} --by=event --filter=name~ompile",
      find};
}
