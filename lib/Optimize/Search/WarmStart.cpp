//===- WarmStart.cpp - Choices that the database knows --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarmStart.h"
#include "mlir-prof/Codegen/Choices.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

void WarmStart::find(const DecisionDatabase &database) {
  std::map<std::string, size_t> siteOf;
  std::map<std::string, MeasuredSizes> sizes;
  for (auto [index, site] : llvm::enumerate(sites.sites)) {
    siteOf[site.signature.exact] = index;
    sizes[site.signature.exact] = site.sizes;
  }
  choices.clear();
  receipts.clear();
  auto take = [&](const OpSignature &signature, const DecisionMatch &match) {
    const DecisionKey &key = match.decision->key;
    if (!space.find(key.technique))
      return;
    Receipt receipt;
    receipt.origin = ReceiptOrigin::Database;
    receipt.confidence = match.confidence;
    receipt.technique = key.technique;
    receipt.choice = match.decision->choice;
    receipt.choices = {receipt.choice};
    auto site = siteOf.find(signature.exact);
    if (site != siteOf.end())
      receipt.sites = {site->second};
    if (const Observation *seen = database.findObservation(key, receipt.choice))
      receipt.observation = *seen;
    receipt.observation.key = key;
    receipt.observation.choice = receipt.choice;
    receipt.isApplied = true;
    choices[signature.exact][receipt.technique] = receipt.choice;
    receipts.push_back(std::move(receipt));
  };
  findChoices(sites.module, database, keys.getMachine(), take, sizes);
}

bool WarmStart::dismiss(Extent extent, const Fault &fault, Journal &journal) {
  bool any = false;
  for (Receipt &receipt : receipts) {
    if (!receipt.isApplied || (extent == Extent::SimilarOps &&
                               receipt.confidence == Confidence::Exact))
      continue;
    any = true;
    receipt.isApplied = false;
    receipt.observation.outcome = Outcome::Rejected;
    receipt.observation.reason = fault.why;
    if (fault.blame == Blame::Choices)
      journal.decideAgainst(receipt);
    for (size_t site : receipt.sites) {
      auto place = choices.find(sites.sites[site].signature.exact);
      if (place == choices.end())
        continue;
      place->second.erase(receipt.technique);
      if (place->second.empty())
        choices.erase(place);
    }
  }
  if (!any)
    return false;
  journal.note((llvm::Twine(extent == Extent::SimilarOps
                                ? "the choices of similar ops in the "
                                  "database are not used: "
                                : "the decisions of the database are not "
                                  "used: ") +
                fault.why)
                   .str());
  journal.saveDatabase();
  return true;
}

/// Builds a model with the known choices and adopts it as the incumbent;
/// otherwise returns the fault.
llvm::Expected<WarmStart::Fault>
WarmStart::tryBuild(const ModelBuilder &builder, const Reference &reference,
                    Incumbent &incumbent) {
  auto server = builder.build(choices);
  auto results = server ? (*server)->getResults() : server.takeError();
  if (results.errorIsA<InterruptedError>() || results.errorIsA<BudgetError>())
    return results.takeError();
  if (!results)
    return Fault{llvm::toString(results.takeError()), Blame::Circumstances};
  ResultCheck check = reference.check(*results);
  if (!check.isRight())
    return Fault{check.reason, Blame::Choices};
  ModelVersion version;
  version.server = std::move(*server);
  version.choices = choices;
  version.error = check.error;
  version.isForSizeOnly = llvm::all_of(receipts, [](const Receipt &receipt) {
    return !receipt.isApplied || receipt.technique == codegen::choice::kCode;
  });
  incumbent.adopt(std::move(version));
  return Fault();
}

llvm::Error WarmStart::build(const ModelBuilder &builder,
                             const Reference &reference,
                             const SearchProgress &progress,
                             Incumbent &incumbent, Journal &journal) {
  for (Extent extent : {Extent::SimilarOps, Extent::All}) {
    if (choices.empty())
      break;
    progress.report("known", "decisions of the database");
    auto fault = tryBuild(builder, reference, incumbent);
    if (!fault)
      return fault.takeError();
    if (fault->why.empty())
      break;
    // Those of the same ops may be right without the others.
    if (!dismiss(extent, *fault, journal))
      dismiss(Extent::All, *fault, journal);
  }
  return llvm::Error::success();
}

llvm::Error WarmStart::compare(const ModelComparer &comparer,
                               const UnseenCheck &unseen,
                               const TimeBudget &budget, Incumbent &incumbent,
                               Journal &journal) {
  if (incumbent.isBaseline())
    return llvm::Error::success();
  constexpr double kSlower = 1.01;
  ComparisonOptions test = comparer.getTest();
  // A model that is much slower takes longer to measure.
  constexpr double kShare = 0.2;
  test.maxSeconds =
      std::max(budget.getReservedSeconds(), kShare * budget.getLeft());
  double before = incumbent.getBaseline().seconds;
  const ChoiceMap none;
  ModelServer &after = incumbent.getServer();
  auto measured = unlessInterrupted(comparer.compare(
      {incumbent.getBaselineServer(), none}, {after, choices}, before, test,
      kStartsByBuild * after.getModel().buildSeconds));
  if (!measured)
    return measured.takeError();
  UnseenOutcome outcome;
  if (measured->verdict == Verdict::NotFaster && measured->ratio > kSlower &&
      !isDisturbed(*measured, before)) {
    outcome.fault = "the model is slower with them";
  } else {
    auto checked = unseen.check(incumbent.getServer(), choices);
    if (!checked)
      return checked.takeError();
    outcome = std::move(*checked);
  }
  if (outcome.fault.empty()) {
    incumbent.setMeasured(measured->candidateSeconds,
                          std::move(outcome.results));
    return llvm::Error::success();
  }
  dismiss(Extent::All,
          {outcome.fault,
           outcome.hasNoTime ? Blame::Circumstances : Blame::Choices},
          journal);
  incumbent.reset();
  return llvm::Error::success();
}

void WarmStart::dropUnchecked(const Incumbent &incumbent, Journal &journal,
                              llvm::StringRef why) {
  if (!incumbent.isBaseline() || choices.empty())
    return;
  choices.clear();
  for (Receipt &receipt : receipts)
    receipt.isApplied = false;
  journal.note("the decisions of the database are not used, as " + why.str() +
               " before they were checked");
}
