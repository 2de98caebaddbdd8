//===- SearchFinish.cpp - Whether the result holds as a whole -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Receipts/ReceiptText.h"
#include "RestartingStopwatch.h"
#include "Search.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Tuning/SignedRank.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

double Search::getComparisonSeconds(unsigned rounds) const {
  // A round is four measurements, each with its warm-up of a fifth. To find out
  // how many iterations one is takes about two rounds.
  constexpr double kMeasurements = 4 * 1.2, kMoreRounds = 2;
  double one = std::max(ServerStopwatch::kSeconds,
                        baselineSeconds * double(options.requests.size()));
  return (rounds + kMoreRounds) * kMeasurements * one;
}

double Search::getCheckSeconds() const {
  // Seven rounds of one sign are rarer than one in a hundred.
  constexpr unsigned kFewestRounds = 10;
  constexpr double kShare = 0.2, kMost = 60;
  return std::min(kMost, std::clamp(kShare * options.budgetSeconds,
                                    getComparisonSeconds(kFewestRounds),
                                    getComparisonSeconds(kEnoughRounds)));
}

void Search::returnPrevious(const llvm::Twine &why, bool isWrong) {
  Choice none;
  for (Receipt &receipt : result.receipts)
    if (receipt.isApplied) {
      receipt.isApplied = false;
      if (isWrong)
        decide(receipt, &none);
    }
  result.whyPrevious = why.str();
  result.choices.clear();
  result.unseen.clear();
  result.textAfter = result.textBefore;
  result.errorAfter = result.errorBefore;
  save();
}

llvm::Expected<Comparison>
Search::compareInNewProcesses(ServerStopwatch stopwatch, ModelServer &built,
                              const ChoiceMap &choices,
                              llvm::ArrayRef<Arguments> requests,
                              double beforeSeconds, ComparisonOptions test) {
  // A round measures each twice.
  constexpr unsigned kMeasurements = 2, kFewestPairs = 5;
  Server first;
  auto start = [&](Variant variant) -> llvm::Expected<Server> {
    if (variant == Variant::Candidate)
      return serveAgain(built, choices, requests);
    return first ? std::move(first)
                 : serveAgain(*baseline, ChoiceMap(), requests);
  };
  double begin = tools.clock();
  auto started = start(Variant::Incumbent);
  if (started)
    first = std::move(*started);
  else if (started.errorIsA<InterruptedError>())
    return started.takeError();
  else
    llvm::consumeError(started.takeError());
  double pairSeconds = 2 * (tools.clock() - begin);
  // Half of the time is for starting processes.
  double pairs = pairSeconds > 0 ? test.maxSeconds / 2 / pairSeconds
                                 : double(kEnoughRounds);
  unsigned rounds = unsigned(
      std::ceil(kEnoughRounds / std::clamp(pairs, 1.0, double(kEnoughRounds))));
  test.firstLook = std::clamp(kFewestPairs * rounds, test.firstLook,
                              std::max(test.firstLook, kEnoughRounds));
  RestartingStopwatch restarting(std::move(stopwatch), start,
                                 kMeasurements * rounds);
  return compareInPeace(restarting, test, beforeSeconds);
}

llvm::Expected<Comparison> Search::compareWhole(ComparisonOptions test) {
  auto stopwatch = makeStopwatch(*baseline, *incumbent);
  if (!stopwatch)
    return stopwatch.takeError();
  return compareInNewProcesses(std::move(*stopwatch), *incumbent,
                               result.choices, options.requests,
                               baselineSeconds, test);
}

llvm::Expected<bool> Search::isWithinControl(const Comparison &measured) {
  auto isWithin = [&] {
    return result.control &&
           judgeChange(measured.ratio, getNoise(*result.control)) ==
               Change::Undecided;
  };
  if (measured.verdict != Verdict::Faster || !isWithin())
    return false;
  // That was before the search, when something else may have run.
  auto again = compareControl();
  if (!again)
    return again.takeError();
  result.control = *again;
  return isWithin();
}

/// Measures the result against the model as it was before.
llvm::Error Search::checkWhole() {
  if (result.choices.empty() || !incumbent)
    return llvm::Error::success();
  report("final", "the result against the model as it was");
  ComparisonOptions test = comparison;
  test.minimumGain = 0;
  test.maxRounds = kMaxSignedRankValues;
  test.maxSeconds = std::max(getCheckSeconds(), getLeft());
  auto measured = compareWhole(test);
  if (!measured)
    return measured.takeError();
  result.whole = *measured;
  if (measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
  bool isEqual =
      measured->rounds >= test.firstLook && measured->ratio <= 1 + kEqual;
  auto isWithin = isWithinControl(*measured);
  if (!isWithin)
    return isWithin.takeError();
  if (*isWithin)
    measured->verdict = result.whole->verdict = Verdict::Undecided;
  if (measured->verdict == Verdict::Faster || (isForSizeOnly && isEqual))
    return llvm::Error::success();
  bool isDisturbed = optimize::isDisturbed(*measured, baselineSeconds);
  std::string why = llvm::formatv(
      "the whole is not faster beyond noise: {0:f4} of the time before, {1}{2}",
      measured->ratio, getName(measured->verdict),
      *isWithin
          ? " beside a control of " + formatShare(getNoise(*result.control))
      : isDisturbed ? "; the machine was disturbed"
                    : "");
  // Where the time was too short to tell, the decisions stay: each was faster.
  returnPrevious(why, measured->verdict == Verdict::NotFaster && !isDisturbed);
  return llvm::Error::success();
}

llvm::Expected<Search::Results>
Search::computeResults(ModelServer &built, const ChoiceMap &choices,
                       llvm::ArrayRef<Arguments> requests) {
  auto server = serveAgain(built, choices, requests);
  if (!server)
    return server.takeError();
  return (*server)->getResults();
}

llvm::Error Search::checkOtherRequests() {
  if (result.choices.empty() || options.checkRequests.empty())
    return llvm::Error::success();
  report("final", "results on other arguments");
  auto skip = [&](const std::string &why) {
    result.notes.push_back("the result was not checked on other arguments: " +
                           why);
    return llvm::Error::success();
  };
  if (!whyNoCheck.empty())
    return skip("the unoptimized model gave no results for them: " +
                whyNoCheck);
  auto after =
      computeResults(getIncumbent(), result.choices, options.checkRequests);
  ResultCheck check;
  if (after)
    check = checkResults(*after, checkReference, options.tolerance);
  if (!after || !check.isRight()) {
    // Only now does it matter what the model did before: a large one takes its
    // time to build.
    auto before = computeResults(*baseline, ChoiceMap(), options.checkRequests);
    if (!before) {
      llvm::consumeError(after.takeError());
      if (before.errorIsA<InterruptedError>())
        return before.takeError();
      return skip("the model does not run on them: " +
                  llvm::toString(before.takeError()));
    }
    if (!after) {
      llvm::Error failure = after.takeError();
      if (failure.isA<InterruptedError>())
        return failure;
      returnPrevious("on other arguments: " +
                         llvm::toString(std::move(failure)),
                     /*isWrong=*/true);
      return llvm::Error::success();
    }
    double error = checkResults(*before, checkReference,
                                std::numeric_limits<double>::max())
                       .error;
    check = checkResults(*after, checkReference,
                         std::max(options.tolerance, 2 * error));
  }
  result.errorAfter = std::max(result.errorAfter, check.error);
  if (!check.isRight())
    returnPrevious("on other arguments: " + check.reason, /*isWrong=*/true);
  return llvm::Error::success();
}
