//===- Markdown.cpp - Advice as Markdown ----------------------------------===//
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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;

/// A fence that the text cannot close.
static std::string getFence(llvm::StringRef text) {
  std::string fence = "```";
  while (text.contains(fence))
    fence += '`';
  return fence;
}

static void writeAdvice(const Advice &advice, const AdviceReport &report,
                        llvm::raw_ostream &os) {
  os << "### " << advice.rule << "\n\n"
     << escapeMarkdown(getText(advice)) << ": "
     << escapeMarkdown(getGain(advice)) << ".\n\n";
  if (!advice.subjects.empty()) {
    os << "| time | name | where |\n|---:|---|---|\n";
    for (const Subject &subject : advice.subjects)
      os << "| " << formatTime(subject.timePs) << " | "
         << escapeMarkdown(subject.name) << " | "
         << escapeMarkdown(subject.location) << " |\n";
    os << '\n';
  }
  for (const OpTrial &trial :
       llvm::ArrayRef(advice.trials).take_front(kMaxTrials))
    os << "- tried "
       << escapeMarkdown(trial.technique + " " + trial.choice + ": " +
                         getEnd(trial))
       << '\n';
  if (advice.trials.size() > kMaxTrials)
    os << "- and " << advice.trials.size() - kMaxTrials << " more choices\n";
  if (!advice.trials.empty())
    os << '\n';
  os << "Statistic: " << escapeMarkdown(getStatistic(advice)) << ".\n\n";
  os << escapeMarkdown(getNextStep(advice)) << "\n\n";
  std::string command = printable(getCommand(advice, report));
  std::string fence = getFence(command);
  if (!command.empty())
    os << fence << '\n' << command << '\n' << fence << "\n\n";
}

static void writeRules(llvm::StringRef title,
                       llvm::ArrayRef<const AdviceRule *> rules,
                       llvm::raw_ostream &os) {
  if (rules.empty())
    return;
  auto names =
      llvm::map_range(rules, [](const AdviceRule *rule) { return rule->name; });
  os << title << ": " << llvm::join(names, ", ") << ".\n\n";
}

static void write(const AdviceReport &report, llvm::raw_ostream &os) {
  os << "## Advice for " << escapeMarkdown(report.profile) << "\n\n";
  for (const Advice &advice : report.advice)
    writeAdvice(advice, report, os);
  if (report.advice.empty())
    os << "No rule found anything.\n\n";
  writeRules("Rules that found nothing", report.silent, os);
  writeRules("Rules without data", report.withoutData, os);
}

AdviceWriter writer::Markdown() {
  return {"markdown", "for pull requests and pages", write};
}
