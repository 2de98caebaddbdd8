//===- Trial.cpp - One candidate ------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Optimize/SingleOp.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;

/// Code that is smaller by less is not worth a choice.
static constexpr double kSmaller = 0.02;
/// Winograd's algorithm with tiles of four needs a quarter of the
/// multiplications.
static constexpr double kFewestOperations = 4;

static void refuse(Receipt &receipt, Outcome outcome,
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

/// Whether a candidate of smaller code is as fast, as far as can be told: the
/// upper end of the estimate's interval of two standard errors.
static bool isAsFast(const Comparison &comparison) {
  // One round has no spread, and says nothing.
  if (comparison.rounds < ComparisonOptions().firstLook)
    return false;
  double error = comparison.spread / std::sqrt(double(comparison.rounds));
  return comparison.ratio + 2 * error <= 1 + kEqual;
}

bool mlirprof::isDisturbed(const Comparison &comparison,
                           double incumbentSeconds) {
  constexpr double kSlower = 1.15;
  return incumbentSeconds > 0 &&
         comparison.incumbentSeconds > kSlower * incumbentSeconds;
}

llvm::Expected<Comparison> mlirprof::compareInPeace(ServerStopwatch &stopwatch,
                                                    ComparisonOptions test,
                                                    double incumbentSeconds) {
  constexpr unsigned kTries = 3;
  for (unsigned i = 0;; ++i) {
    double begin = stopwatch.now();
    auto measured = compare(stopwatch, test);
    if (!measured || !isDisturbed(*measured, incumbentSeconds) ||
        i + 1 == kTries || measured->verdict == Verdict::Interrupted)
      return measured;
    test.maxSeconds -= stopwatch.now() - begin;
    if (test.maxSeconds <= 0)
      return measured;
  }
}

llvm::Error Search::failMeasuring(llvm::Error error, Receipt &receipt) {
  if (error.isA<InterruptedError>())
    return error;
  auto alive = getIncumbent().run(options.requests.size());
  if (alive)
    return fail(std::move(error), receipt);
  llvm::consumeError(std::move(error));
  if (alive.errorIsA<InterruptedError>())
    return alive.takeError();
  // It is the incumbent that ended, which says nothing of the candidate.
  refuse(receipt, Outcome::Rejected,
         "not measured, as the best so far ended: " +
             llvm::toString(alive.takeError()));
  receipt.isDisturbed = true;
  auto again = serve(result.choices);
  if (!again)
    return again.takeError();
  (incumbent ? incumbent : baseline) = std::move(*again);
  return llvm::Error::success();
}

llvm::Expected<std::optional<Comparison>>
Search::measureTrial(ModelServer &before, ModelServer &candidate, double alpha,
                     Receipt &receipt) {
  auto failed =
      [&](llvm::Error error) -> llvm::Expected<std::optional<Comparison>> {
    if (llvm::Error last = failMeasuring(std::move(error), receipt))
      return std::move(last);
    return std::nullopt;
  };
  auto stopwatch = ServerStopwatch::create(before, candidate);
  if (!stopwatch)
    return failed(stopwatch.takeError());
  ComparisonOptions test = comparison;
  test.alpha = alpha;
  test.maxSeconds = std::max(0.5, getLeft() - getCheckSeconds());
  auto measured = compareInPeace(*stopwatch, test, incumbentSeconds);
  if (!measured)
    return failed(measured.takeError());
  if (measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
  receipt.isDisturbed = isDisturbed(*measured, incumbentSeconds);
  describe(*measured, receipt.observation);
  return *measured;
}

llvm::Error Search::compareWithIncumbent(const PlannedProposal &planned,
                                         ModelServer &candidate,
                                         Receipt &receipt) {
  auto measured =
      measureTrial(getIncumbent(), candidate,
                   shareOfAlpha(options.comparison.alpha, trials), receipt);
  if (!measured)
    return measured.takeError();
  if (!*measured)
    return llvm::Error::success();
  Observation &observation = receipt.observation;
  uint64_t before = getIncumbent().getModel().textBytes,
           after = candidate.getModel().textBytes;
  bool isSmaller = double(after) <= (1 - kSmaller) * double(before);
  if (planned.proposal.isKeptWhenEqual && isSmaller && isAsFast(**measured)) {
    observation.outcome = Outcome::Kept;
    observation.reason =
        "as fast, and the code is smaller: " + std::to_string(after) +
        " bytes instead of " + std::to_string(before);
  }
  double peak = double(options.compile.target.threads == 1
                           ? options.peak.flopsOneThread
                           : options.peak.flopsAllThreads);
  std::string tooFast = checkSpeed((*measured)->candidateSeconds,
                                   sites.operations, peak, kFewestOperations);
  if (!tooFast.empty())
    refuse(receipt, Outcome::Rejected, tooFast);
  if (receipt.isDisturbed)
    refuse(receipt, Outcome::Rejected,
           "the machine was disturbed: the incumbent took longer than before");
  return llvm::Error::success();
}

llvm::Error Search::confirm(Server &candidate, const ChoiceMap &choices,
                            Receipt &receipt) {
  auto again = serve(choices);
  if (!again)
    return fail(again.takeError(), receipt);
  auto before = serve(result.choices);
  if (!before)
    return before.takeError();
  auto measured = measureTrial(**before, **again, comparison.alpha, receipt);
  if (!measured)
    return measured.takeError();
  if (!*measured)
    return llvm::Error::success();
  if (receipt.isDisturbed)
    refuse(receipt, Outcome::Rejected,
           "the machine was disturbed: the incumbent took longer than before");
  else if (receipt.observation.outcome == Outcome::Kept)
    candidate = std::move(*again);
  else
    refuse(receipt, Outcome::Rejected,
           "was faster, but not once more in new processes");
  return llvm::Error::success();
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
    adopt(planned, std::move(*candidate), std::move(choices), receipt);
  return llvm::Error::success();
}
