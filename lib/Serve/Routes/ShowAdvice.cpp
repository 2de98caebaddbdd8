//===- ShowAdvice.cpp - GET /profiles/{id}/advice -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Session/Advise.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;
using namespace mlirprof::serve;

static void writeRows(llvm::json::OStream &json, llvm::StringRef analyzer,
                      llvm::ArrayRef<std::string> filters) {
  json.object([&] {
    json.attribute("analyzer", analyzer);
    json.attributeArray("filter", [&] {
      for (llvm::StringRef filter : filters)
        json.value(toJsonText(filter));
    });
  });
}

/// The rows on which advice rests: those that its rule names, and its ops.
static void writeEvidence(llvm::json::OStream &json, const Advice &advice) {
  json.attributeArray("evidence", [&] {
    for (const Evidence &rows : advice.evidence)
      writeRows(json, rows.report, rows.filters);
    if (advice.ops.empty())
      return;
    auto numbers = llvm::map_range(
        advice.ops, [](uint32_t op) { return std::to_string(op); });
    writeRows(json, "op", {"index=" + llvm::join(numbers, "|")});
  });
  json.attributeArray("subjects", [&] {
    for (const Subject &subject : advice.subjects)
      json.object([&] {
        writeText(json, "name", subject.name);
        writeText(json, "location", subject.location);
        writeInteger(json, "time_ps", subject.timePs);
      });
  });
}

static void writeAdvice(llvm::json::OStream &json, const Advice &advice,
                        const AdviceReport &report) {
  auto rule = llvm::cantFail(findAdviceRule(advice.rule));
  json.attribute("rule", advice.rule);
  json.attribute("title", rule->description);
  writeText(json, "text", getText(advice));
  writeText(json, "next_step", getNextStep(advice));
  writeText(json, "command", getCommand(advice, report));
  // By its part of the time: a tenth is much.
  bool isLarge = advice.gainPs && advice.basisPs > 0 &&
                 *advice.gainPs >= advice.basisPs / 10;
  json.attribute("severity", isLarge ? "high" : advice.gainPs ? "low" : "note");
  if (advice.gainPs)
    writeInteger(json, "gain_ps", *advice.gainPs);
  else
    json.attribute("gain_ps", nullptr);
  json.attribute("basis", toString(advice.basis));
  writeInteger(json, "basis_ps", advice.basisPs);
  json.attribute("refuted", advice.isRefuted());
  json.attributeObject("parameters", [&] {
    for (const Parameter &parameter : advice.parameters)
      if (parameter.kind == ParameterKind::Text)
        writeText(json, parameter.name, parameter.text);
      else
        writeInteger(json, parameter.name, parameter.number);
  });
  writeEvidence(json, advice);
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  AdviseRequest asked;
  for (const std::string &name : request.getAll("rule")) {
    auto rule = findAdviceRule(name);
    if (!rule)
      return rule.takeError();
    asked.rules.push_back(*rule);
  }
  auto opened = openRequested(api, request);
  if (!opened)
    return opened.takeError();
  auto report = adviseSession((*opened)->get(), "PROFILE", asked);
  if (!report)
    return report.takeError();
  return makeJson([&](llvm::json::OStream &json) {
    json.attributeArray("advice", [&] {
      for (const Advice &advice : report->advice)
        json.object([&] { writeAdvice(json, advice, *report); });
    });
    auto writeNames = [&](llvm::StringRef name,
                          llvm::ArrayRef<const AdviceRule *> rules) {
      json.attributeArray(name, [&] {
        for (const AdviceRule *rule : rules)
          json.value(rule->name);
      });
    };
    writeNames("silent", report->silent);
    writeNames("without_data", report->withoutData);
  });
}

Route route::ShowAdvice() {
  return {"GET",
          "/profiles/{id}/advice",
          "The advice of the rules, with the rows that it rests on.",
          {{"rule", "Only of this rule (default all).", ParameterType::Text, 0,
            0, false, true}},
          run};
}
