//===- Advise.cpp - Asks the rules ----------------------------------------===//
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

using namespace mlirprof;

llvm::StringRef mlirprof::toString(GainBasis basis) {
  switch (basis) {
  case GainBasis::OpTime:
    return "op_time";
  case GainBasis::StepTime:
    return "step_time";
  }
  return "unknown";
}

const Parameter *Advice::find(llvm::StringRef name) const {
  auto it = llvm::find_if(parameters,
                          [&](const Parameter &p) { return p.name == name; });
  return it == parameters.end() ? nullptr : &*it;
}

llvm::ArrayRef<AdviceRule> mlirprof::getAdviceRules() {
  static const AdviceRule rules[] = {
#define MLIRPROF_ADVICE_RULE(NAME) rule::NAME(),
#include "Rules/Rules.def"
  };
  return rules;
}

llvm::ArrayRef<AdviceWriter> mlirprof::getAdviceWriters() {
  static const AdviceWriter writers[] = {
#define MLIRPROF_ADVICE_WRITER(NAME) advice_writer::NAME(),
#include "Writers/Writers.def"
  };
  return writers;
}

/// Finds by name in `all`; `what` is one of them.
llvm::Expected<const AdviceRule *>
mlirprof::findAdviceRule(llvm::StringRef name) {
  return findNamed(getAdviceRules(), "rule", name);
}

llvm::Expected<const AdviceWriter *>
mlirprof::findAdviceWriter(llvm::StringRef name) {
  return findNamed(getAdviceWriters(), "format", name);
}

/// More gain first; what has no figure last; ties in order of the rules.
static bool isBefore(const Advice &a, const Advice &b) {
  if (a.gainPs.has_value() != b.gainPs.has_value())
    return a.gainPs.has_value();
  return a.gainPs && *a.gainPs > *b.gainPs;
}

AdviceReport mlirprof::advise(const AdviseInput &input,
                              llvm::ArrayRef<const AdviceRule *> rules) {
  llvm::SmallVector<const AdviceRule *> asked(rules.begin(), rules.end());
  if (asked.empty())
    for (const AdviceRule &rule : getAdviceRules())
      asked.push_back(&rule);
  AdviseContext context(input);
  AdviceReport report;
  for (const AdviceRule *rule : asked) {
    Findings findings = rule->find(context);
    if (!findings)
      report.withoutData.push_back(rule);
    else if (findings->empty())
      report.silent.push_back(rule);
    else {
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
