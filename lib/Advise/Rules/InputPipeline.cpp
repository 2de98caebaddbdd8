//===- InputPipeline.cpp - Time spent on the input ------------------------===//
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

#include <map>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Share of the steps' time. An input pipeline that keeps up costs almost
/// nothing.
static constexpr int64_t kInputPpm = 100000;

/// Whether an event waits for, or makes, the data that a step reads:
/// TensorFlow's tf.data, PyTorch's DataLoader, XLA's infeed.
static bool isInput(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {"infeed", "dataloader"};
  llvm::SmallVector<std::string> words = splitWords(name);
  auto has = [&](llvm::StringRef word) {
    return llvm::is_contained(words, word.str());
  };
  return hasWord(name, kWords) || name.starts_with("Iterator::") ||
         (has("data") && has("loader")) ||
         (has("iterator") && has("get") && has("next"));
}

/// Time of the input by the names of its events, of runs with steps. Calls of
/// an event (a frame of Python, a read) belong to the input too, and nested
/// events of the input count once: for each line, the longest event, which
/// contains others, or the own time of all if that is more.
static std::map<std::string, int64_t> getInputs(const Profile &profile) {
  std::map<std::string, int64_t> inputs;
  for (const Run &run : profile.runs) {
    if (run.steps.size() < kLeastSteps)
      continue;
    std::map<uint32_t, std::vector<const EventSummary *>> lines;
    for (const EventSummary &event : run.events)
      if (event.name < profile.strings.size() &&
          isInput(profile.strings[event.name]))
        lines[event.track].push_back(&event);
    for (const auto &[line, events] : lines) {
      int64_t ownPs = 0, mostPs = 0;
      uint32_t longest = 0;
      for (const EventSummary *event : events) {
        ownPs = saturatingAdd(ownPs, getHabitPs(event->self));
        if (int64_t timePs = getHabitPs(event->total); timePs > mostPs) {
          mostPs = timePs;
          longest = event->name;
        }
      }
      auto add = [&](uint32_t name, int64_t timePs) {
        int64_t &sum = inputs[profile.strings[name]];
        sum = saturatingAdd(sum, timePs);
      };
      if (mostPs > ownPs)
        add(longest, mostPs);
      else
        for (const EventSummary *event : events)
          add(event->name, getHabitPs(event->self));
    }
  }
  return inputs;
}

static Findings find(const AdviseContext &context) {
  StepTimes times = getStepTimes(context.profile);
  if (times.steps == 0)
    return std::nullopt;
  std::vector<Advice> findings;
  Advice advice = context.makeAdvice(std::nullopt);
  int64_t inputPs = 0;
  for (const auto &[name, timePs] : getInputs(context.profile)) {
    inputPs = saturatingAdd(inputPs, timePs);
    advice.subjects.push_back({name, "", timePs});
  }
  // Other threads may prepare data while ops run; only time in which no op runs
  // holds up the steps.
  int64_t idlePs = saturatingAdd(times.betweenPs, times.idlePs);
  int64_t heldUpPs = std::min(inputPs, idlePs);
  if (heldUpPs <= 0 || getPpm(heldUpPs, times.spanPs) < kInputPpm)
    return findings;
  advice.gainPs = heldUpPs;
  advice.basis = GainBasis::StepTime;
  advice.basisPs = times.spanPs;
  addTime(advice, "input_ps", inputPs);
  addPpm(advice, "input_ppm", getPpm(inputPs, times.spanPs));
  addTime(advice, "idle_ps", idlePs);
  addTime(advice, "span_ps", times.spanPs);
  addCount(advice, "steps", times.steps);
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::InputPipeline() {
  return {"input-pipeline",
          "reading and preparing the input takes a large part of the steps",
          "at least three steps of another tool's recording",
          "the input takes {input_ps}, {input_ppm} of {steps} steps "
          "({span_ps}), in which no op ran for {idle_ps}",
          "Read ahead in other threads (prefetch, num_workers), keep prepared "
          "data, or move its preparation into the model.",
          "habit_sum_and_step_medians",
          "the sum of each event and its callees, without time that does not "
          "recur; of the steps, the medians times their number",
          "mlir-prof report {PROFILE} --by=event --sort=-self_ps --top=20",
          find};
}
