//===- SearchKnown.cpp - What the database knows already ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

void Search::findKnown() {
  std::map<std::string, size_t> siteOf;
  std::map<std::string, MeasuredSizes> sizes;
  for (auto [index, site] : llvm::enumerate(sites.sites)) {
    siteOf[site.signature.exact] = index;
    sizes[site.signature.exact] = site.sizes;
  }
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
      },
      sizes);
  dropUnused();
  result.wasKnown = !options.isRepeated && isMarked();
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

/// Takes back what came from the database: all of it, or what it had for
/// similar ops only. Also there, so that no other build makes the same mistake.
/// Returns whether there was any.
bool Search::dismissKnown(bool isSimilarOnly, const KnownFault &fault) {
  const Choice none;
  bool any = false;
  for (Receipt &receipt : result.receipts) {
    if (!receipt.isApplied ||
        (isSimilarOnly && receipt.confidence == Confidence::Exact))
      continue;
    any = true;
    receipt.isApplied = false;
    receipt.observation.outcome = Outcome::Rejected;
    receipt.observation.reason = fault.why;
    if (fault.isTheirs)
      decide(receipt, &none);
    for (size_t site : receipt.sites) {
      auto place = result.choices.find(sites.sites[site].signature.exact);
      if (place == result.choices.end())
        continue;
      place->second.erase(receipt.technique);
      if (place->second.empty())
        result.choices.erase(place);
    }
  }
  if (!any)
    return false;
  result.notes.push_back(
      (llvm::Twine(isSimilarOnly
                       ? "what the database has for similar ops is not used: "
                       : "the decisions of the database are not used: ") +
       fault.why)
          .str());
  save();
  return true;
}

/// Makes a model with the known choices the incumbent. Returns what is wrong
/// with it, or nothing.
llvm::Expected<Search::KnownFault> Search::serveKnown() {
  auto server = serve(result.choices);
  llvm::Error error = server.takeError();
  if (!error) {
    auto results = (*server)->getResults();
    if (results) {
      ResultCheck check = checkResults(*results, reference, result.tolerance);
      if (!check.isRight())
        return KnownFault{check.reason, true};
      result.errorAfter = check.error;
      incumbent = std::move(*server);
      result.textAfter = incumbent->getModel().textBytes;
      isForSizeOnly = llvm::all_of(result.receipts, [](const Receipt &known) {
        return !known.isApplied || known.technique == codegen::choice::kCode;
      });
      return KnownFault();
    }
    error = results.takeError();
  }
  if (error.isA<InterruptedError>())
    return std::move(error);
  return KnownFault{llvm::toString(std::move(error)), false};
}

/// Known choices are measured here, too: similar ops may differ in what is
/// fast, and candidates are compared with what has them.
llvm::Error Search::timeKnown() {
  if (!incumbent)
    return llvm::Error::success();
  constexpr double kSlower = 1.01;
  auto stopwatch = makeStopwatch(*baseline, *incumbent);
  if (!stopwatch)
    return stopwatch.takeError();
  ComparisonOptions test = comparison;
  // What is much slower takes longer to measure.
  constexpr double kShare = 0.2;
  test.maxSeconds = std::max(getCheckSeconds(), kShare * getLeft());
  auto measured = compareInPeace(*stopwatch, test, baselineSeconds);
  if (!measured)
    return measured.takeError();
  if (measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
  KnownFault fault;
  if (measured->verdict == Verdict::NotFaster && measured->ratio > kSlower &&
      !isDisturbed(*measured, baselineSeconds)) {
    fault.why = "the model is slower with them";
  } else {
    auto why = checkUnseen(*incumbent, result.choices);
    if (!why)
      return why.takeError();
    fault.why = std::move(*why);
  }
  if (!fault.why.empty()) {
    dismissKnown(/*isSimilarOnly=*/false, fault);
    incumbent.reset();
    isForSizeOnly = true;
    result.errorAfter = result.errorBefore;
    result.textAfter = result.textBefore;
    return llvm::Error::success();
  }
  incumbentSeconds = measured->candidateSeconds;
  return llvm::Error::success();
}

/// Begins with the choices that the database knows, when they hold here.
llvm::Error Search::adoptKnown() {
  for (bool isSimilarOnly : {true, false}) {
    if (result.choices.empty())
      break;
    report("known", "decisions of the database");
    auto fault = serveKnown();
    if (!fault)
      return fault.takeError();
    if (fault->why.empty())
      break;
    // Those of the same ops may be right without the others.
    if (!dismissKnown(isSimilarOnly, *fault))
      dismissKnown(/*isSimilarOnly=*/false, *fault);
  }
  return llvm::Error::success();
}

/// After an interruption before the known choices were built: nothing is known
/// of them here.
void Search::dropUnchecked() {
  if (incumbent || result.choices.empty())
    return;
  result.choices.clear();
  for (Receipt &receipt : result.receipts)
    receipt.isApplied = false;
  result.notes.push_back("the decisions of the database are not used, as the "
                         "interruption came before they were checked");
}
