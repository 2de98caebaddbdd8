//===- TrialTimes.cpp - The times of one candidate ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

/// Code that is smaller by less is not worth a choice.
static constexpr double kSmaller = 0.02;
/// Winograd's algorithm with tiles of four needs a quarter of the
/// multiplications.
static constexpr double kFewestOperations = 4;

/// Whether a candidate of smaller code is as fast: by the test, or as far as
/// can be told where its time was up, the upper end of the estimate's interval
/// of two standard errors.
static bool isAsFast(const Comparison &comparison) {
  if (comparison.verdict == Verdict::Faster)
    return true;
  if (comparison.verdict == Verdict::NotFaster)
    return false;
  // One round has no spread, and says nothing.
  if (comparison.rounds < ComparisonOptions().firstLook)
    return false;
  double error = comparison.spread / std::sqrt(double(comparison.rounds));
  return comparison.ratio + 2 * error <= 1 + kEqual;
}

bool optimize::isDisturbed(const Comparison &comparison,
                           double incumbentSeconds) {
  constexpr double kSlower = 1.15;
  return incumbentSeconds > 0 &&
         comparison.incumbentSeconds > kSlower * incumbentSeconds;
}

llvm::Expected<Comparison> optimize::compareInPeace(Stopwatch &stopwatch,
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
Search::measureTrial(ModelServer &before, ModelServer &candidate,
                     ComparisonOptions test, Receipt &receipt) {
  auto failed =
      [&](llvm::Error error) -> llvm::Expected<std::optional<Comparison>> {
    if (llvm::Error last = failMeasuring(std::move(error), receipt))
      return std::move(last);
    return std::nullopt;
  };
  auto stopwatch = makeStopwatch(before, candidate);
  if (!stopwatch)
    return failed(stopwatch.takeError());
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
  ComparisonOptions test = comparison;
  test.alpha = shareOfAlpha(options.comparison.alpha, trials);
  Observation &observation = receipt.observation;
  uint64_t before = getIncumbent().getModel().textBytes,
           after = candidate.getModel().textBytes;
  if (planned.proposal.isKeptWhenEqual) {
    if (double(after) > (1 - kSmaller) * double(before)) {
      refuse(receipt, Outcome::Rejected, "the code is not smaller");
      return llvm::Error::success();
    }
    // The test is whether it loses less than what counts as equal.
    test.minimumGain = -kEqual;
    test.worthwhileGain = -kEqual / 2;
  }
  auto measured = measureTrial(getIncumbent(), candidate, test, receipt);
  if (!measured)
    return measured.takeError();
  if (!*measured)
    return llvm::Error::success();
  if (planned.proposal.isKeptWhenEqual) {
    bool isKept = isAsFast(**measured);
    observation.outcome = isKept ? Outcome::Kept : Outcome::Rejected;
    observation.reason =
        isKept ? "as fast, and the code is smaller: " + std::to_string(after) +
                     " bytes instead of " + std::to_string(before)
               : "not shown to be as fast";
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
  auto again = serveAgain(*candidate, choices, options.requests);
  if (!again)
    return fail(again.takeError(), receipt);
  auto before = serveAgain(getIncumbent(), result.choices, options.requests);
  if (!before)
    return before.takeError();
  auto measured = measureTrial(**before, **again, comparison, receipt);
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
