//===- Journal.cpp - Receipts and decisions of a search -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Journal.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/STLExtras.h"

#include <chrono>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

/// Milliseconds since the epoch.
static int64_t getNowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

//===----------------------------------------------------------------------===//
// Receipts
//===----------------------------------------------------------------------===//

unsigned Journal::countTrials() const {
  return llvm::count_if(receipts, [](const Receipt &receipt) {
    return receipt.origin == ReceiptOrigin::Search;
  });
}

unsigned Journal::countKept() const {
  return llvm::count_if(receipts, [](const Receipt &receipt) {
    return receipt.origin == ReceiptOrigin::Search &&
           receipt.observation.outcome == Outcome::Kept;
  });
}

void Journal::addKnown(std::vector<Receipt> known) {
  llvm::append_range(receipts, std::move(known));
}

/// Takes `sites`, which have other choices now, off a receipt.
static void replaceSites(Receipt &earlier, llvm::ArrayRef<size_t> sites) {
  std::vector<size_t> left;
  std::vector<Choice> choices;
  for (auto [site, choice] : llvm::zip_equal(earlier.sites, earlier.choices))
    if (!llvm::is_contained(sites, site)) {
      left.push_back(site);
      choices.push_back(choice);
    }
  if (left.size() == earlier.sites.size())
    return;
  if (left.empty()) {
    earlier.isApplied = false;
    earlier.observation.reason = "a better one was found later";
    return;
  }
  earlier.sites = std::move(left);
  earlier.choices = std::move(choices);
  earlier.choice = earlier.choices.front();
  earlier.observation.reason = "for some ops a better one was found later";
}

void Journal::record(const PlannedProposal &planned, Receipt receipt) {
  receipt.isApplied = receipt.observation.outcome == Outcome::Kept;
  if (receipt.isApplied)
    for (Receipt &earlier : receipts)
      if (earlier.isApplied && earlier.technique == receipt.technique)
        replaceSites(earlier, receipt.sites);
  Observation &observation = receipt.observation;
  observation.key = keys.getKey(planned);
  observation.choice = keys.getChoice(planned);
  observation.sizes = keys.getSizes(planned);
  if (!receipt.isDisturbed) {
    observation.whenMs = getNowMs();
    observation.producer = getVersion().str();
    Observation filed = observation;
    // An observation is about the op; of the model's error receipts tell.
    filed.error = receipt.opError;
    if (llvm::Error error = database.observe(std::move(filed)))
      note(llvm::toString(std::move(error)));
    if (receipt.isApplied)
      decide(receipt, nullptr);
    saveDatabase();
  }
  receipts.push_back(std::move(receipt));
}

void Journal::withdraw(Blame blame) {
  for (Receipt &receipt : receipts)
    if (receipt.isApplied) {
      receipt.isApplied = false;
      if (blame == Blame::Choices)
        decideAgainst(receipt);
    }
  saveDatabase();
}

//===----------------------------------------------------------------------===//
// The database
//===----------------------------------------------------------------------===//

bool Journal::wasTried(const PlannedProposal &planned,
                       const ChoiceMap &applied) const {
  const Observation *seen = database.findObservation(
      keys.getKey(planned), keys.getChoice(planned), keys.getSizes(planned));
  // One that was kept once and is not applied now was taken back together with
  // others, and may be good without these.
  return seen &&
         (seen->outcome != Outcome::Kept || keys.isApplied(planned, applied));
}

void Journal::saveDatabase() {
  if (save)
    save(database);
}

void Journal::add(Decision decision) {
  decision.whenMs = getNowMs();
  decision.producer = getVersion().str();
  if (llvm::Error error = database.decide(std::move(decision)))
    note(llvm::toString(std::move(error)));
}

/// Decides on what `receipt` chose for its sites, or on `choice` for all.
void Journal::decide(const Receipt &receipt, const Choice *choice) {
  const Technique *technique = space.find(receipt.technique);
  for (auto [index, number] : llvm::enumerate(receipt.sites)) {
    const OpSite &site = sites.sites[number];
    Decision decision;
    decision.key = keys.getKey(site.signature, receipt.technique);
    decision.scope = technique ? technique->scope : DecisionScope::Op;
    decision.choice = choice ? *choice : receipt.choices[index];
    decision.label = site.label;
    add(std::move(decision));
  }
}

void Journal::decideAgainst(const Receipt &receipt) {
  const Choice none;
  decide(receipt, &none);
}

void Journal::settle(const ChoiceMap &choices) {
  std::vector<Decision> settled;
  auto settleOne = [&](const OpSignature &signature,
                       const DecisionMatch &match) {
    const Technique *technique = space.find(match.decision->key.technique);
    if (match.confidence == Confidence::Exact || !technique)
      return;
    Decision &decision = settled.emplace_back();
    decision.key = keys.getKey(signature, technique->name);
    decision.scope = technique->scope;
    decision.basis = DecisionBasis::Inferred;
    auto op = choices.find(signature.exact);
    if (op != choices.end())
      if (auto by = op->second.find(technique->name.str());
          by != op->second.end())
        decision.choice = by->second;
    for (const OpSite &site : sites.sites)
      if (site.signature.exact == signature.exact)
        decision.label = site.label;
  };
  findChoices(sites.module, database, keys.getMachine(), settleOne);
  for (Decision &decision : settled)
    add(std::move(decision));
}

void Journal::markComplete(llvm::ArrayRef<Choice> markers,
                           const std::optional<Comparison> &whole) {
  Observation marker;
  marker.key = keys.getModelKey(kModelTechnique);
  marker.whenMs = getNowMs();
  marker.producer = getVersion().str();
  if (whole)
    tuning::describe(*whole, marker);
  marker.outcome = Outcome::Kept;
  marker.reason = "";
  for (const Choice &choice : markers) {
    marker.choice = choice;
    if (llvm::Error error = database.observe(marker))
      note(llvm::toString(std::move(error)));
  }
  saveDatabase();
}
