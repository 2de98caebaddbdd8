//===- SearchRecords.cpp - What a search writes down ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

int64_t optimize::getNowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string optimize::describe(const Choice &choice) {
  std::string text;
  for (const auto &[name, value] : choice)
    text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string optimize::describe(const ChoiceMap &choices) {
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

MeasuredSizes Search::getSizes(const PlannedProposal &planned) const {
  const auto &choices = planned.proposal.choices;
  // Of several ops, those of the model's arguments.
  for (const OpSite &site : sites.sites)
    if (choices.size() == 1 ? &site == &sites.sites[choices.front().first]
                            : llvm::is_contained(site.ops, sites.entry))
      return site.sizes;
  return {};
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
  const Observation *seen = database.findObservation(
      getKey(planned), getFiledChoice(planned), getSizes(planned));
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
  observation.sizes = getSizes(planned);
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

void Search::add(Decision decision) {
  decision.whenMs = getNowMs();
  decision.producer = getVersion().str();
  if (llvm::Error error = database.decide(std::move(decision)))
    result.notes.push_back(llvm::toString(std::move(error)));
}

/// Decides on what `receipt` chose for its sites, or on `choice` for all.
void Search::decide(const Receipt &receipt, const Choice *choice) {
  const Technique *technique = findTechnique(receipt.technique);
  for (auto [index, site] : llvm::enumerate(receipt.sites)) {
    Decision decision;
    decision.key = getKey(sites.sites[site], receipt.technique);
    decision.scope = technique ? technique->scope : DecisionScope::Op;
    decision.choice = choice ? *choice : receipt.choices[index];
    decision.label = sites.sites[site].label;
    add(std::move(decision));
  }
}

//===----------------------------------------------------------------------===//
// Known decisions
//===----------------------------------------------------------------------===//

ChoiceMap optimize::findChoices(
    mlir::ModuleOp canonical, const DecisionDatabase &database,
    llvm::StringRef machine,
    llvm::function_ref<void(const OpSignature &, const DecisionMatch &)>
        onMatch,
    const std::map<std::string, MeasuredSizes> &sizes) {
  ChoiceMap choices;
  for (const SignedOp &entry : getSignatures(canonical)) {
    if (choices.count(entry.signature.exact))
      continue;
    auto known = sizes.find(entry.signature.exact);
    for (const DecisionMatch &match : database.find(
             entry.signature, machine,
             known == sizes.end() ? MeasuredSizes() : known->second)) {
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
optimize::chooseBy(ChoiceMap choices) {
  return [choices = std::move(choices)](mlir::ModuleOp canonical) {
    applyChoices(canonical, choices);
    return llvm::Error::success();
  };
}

void Search::settle() {
  std::vector<Decision> settled;
  auto settleOne = [&](const OpSignature &signature,
                       const DecisionMatch &match) {
    const Technique *technique = findTechnique(match.decision->key.technique);
    if (match.confidence == Confidence::Exact || !technique ||
        !isUsed(*technique))
      return;
    Decision &decision = settled.emplace_back();
    decision.key = {signature, machine, technique->name.str()};
    decision.scope = technique->scope;
    decision.basis = DecisionBasis::Inferred;
    auto op = result.choices.find(signature.exact);
    if (op != result.choices.end())
      if (auto by = op->second.find(technique->name.str());
          by != op->second.end())
        decision.choice = by->second;
    for (const OpSite &site : sites.sites)
      if (site.signature.exact == signature.exact)
        decision.label = site.label;
  };
  findChoices(sites.module, database, machine, settleOne);
  for (Decision &decision : settled)
    add(std::move(decision));
}
