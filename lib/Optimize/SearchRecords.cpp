//===- SearchRecords.cpp - What a search writes down ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Compile/Choices.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;

/// Techniques of the observations about a model as a whole.
static constexpr llvm::StringLiteral kModelTechnique = "model";

static int64_t getNowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string mlirprof::describe(const Choice &choice) {
  std::string text;
  for (const auto &[name, value] : choice)
    text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string mlirprof::describe(const ChoiceMap &choices) {
  std::string text;
  for (const auto &[op, techniques] : choices)
    for (const auto &[technique, choice] : techniques)
      text += op + " " + technique + " " + describe(choice) + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

DecisionKey Search::getKey(const OpSite &site,
                           llvm::StringRef technique) const {
  return {site.signature, machine, technique.str()};
}

DecisionKey Search::getModelKey(llvm::StringRef technique) const {
  for (const OpSite &site : sites.sites)
    if (llvm::is_contained(site.ops, sites.entry))
      return getKey(site, technique);
  return getKey(sites.sites.front(), technique);
}

DecisionKey Search::getKey(const PlannedProposal &planned) const {
  const auto &choices = planned.proposal.choices;
  return choices.size() == 1 ? getKey(sites.sites[choices.front().first],
                                      planned.technique->name)
                             : getModelKey(planned.technique->name);
}

Choice Search::getFiledChoice(const PlannedProposal &planned) const {
  const auto &choices = planned.proposal.choices;
  if (choices.size() == 1)
    return choices.front().second;
  ChoiceMap all;
  for (const auto &[site, choice] : choices)
    all[sites.sites[site].signature.exact][planned.technique->name.str()] =
        choice;
  return {{"ops", std::to_string(choices.size())},
          {"group", contentHash(describe(all))}};
}

bool Search::isApplied(const PlannedProposal &planned) const {
  llvm::StringRef technique = planned.technique->name;
  return llvm::all_of(planned.proposal.choices, [&](const auto &entry) {
    auto op = result.choices.find(sites.sites[entry.first].signature.exact);
    if (op == result.choices.end())
      return false;
    auto chosen = op->second.find(technique.str());
    return chosen != op->second.end() && chosen->second == entry.second;
  });
}

bool Search::wasTried(const PlannedProposal &planned) const {
  const Observation *seen =
      database.findObservation(getKey(planned), getFiledChoice(planned));
  // What was kept once and is not applied now was taken back together with
  // others, and may be good without these.
  return seen && (seen->outcome != Outcome::Kept || isApplied(planned));
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

void Search::save() {
  if (options.save)
    options.save(database);
}

void Search::record(const PlannedProposal &planned, Receipt &receipt) {
  Observation &observation = receipt.observation;
  observation.key = getKey(planned);
  observation.choice = getFiledChoice(planned);
  if (receipt.isDisturbed)
    return;
  observation.whenMs = getNowMs();
  observation.producer = getVersion().str();
  Observation filed = observation;
  // An observation is about the op; of the model's error receipts tell.
  filed.error = receipt.opError;
  if (llvm::Error error = database.observe(std::move(filed)))
    result.notes.push_back(llvm::toString(std::move(error)));
  if (observation.outcome == Outcome::Kept)
    decide(receipt, nullptr);
  save();
}

/// Decides on what `receipt` chose for its sites, or on `choice` for all.
void Search::decide(const Receipt &receipt, const Choice *choice) {
  const Technique *technique = findTechnique(receipt.technique);
  for (auto [index, site] : llvm::enumerate(receipt.sites)) {
    Decision decision;
    decision.key = getKey(sites.sites[site], receipt.technique);
    decision.scope = technique ? technique->scope : DecisionScope::Op;
    decision.choice = choice ? *choice : receipt.choices[index];
    decision.whenMs = getNowMs();
    decision.producer = getVersion().str();
    decision.label = sites.sites[site].label;
    if (llvm::Error error = database.decide(std::move(decision)))
      result.notes.push_back(llvm::toString(std::move(error)));
  }
}

/// Values that a place had often. How often is another number in each run.
static std::string describeFrequent(const ObservedValues &values) {
  constexpr double kShare = 0.05;
  std::string text = std::to_string(unsigned(values.kind));
  for (const std::string &name : values.names)
    text += " " + name;
  std::vector<std::vector<int64_t>> tuples;
  for (const ValueCount &entry : values.entries)
    if (double(entry.count) >= kShare * double(values.total))
      tuples.push_back(entry.tuple);
  llvm::sort(tuples);
  for (const std::vector<int64_t> &tuple : tuples) {
    text += ";";
    for (int64_t value : tuple)
      text += " " + std::to_string(value);
  }
  return text + "\n";
}

/// Names the choices of the result and what the search went by: as long as both
/// are the same, a search would find nothing new. The proposals themselves
/// depend on times, which are never the same twice.
Choice Search::getMarker() const {
  const CompileOptions &compile = options.compile;
  std::string all =
      llvm::formatv("{0} tolerance {1:e} max-error {2:e} polynomials {3} {4}\n",
                    getVersion(), options.tolerance, compile.maxError,
                    compile.polynomials, compile.pipeline);
  for (const Arguments &request : options.requests)
    for (const HostTensor &tensor : request)
      for (int64_t size : tensor.shape)
        all += std::to_string(size) + " ";
  for (const Technique &technique : getTechniques())
    if (isUsed(technique))
      all += technique.name.str() + "\n";
  for (const OpSite &site : sites.sites) {
    all += site.signature.exact + "\n";
    for (const ObservedValues &values : site.values)
      all += describeFrequent(values);
  }
  return {{"choices", contentHash(describe(result.choices))},
          {"model", contentHash(all)}};
}

//===----------------------------------------------------------------------===//
// Known decisions
//===----------------------------------------------------------------------===//

ChoiceMap mlirprof::findChoices(
    mlir::ModuleOp canonical, const DecisionDatabase &database,
    llvm::StringRef machine,
    llvm::function_ref<void(const OpSignature &, const DecisionMatch &)>
        onMatch) {
  ChoiceMap choices;
  for (const SignedOp &entry : getSignatures(canonical)) {
    if (choices.count(entry.signature.exact))
      continue;
    for (const DecisionMatch &match : database.find(entry.signature, machine)) {
      const Decision &decision = *match.decision;
      if (decision.choice.empty())
        continue;
      choices[entry.signature.exact][decision.key.technique] = decision.choice;
      if (onMatch)
        onMatch(entry.signature, match);
    }
  }
  return choices;
}

std::function<llvm::Error(mlir::ModuleOp)>
mlirprof::chooseBy(ChoiceMap choices) {
  return [choices = std::move(choices)](mlir::ModuleOp canonical) {
    applyChoices(canonical, choices);
    return llvm::Error::success();
  };
}

void Search::findKnown() {
  std::map<std::string, size_t> siteOf;
  for (auto [index, site] : llvm::enumerate(sites.sites))
    siteOf[site.signature.exact] = index;
  result.choices = findChoices(
      sites.module, database, machine,
      [&](const OpSignature &signature, const DecisionMatch &match) {
        Receipt receipt;
        receipt.origin = ReceiptOrigin::Database;
        receipt.confidence = match.confidence;
        receipt.technique = match.decision->key.technique;
        receipt.choice = match.decision->choice;
        receipt.choices = {receipt.choice};
        auto site = siteOf.find(signature.exact);
        if (site != siteOf.end())
          receipt.sites = {site->second};
        if (const Observation *seen =
                database.findObservation(match.decision->key, receipt.choice))
          receipt.observation = *seen;
        receipt.observation.key = match.decision->key;
        receipt.observation.choice = receipt.choice;
        receipt.isApplied = true;
        result.receipts.push_back(std::move(receipt));
      });
  dropUnused();
  const Observation *marker =
      database.findObservation(getModelKey(kModelTechnique), getMarker());
  result.wasKnown = marker && !options.isRepeated;
}

/// Known choices of techniques that are not to be used are no choices here.
void Search::dropUnused() {
  auto isUnused = [&](llvm::StringRef name) {
    const Technique *technique = findTechnique(name);
    return !technique || !isUsed(*technique);
  };
  llvm::erase_if(result.receipts, [&](const Receipt &receipt) {
    return isUnused(receipt.technique);
  });
  for (auto op = result.choices.begin(); op != result.choices.end();) {
    for (auto choice = op->second.begin(); choice != op->second.end();)
      choice = isUnused(choice->first) ? op->second.erase(choice)
                                       : std::next(choice);
    op = op->second.empty() ? result.choices.erase(op) : std::next(op);
  }
}

void Search::markComplete() {
  Observation marker;
  marker.key = getModelKey(kModelTechnique);
  marker.choice = getMarker();
  marker.whenMs = getNowMs();
  marker.producer = getVersion().str();
  if (result.whole)
    mlirprof::describe(*result.whole, marker);
  marker.outcome = Outcome::Kept;
  marker.reason = "";
  if (llvm::Error error = database.observe(std::move(marker)))
    result.notes.push_back(llvm::toString(std::move(error)));
  save();
}
