//===- DecisionWriter.cpp - Writing decisions -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionWriter.h"
#include "mlir-prof/Tuning/DecisionReader.h"

using namespace mlirprof;
using namespace mlirprof::tuning;

static void writeKey(llvm::json::OStream &json, const DecisionKey &key) {
  json.attribute("exact", key.signature.exact);
  json.attribute("shapeErased", key.signature.shapeErased);
  json.attribute("neighborhood", key.signature.neighborhood);
  json.attribute("machine", key.machine);
  json.attribute("technique", key.technique);
}

static void writeChoice(llvm::json::OStream &json, const Choice &choice) {
  json.attributeObject("choice", [&] {
    for (const auto &[name, value] : choice)
      json.attribute(name, value);
  });
}

static void writeDecision(llvm::json::OStream &json, const Decision &decision) {
  writeKey(json, decision.key);
  json.attribute("scope", getName(decision.scope));
  writeChoice(json, decision.choice);
  json.attribute("basis", getName(decision.basis));
  json.attribute("whenMs", std::to_string(decision.whenMs));
  json.attribute("producer", decision.producer);
  json.attribute("label", decision.label);
}

void tuning::writeObservation(llvm::json::OStream &json,
                              const Observation &observation) {
  writeKey(json, observation.key);
  writeChoice(json, observation.choice);
  json.attribute("whenMs", std::to_string(observation.whenMs));
  json.attribute("producer", observation.producer);
  json.attribute("outcome", getName(observation.outcome));
  json.attribute("reason", observation.reason);
  json.attribute("oldPs", std::to_string(observation.oldPs));
  json.attribute("newPs", std::to_string(observation.newPs));
  json.attribute("spread", observation.spread);
  json.attribute("rounds", observation.rounds);
  if (observation.probability)
    json.attribute("probability", *observation.probability);
  if (observation.error)
    json.attribute("error", *observation.error);
  if (!observation.sizes.empty())
    json.attributeArray("sizes", [&] {
      for (const std::vector<int64_t> &combination : observation.sizes)
        json.value(formatSizes({combination}));
    });
}

void tuning::writeDecisions(const DecisionDatabase &database,
                            llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", kDecisionsSchema);
    json.attributeArray("decisions", [&] {
      for (const auto &[key, decision] : database.getDecisions())
        json.object(
            [&, &decision = decision] { writeDecision(json, decision); });
    });
    json.attributeArray("observations", [&] {
      for (const Observation &observation : database.getObservations())
        json.object([&] { writeObservation(json, observation); });
    });
  });
  os << '\n';
}
