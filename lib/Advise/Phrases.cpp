//===- Phrases.cpp - Advice in words --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phrases.h"
#include "Context.h"
#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;

/// "12.3 G"
static std::string formatRate(int64_t perSecond) {
  double value = double(perSecond);
  llvm::StringRef prefix = "";
  for (llvm::StringRef next : {"k", "M", "G", "T"}) {
    if (value < 1000)
      break;
    value /= 1000;
    prefix = next;
  }
  return llvm::formatv("{0:f1} {1}", value, prefix).str();
}

/// "16.3 %", rounded down like the shares.
static std::string formatPpm(int64_t ppm) {
  return formatPercent(ppm / 1000, 1000);
}

std::string advise::format(const Parameter &parameter) {
  switch (parameter.kind) {
  case ParameterKind::Text:
    return printable(parameter.text);
  case ParameterKind::Count:
    return llvm::itostr(parameter.number);
  case ParameterKind::Time:
    return formatTime(parameter.number);
  case ParameterKind::Share:
    return formatPpm(parameter.number);
  case ParameterKind::Ratio:
    return llvm::formatv("{0:f2}", double(parameter.number) / kMillionths.ps)
        .str();
  case ParameterKind::Rate:
    return formatRate(parameter.number);
  }
  return "";
}

/// Replaces each {name} in `text`; unknown names stay.
static std::string replaceNames(
    llvm::StringRef text,
    llvm::function_ref<std::optional<std::string>(llvm::StringRef)> lookUp) {
  std::string result;
  while (!text.empty()) {
    size_t open = text.find('{');
    size_t close = text.find('}', open);
    if (close == llvm::StringRef::npos)
      return result + text.str();
    result += text.take_front(open);
    llvm::StringRef name = text.slice(open + 1, close);
    result += lookUp(name).value_or(("{" + name + "}").str());
    text = text.drop_front(close + 1);
  }
  return result;
}

static std::optional<std::string> lookUp(const Advice &advice,
                                         llvm::StringRef name) {
  const Parameter *parameter = advice.find(name);
  if (!parameter)
    return std::nullopt;
  // Ops may lack a location.
  if (parameter->kind == ParameterKind::Text && parameter->text.empty())
    return "(unknown)";
  return format(*parameter);
}

static const AdviceRule &getRule(const Advice &advice) {
  // Advice comes from a rule.
  return **findAdviceRule(advice.rule);
}

std::string advise::getText(const Advice &advice) {
  return replaceNames(getRule(advice).text, [&](llvm::StringRef name) {
    return lookUp(advice, name);
  });
}

std::string advise::getNextStep(const Advice &advice) {
  return replaceNames(getRule(advice).nextStep, [&](llvm::StringRef name) {
    return lookUp(advice, name);
  });
}

llvm::StringRef advise::getStatistic(const Advice &advice) {
  return getRule(advice).statistic;
}

llvm::StringRef advise::getStatisticKey(const Advice &advice) {
  return getRule(advice).statisticKey;
}

/// As one word of a shell.
static std::string quote(llvm::StringRef text) {
  bool isPlain = !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("/._-+=:,@%").contains(c);
  });
  if (isPlain)
    return text.str();
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string advise::getCommand(const Advice &advice,
                               const AdviceReport &report) {
  const AdviceRule &rule = getRule(advice);
  bool isOfOthers = !report.hasPrograms && !rule.commandOfOthers.empty();
  return replaceNames(isOfOthers ? rule.commandOfOthers : rule.command,
                      [&](llvm::StringRef name) -> std::optional<std::string> {
                        if (name == "PROFILE")
                          return quote(report.profile);
                        if (name == "MODEL")
                          return report.model.empty() ? "MODEL"
                                                      : quote(report.model);
                        return lookUp(advice, name);
                      });
}

static llvm::StringRef describe(GainBasis basis) {
  switch (basis) {
  case GainBasis::OpTime:
    return "of the ops' time";
  case GainBasis::StepTime:
    return "of the steps' time";
  case GainBasis::BusyTime:
    return "of the time in which any op runs";
  }
  return "";
}

/// "1.200 ms, 12.0 % of the ops' time".
static std::string formatShare(const Advice &advice, int64_t timePs) {
  std::string text = formatTime(timePs);
  if (advice.basisPs > 0)
    text += ", " + formatPpm(getPpm(timePs, advice.basisPs)) + " " +
            describe(advice.basis).str();
  return text;
}

std::string advise::getEnd(const OpTrial &trial) {
  std::string text = trial.wasKept          ? "kept"
                     : trial.reason.empty() ? "not kept"
                                            : printable(trial.reason);
  if (int64_t ratio = trial.getRatioPpm())
    text += llvm::formatv(" ({0:f3} of the time, spread {1:f1} %, {2} rounds)",
                          double(ratio) / kMillionths.ps,
                          double(trial.spreadPpm) / 1e4, trial.rounds);
  return text;
}

std::string advise::getGain(const Advice &advice) {
  if (advice.isRefuted()) {
    std::string text = "tried: " + getEnd(advice.trials.front());
    if (advice.setAsidePs)
      text += "; " + formatShare(advice, *advice.setAsidePs) + " set aside";
    return text;
  }
  if (!advice.gainPs)
    return "gain not known";
  return "may save " + formatShare(advice, *advice.gainPs);
}
