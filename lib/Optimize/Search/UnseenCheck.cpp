//===- UnseenCheck.cpp - Candidates on shapes not recorded ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnseenCheck.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/Statistics.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

/// A loss that counts as none, as a part of any call's time: equal code differs
/// by as much.
static constexpr double kMostLoss = 0.02;
/// The highest probability, for each shape, of taking a larger loss for none.
static constexpr double kAlpha = 0.05;
/// Rounds and seconds of a test, at first and where that could not tell.
static constexpr unsigned kMostRounds[] = {40, kMaxSignedRankValues};
static constexpr double kMostSeconds[] = {2, 6};

double UnseenCheck::getSeconds() const {
  constexpr double kEach = 0.6;
  return kEach * double(shapes.size());
}

llvm::Error UnseenCheck::setShapes(std::vector<UnseenShape> all,
                                   double tolerance) {
  shapes.clear();
  for (UnseenShape &shape : all) {
    auto results = builder.computeResults(incumbent.getBaselineServer(),
                                          ChoiceMap(), *shape.request);
    if (!results) {
      if (results.errorIsA<InterruptedError>())
        return results.takeError();
      llvm::consumeError(results.takeError());
      continue;
    }
    ResultCheck check = checkResults(*results, shape.reference,
                                     std::numeric_limits<double>::max());
    shape.tolerance = std::max(tolerance, 2 * check.error);
    if (check.isRight())
      shapes.push_back(std::move(shape));
  }
  return llvm::Error::success();
}

/// The test of a shape for which a call takes `callSeconds`: whether a loss can
/// be excluded.
static ComparisonOptions getUnseenTest(ComparisonOptions test,
                                       double callSeconds, unsigned attempt) {
  // Five rounds of one sign are rarer than one in twenty. A round is four
  // measurements, each with its warm-up.
  constexpr double kFewestRounds = 6, kMeasurements = 5;
  test.alpha = kAlpha;
  test.minimumGain = test.worthwhileGain = -kMostLoss;
  test.maxRounds = kMostRounds[attempt];
  test.maxSeconds = std::max(kMostSeconds[attempt],
                             kFewestRounds * kMeasurements * callSeconds);
  return test;
}

static std::string describeLoss(const Comparison &measured) {
  std::string ratio =
      llvm::formatv("{0:f2} of the time before", measured.ratio);
  return measured.ratio > 1 + kMostLoss
             ? ratio
             : llvm::formatv("{0}, spread {1:f1} %: it may be slower", ratio,
                             100 * measured.spread);
}

llvm::Expected<UnseenResult> UnseenCheck::measure(const UnseenShape &shape,
                                                  ModelServer &candidate,
                                                  const ChoiceMap &choices,
                                                  unsigned attempt) const {
  UnseenResult seen;
  seen.shapes = record::describeShapes(*shape.request);
  // Step 1: the candidate computes the same.
  auto after = builder.startAgain(candidate, choices, *shape.request);
  auto results = after ? (*after)->getResults() : after.takeError();
  if (!results) {
    if (results.errorIsA<InterruptedError>())
      return results.takeError();
    seen.fault = llvm::toString(results.takeError());
    return seen;
  }
  ResultCheck check = checkResults(*results, shape.reference, shape.tolerance);
  seen.error = check.error;
  seen.fault = check.reason;
  if (!check.isRight())
    return seen;
  // Step 2: the time of a call says how long the test may take.
  ModelServer &baseline = incumbent.getBaselineServer();
  auto before = builder.startAgain(baseline, ChoiceMap(), *shape.request);
  if (!before)
    return before.takeError();
  auto stopwatch = comparer.makeStopwatch(**before, **after);
  if (!stopwatch)
    return stopwatch.takeError();
  auto call = stopwatch->measure(Variant::Incumbent);
  if (!call)
    return call.takeError();
  // Step 3: the test excludes that the candidate is slower.
  const ChoiceMap none;
  ComparisonOptions test = getUnseenTest(comparer.getTest(), *call, attempt);
  auto measured = unlessInterrupted(comparer.compareInNewProcesses(
      std::move(*stopwatch), {baseline, none}, {candidate, choices},
      *shape.request, /*beforeSeconds=*/0, test));
  if (!measured)
    return measured.takeError();
  seen.comparison = *measured;
  if (measured->verdict != Verdict::Faster)
    seen.fault = describeLoss(*measured);
  return seen;
}

llvm::Expected<UnseenOutcome>
UnseenCheck::check(ModelServer &candidate, const ChoiceMap &choices) const {
  UnseenOutcome outcome;
  auto isSpent = [&] {
    if (budget.getLeft() > 0)
      return false;
    outcome.hasNoTime = true;
    outcome.fault = "the budget ended before it was measured on all shapes "
                    "that were not recorded";
    return true;
  };
  for (const UnseenShape &shape : shapes) {
    progress.report("other shapes", record::describeShapes(*shape.request));
    if (isSpent())
      return outcome;
    // Once more: a disturbance of the machine for a moment is not a loss.
    auto seen = measure(shape, candidate, choices, /*attempt=*/0);
    if (seen && !seen->fault.empty() && seen->comparison.rounds && isSpent())
      return outcome;
    if (seen && !seen->fault.empty() && seen->comparison.rounds)
      seen = measure(shape, candidate, choices, /*attempt=*/1);
    if (!seen)
      return seen.takeError();
    if (!seen->fault.empty()) {
      outcome.fault = "for shapes that were not recorded (" + seen->shapes +
                      "): " + seen->fault;
      return outcome;
    }
    outcome.results.push_back(std::move(*seen));
  }
  return outcome;
}
