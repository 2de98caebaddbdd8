//===- Trial.cpp - One candidate ------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/SingleOp.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

void optimize::refuse(Receipt &receipt, Outcome outcome,
                      const llvm::Twine &reason) {
  receipt.observation.outcome = outcome;
  receipt.observation.reason = reason.str();
}

llvm::Error Search::fail(llvm::Error error, Receipt &receipt) {
  if (error.isA<InterruptedError>())
    return error;
  refuse(receipt, Outcome::Failed, llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// Whether the op has the same signature where it stands alone: else the choice
/// would not reach it, and its error would be that of another algorithm.
static bool isFoundAlone(mlir::ModuleOp alone, const OpSite &site,
                         const CompileOptions &compile) {
  CompileOptions plain = compile;
  plain.identities = false;
  auto canonical =
      prepareModel(mlir::OwningOpRef<mlir::ModuleOp>(alone.clone()), plain,
                   StageForm::Canonical);
  if (!canonical) {
    llvm::consumeError(canonical.takeError());
    return false;
  }
  return llvm::any_of(getSignatures(**canonical), [&](const SignedOp &entry) {
    return entry.signature.exact == site.signature.exact;
  });
}

llvm::Expected<std::optional<double>>
Search::measureOpError(const OpSite &site, const Technique &by,
                       const Choice &choice) {
  constexpr double kRunSeconds = 30;
  mlir::OwningOpRef<mlir::ModuleOp> alone = isolateOp(site.ops.front());
  if (!alone)
    return std::nullopt;
  CompileOptions exact = options.compile;
  exact.entry = "";
  exact.choose = nullptr;
  exact.pipeline = "naive";
  CompileOptions chosen = exact;
  chosen.pipeline = options.compile.pipeline;
  if (!isFoundAlone(*alone, site, exact))
    return std::nullopt;
  chosen.choose = chooseBy({{site.signature.exact, {{by.name.str(), choice}}}});
  auto signature = getModelSignature(*alone, "");
  if (!signature)
    return signature.takeError();
  auto requests = makeArguments(*signature, {}, {});
  if (!requests)
    return requests.takeError();
  std::vector<Results> results;
  for (const CompileOptions *compile : {&exact, &chosen}) {
    auto server = serve(*alone, *compile, *requests, kRunSeconds);
    if (!server)
      return server.takeError();
    auto got = (*server)->getResults();
    if (!got)
      return got.takeError();
    results.push_back(std::move(*got));
  }
  ResultCheck check =
      checkResults(results[1], results[0], std::numeric_limits<double>::max());
  if (!check.isRight())
    return inputError(site.label, check.reason);
  return check.error;
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

void Search::adopt(const PlannedProposal &planned, Server candidate,
                   ChoiceMap choices, const Receipt &receipt) {
  // One that was kept before and has been replaced since.
  for (Receipt &earlier : result.receipts)
    if (earlier.isApplied && earlier.technique == receipt.technique)
      replaceSites(earlier, receipt.sites);
  incumbent = std::move(candidate);
  result.choices = std::move(choices);
  result.textAfter = incumbent->getModel().textBytes;
  result.errorAfter = receipt.observation.error.value_or(result.errorAfter);
  incumbentSeconds = double(receipt.observation.newPs) * 1e-12;
  isForSizeOnly &= planned.proposal.isKeptWhenEqual;
  ++kept;
}

llvm::Error Search::tryOut(const PlannedProposal &planned, Receipt &receipt) {
  Observation &observation = receipt.observation;
  ChoiceMap choices = result.choices;
  for (const auto &[site, choice] : planned.proposal.choices)
    choices[sites.sites[site].signature.exact][planned.technique->name.str()] =
        choice;
  auto candidate = serve(choices);
  if (!candidate)
    return fail(candidate.takeError(), receipt);
  if ((*candidate)->getModel().fingerprint ==
      getIncumbent().getModel().fingerprint) {
    refuse(receipt, Outcome::Rejected, "makes the same code");
    return llvm::Error::success();
  }
  auto results = (*candidate)->getResults();
  if (!results)
    return fail(results.takeError(), receipt);
  ResultCheck check = checkResults(*results, reference, result.tolerance);
  observation.error = check.error;
  if (!check.isRight()) {
    refuse(receipt, Outcome::Rejected, check.reason);
    return llvm::Error::success();
  }
  if (planned.proposal.changesNumbers) {
    const auto &[site, choice] = planned.proposal.choices.front();
    auto error = measureOpError(sites.sites[site], *planned.technique, choice);
    if (!error)
      return fail(error.takeError(), receipt);
    receipt.opError = *error;
    if (*error && **error > options.compile.maxError) {
      refuse(
          receipt, Outcome::Rejected,
          llvm::formatv("the op alone is off by {0:e2} of its largest result, "
                        "more than --max-error",
                        **error)
              .str());
      return llvm::Error::success();
    }
  }
  if (llvm::Error error = compareWithIncumbent(planned, **candidate, receipt))
    return error;
  if (observation.outcome == Outcome::Kept && !planned.proposal.isKeptWhenEqual)
    if (llvm::Error error = confirm(*candidate, choices, receipt))
      return error;
  if (observation.outcome == Outcome::Kept)
    if (llvm::Error error =
            refuseWhereUnseenLoses(**candidate, choices, receipt))
      return error;
  if (observation.outcome == Outcome::Kept)
    adopt(planned, std::move(*candidate), std::move(choices), receipt);
  return llvm::Error::success();
}
