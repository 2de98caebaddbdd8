//===- InputPipeline.cpp - Time that goes to the input --------------------===//
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
#include "llvm/ADT/StringMap.h"

using namespace mlirprof;

/// Of the steps' time. An input pipeline that keeps up costs next to nothing.
static constexpr int64_t kInputPermille = 100;

/// Whether an event waits for, or makes, what a step reads: TensorFlow's
/// tf.data, PyTorch's DataLoader, XLA's infeed.
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

/// Its events' own time by name, so that nested ones count once; of runs with
/// steps.
static llvm::StringMap<int64_t> getInputs(const Profile &profile) {
  llvm::StringMap<int64_t> inputs;
  for (const Run &run : profile.runs)
    for (const EventSummary &event : run.events)
      if (run.steps.size() >= kLeastSteps &&
          event.name < profile.strings.size() &&
          isInput(profile.strings[event.name])) {
        int64_t &timePs = inputs[profile.strings[event.name]];
        timePs = saturatingAdd(timePs, getHabitPs(event.self));
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
  for (const auto &input : getInputs(context.profile)) {
    inputPs = saturatingAdd(inputPs, input.second);
    advice.subjects.push_back({input.first().str(), "", input.second});
  }
  // Other threads may prepare data while ops run; only where none does it
  // holds up the steps.
  int64_t idlePs = saturatingAdd(times.betweenPs, times.idlePs);
  int64_t heldUpPs = std::min(inputPs, idlePs);
  if (heldUpPs <= 0 || getPermille(heldUpPs, times.spanPs) < kInputPermille)
    return findings;
  advice.gainPs = heldUpPs;
  advice.basis = GainBasis::StepTime;
  advice.basisPs = times.spanPs;
  addTime(advice, "input_ps", inputPs);
  addPermille(advice, "input_permille", getPermille(inputPs, times.spanPs));
  addTime(advice, "idle_ps", idlePs);
  addTime(advice, "span_ps", times.spanPs);
  addCount(advice, "steps", times.steps);
  llvm::sort(advice.subjects, [](const Subject &a, const Subject &b) {
    return a.name < b.name;
  });
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::InputPipeline() {
  return {"input-pipeline",
          "reading and preparing the input takes a large part of the steps",
          "at least three steps of another tool's recording",
          "the input takes {input_ps}, {input_permille} of {steps} steps "
          "({span_ps}), in which no op ran for {idle_ps}",
          "Read ahead in other threads (prefetch, num_workers), keep prepared "
          "data, or move its preparation into the model.",
          "habit_sum_and_step_medians",
          "the sum of each event, without what does not come back; of the "
          "steps, the medians times their number",
          "mlir-prof report {PROFILE} --by=event --sort=-self_ps --top=20",
          find};
}
