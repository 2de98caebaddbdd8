//===- Text.cpp - Advice as text ------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Phrases.h"
#include "Writers.h"
#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Support/Units.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;

static void writeAdvice(const Advice &advice, const AdviceReport &report,
                        llvm::raw_ostream &os) {
  os << advice.rule << ": " << getGain(advice) << '\n';
  os << "  found  " << getText(advice) << '\n';
  for (const Subject &subject : advice.subjects) {
    os << "           " << formatTime(subject.timePs) << "  "
       << printable(subject.name);
    if (!subject.location.empty())
      os << "  (" << printable(subject.location) << ')';
    os << '\n';
  }
  for (const OpTrial &trial :
       llvm::ArrayRef(advice.trials).take_front(kMaxTrials))
    os << "  tried  " << printable(trial.technique + " " + trial.choice) << ": "
       << getEnd(trial) << '\n';
  if (advice.trials.size() > kMaxTrials)
    os << "         and " << advice.trials.size() - kMaxTrials
       << " more choices\n";
  for (const Evidence &rows : advice.evidence) {
    os << "  rows   --by=" << rows.report;
    for (llvm::StringRef filter : rows.filters)
      os << " --filter='" << printable(filter) << '\'';
    os << '\n';
  }
  os << "  from   " << getStatistic(advice) << '\n';
  os << "  next   " << getNextStep(advice) << '\n';
  std::string command = getCommand(advice, report);
  if (!command.empty())
    os << "         $ " << printable(command) << '\n';
  os << '\n';
}

static void writeRules(llvm::StringRef title,
                       llvm::ArrayRef<const AdviceRule *> rules, bool withNeeds,
                       llvm::raw_ostream &os) {
  if (rules.empty())
    return;
  os << title << '\n';
  for (const AdviceRule *rule : rules) {
    os << "  " << rule->name;
    if (withNeeds)
      os << ": needs " << rule->needs;
    os << '\n';
  }
}

static void write(const AdviceReport &report, llvm::raw_ostream &os) {
  for (const Advice &advice : report.advice)
    writeAdvice(advice, report, os);
  if (report.advice.empty())
    os << "No rule found anything.\n";
  writeRules("Rules that found nothing:", report.silent, false, os);
  writeRules("Rules without data:", report.withoutData, true, os);
}

AdviceWriter writer::Text() {
  return {"text", "for reading in a terminal", write};
}
