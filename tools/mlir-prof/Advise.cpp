//===- Advise.cpp - mlir-prof advise --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Advise.h"
#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/File.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using llvm::opt::InputArgList;

/// The rules named by --rule; empty means all.
static llvm::Expected<std::vector<const AdviceRule *>>
getRules(const InputArgList &arguments) {
  std::vector<const AdviceRule *> rules;
  for (const std::string &name : arguments.getAllArgValues(OPT_rule_EQ)) {
    auto rule = findAdviceRule(name);
    if (!rule)
      return asUsageError(rule.takeError());
    rules.push_back(*rule);
  }
  return rules;
}

static llvm::Error run(const InputArgList &arguments) {
  auto path = getOneInput(arguments, "profile");
  if (!path)
    return path.takeError();
  auto writer =
      findAdviceWriter(arguments.getLastArgValue(OPT_format_EQ, "text"));
  if (!writer)
    return asUsageError(writer.takeError());
  auto rules = getRules(arguments);
  if (!rules)
    return rules.takeError();
  llvm::StringRef model = arguments.getLastArgValue(OPT_model_EQ);
  auto session = openSession(arguments, *path, model, ModuleUse::Optional);
  if (!session)
    return session.takeError();
  AdviseRequest request;
  request.rules = std::move(*rules);
  request.model = model.str();
  request.decisions = arguments.getLastArgValue(OPT_decisions_EQ).str();
  request.onNote = [](llvm::StringRef text) { note(text); };
  auto report = adviseSession(*session, *path, request);
  if (!report)
    return report.takeError();
  if (report->advice.empty())
    note(*path + ": nothing found; " + llvm::Twine(report->withoutData.size()) +
         " rules lacked data");
  return writeOutput(getOutput(arguments), [&](llvm::raw_ostream &os) {
    (*writer)->write(*report, os);
    return llvm::Error::success();
  });
}

Verb verb::Advise() { return {"advise", run, listFormats<getAdviceWriters>}; }
