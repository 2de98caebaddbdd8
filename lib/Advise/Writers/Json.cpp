//===- Json.cpp - Advice as JSON ------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Phrases.h"
#include "Writers.h"
#include "mlir-prof/Report/JsonText.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;

static void writeParameters(const Advice &advice, llvm::json::OStream &json) {
  json.attributeObject("parameters", [&] {
    for (const Parameter &parameter : advice.parameters)
      if (parameter.kind == ParameterKind::Text)
        writeText(json, parameter.name, parameter.text);
      else
        json.attribute(parameter.name, parameter.number);
  });
}

static void writeSubjects(const Advice &advice, llvm::json::OStream &json) {
  json.attributeArray("subjects", [&] {
    for (const Subject &subject : advice.subjects)
      json.object([&] {
        writeText(json, "name", subject.name);
        if (!subject.location.empty())
          writeText(json, "location", subject.location);
        json.attribute("time_ps", subject.timePs);
      });
  });
}

static void writeEvidence(const Advice &advice, llvm::json::OStream &json) {
  json.attributeArray("evidence", [&] {
    for (const Evidence &rows : advice.evidence)
      json.object([&] {
        json.attribute("report", rows.report);
        json.attributeArray("filters", [&] {
          for (llvm::StringRef filter : rows.filters)
            json.value(toJsonText(filter));
        });
      });
  });
}

static void writeTrials(const Advice &advice, llvm::json::OStream &json) {
  json.attribute("refuted", advice.isRefuted());
  if (advice.setAsidePs)
    json.attribute("set_aside_ps", *advice.setAsidePs);
  json.attributeArray("trials", [&] {
    for (const OpTrial &trial : advice.trials)
      json.object([&] {
        writeText(json, "technique", trial.technique);
        writeText(json, "choice", trial.choice);
        json.attribute("kept", trial.wasKept);
        writeText(json, "reason", trial.reason);
        json.attribute("old_ps", trial.oldPs);
        json.attribute("new_ps", trial.newPs);
        json.attribute("ratio_ppm", trial.getRatioPpm());
        json.attribute("spread_ppm", trial.spreadPpm);
        json.attribute("rounds", trial.rounds);
      });
  });
}

static void writeAdvice(const Advice &advice, const AdviceReport &report,
                        llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("rule", advice.rule);
    if (advice.gainPs) {
      json.attribute("gain_ps", *advice.gainPs);
      json.attribute("gain_ppm", getPpm(*advice.gainPs, advice.basisPs));
    } else {
      json.attribute("gain_ps", nullptr);
      json.attribute("gain_ppm", nullptr);
    }
    json.attribute("basis", toString(advice.basis));
    json.attribute("basis_ps", advice.basisPs);
    json.attribute("statistic", getStatisticKey(advice));
    writeParameters(advice, json);
    writeSubjects(advice, json);
    writeEvidence(advice, json);
    writeTrials(advice, json);
    std::string command = getCommand(advice, report);
    if (!command.empty())
      writeText(json, "command", command);
  });
}

static void writeRules(llvm::StringRef key,
                       llvm::ArrayRef<const AdviceRule *> rules,
                       llvm::json::OStream &json) {
  json.attributeArray(key, [&] {
    for (const AdviceRule *rule : rules)
      json.value(rule->name);
  });
}

static void write(const AdviceReport &report, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("schema", "mlir-prof.advice/2");
    writeText(json, "profile", report.profile);
    json.attributeArray("advice", [&] {
      for (const Advice &advice : report.advice)
        writeAdvice(advice, report, json);
    });
    writeRules("silent", report.silent, json);
    writeRules("without_data", report.withoutData, json);
  });
  os << '\n';
}

AdviceWriter writer::Json() {
  return {"json", "keys and figures for other programs, without texts", write};
}
