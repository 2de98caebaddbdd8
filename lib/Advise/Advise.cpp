//===- Advise.cpp - Running the rules -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Advise/Advise.h"
#include "Context.h"
#include "Rules/Rules.h"
#include "Writers/Writers.h"
#include "mlir-prof/Support/FindNamed.h"

#include <tuple>
#include <utility>

using namespace mlirprof;
using namespace mlirprof::advise;

llvm::StringRef advise::toString(GainBasis basis) {
  switch (basis) {
  case GainBasis::OpTime:
    return "op_time";
  case GainBasis::StepTime:
    return "step_time";
  case GainBasis::BusyTime:
    return "busy_time";
  }
  return "unknown";
}

const Parameter *Advice::find(llvm::StringRef name) const {
  auto it = llvm::find_if(parameters,
                          [&](const Parameter &p) { return p.name == name; });
  return it == parameters.end() ? nullptr : &*it;
}

llvm::ArrayRef<AdviceRule> advise::getAdviceRules() {
  static const AdviceRule rules[] = {
#define MLIRPROF_ADVICE_RULE(NAME) rule::NAME(),
#include "Rules/Rules.def"
  };
  return rules;
}

llvm::ArrayRef<AdviceWriter> advise::getAdviceWriters() {
  static const AdviceWriter writers[] = {
#define MLIRPROF_ADVICE_WRITER(NAME) writer::NAME(),
#include "Writers/Writers.def"
  };
  return writers;
}

/// Finds by name in `all`; `what` describes an entry.
llvm::Expected<const AdviceRule *>
advise::findAdviceRule(llvm::StringRef name) {
  return findNamed(getAdviceRules(), "rule", name);
}

llvm::Expected<const AdviceWriter *>
advise::findAdviceWriter(llvm::StringRef name) {
  return findNamed(getAdviceWriters(), "format", name);
}

bool Advice::isRefuted() const {
  return !trials.empty() && llvm::none_of(trials, [](const OpTrial &trial) {
    return trial.wasKept;
  });
}

/// Larger gain first; then advice without a figure; then refuted advice; ties
/// in order of the rules.
static bool isBefore(const Advice &a, const Advice &b) {
  if (a.isRefuted() != b.isRefuted())
    return b.isRefuted();
  if (a.isRefuted())
    return a.setAsidePs.value_or(0) > b.setAsidePs.value_or(0);
  if (a.gainPs.has_value() != b.gainPs.has_value())
    return a.gainPs.has_value();
  return a.gainPs && *a.gainPs > *b.gainPs;
}

/// Whether `trial` tries one of the rule's techniques.
static bool isOf(const OpTrial &trial, const AdviceRule &rule) {
  return llvm::any_of(rule.techniques, [&](llvm::StringRef technique) {
    return technique == trial.technique ||
           technique == trial.technique + " " + trial.choice;
  });
}

/// Adds the trials of `advice`, and withdraws its gain if none of them was
/// kept.
static void addTrials(llvm::ArrayRef<OpTrial> trials, const AdviceRule &rule,
                      Advice &advice) {
  for (const OpTrial &trial : trials)
    if (isOf(trial, rule) &&
        (advice.ops.empty() || llvm::is_contained(advice.ops, trial.op)))
      advice.trials.push_back(trial);
  // Trials without times come last.
  auto order = [](const OpTrial &trial) {
    int64_t ratio = trial.getRatioPpm();
    return std::make_tuple(!trial.wasKept, ratio == 0, ratio);
  };
  llvm::stable_sort(advice.trials, [&](const OpTrial &a, const OpTrial &b) {
    return order(a) < order(b);
  });
  if (advice.isRefuted())
    advice.setAsidePs = std::exchange(advice.gainPs, std::nullopt);
}

AdviceReport advise::collectAdvice(const AdviseInput &input,
                                   llvm::ArrayRef<const AdviceRule *> rules) {
  llvm::SmallVector<const AdviceRule *> asked(rules.begin(), rules.end());
  if (asked.empty())
    for (const AdviceRule &rule : getAdviceRules())
      asked.push_back(&rule);
  AdviseContext context(input);
  AdviceReport report;
  report.hasPrograms = !context.profile.programs.empty();
  for (const AdviceRule *rule : asked) {
    Findings findings = rule->find(context);
    if (!findings)
      report.withoutData.push_back(rule);
    else if (findings->empty())
      report.silent.push_back(rule);
    else {
      for (Advice &advice : *findings)
        addTrials(input.trials, *rule, advice);
      llvm::stable_sort(*findings, isBefore);
      if (findings->size() > kMaxAdvice)
        findings->resize(kMaxAdvice);
      for (Advice &advice : *findings) {
        advice.rule = rule->name;
        report.advice.push_back(std::move(advice));
      }
    }
  }
  llvm::stable_sort(report.advice, isBefore);
  return report;
}
