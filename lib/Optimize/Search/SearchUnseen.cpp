//===- SearchUnseen.cpp - Shapes that were not recorded -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice that is faster on the requests may be slower for other shapes. So it
// is kept only when, for each of some other shapes, it computes the same and a
// test excludes that it is slower than the model as it was, in processes that
// change: one that cannot tell keeps nothing. Each shape is measured on its
// own: in a mean, one that is slower would hide behind one that is faster.
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Tuning/SignedRank.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::compile;
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

double Search::getUnseenSeconds() const {
  constexpr double kEach = 0.6;
  return kEach * double(unseen.size());
}

std::string optimize::describeShapes(const Arguments &request) {
  std::vector<std::string> shapes;
  for (const HostTensor &tensor : request)
    if (!tensor.shape.empty()) {
      shapes.push_back(describeSizes(tensor.shape));
      shapes.back().pop_back();
    }
  return llvm::join(shapes, ", ");
}

llvm::Error Search::takeUnseenReference(ModelServer &built,
                                        const CompileOptions &compile,
                                        double runSeconds,
                                        double buildSeconds) {
  unseen.clear();
  unsigned dropped = 0;
  for (const Arguments &request : options.unseenRequests) {
    auto server = serveAgain(built, compile, request, runSeconds, buildSeconds);
    auto results = server ? (*server)->getResults() : server.takeError();
    if (results)
      unseen.push_back({&request, std::move(*results), 0});
    else if (results.errorIsA<InterruptedError>())
      return results.takeError();
    else {
      // Its sizes need not go together.
      llvm::consumeError(results.takeError());
      ++dropped;
    }
  }
  if (dropped)
    result.notes.push_back(
        llvm::formatv("the model does not run on {0} of {1} shapes that were "
                      "not recorded: choices are measured on the others",
                      dropped, options.unseenRequests.size()));
  return llvm::Error::success();
}

llvm::Error Search::checkUnseenBaseline() {
  std::vector<UnseenShape> right;
  for (UnseenShape &shape : unseen) {
    auto results = computeResults(*baseline, ChoiceMap(), *shape.request);
    if (!results) {
      if (results.errorIsA<InterruptedError>())
        return results.takeError();
      llvm::consumeError(results.takeError());
      continue;
    }
    ResultCheck check = checkResults(*results, shape.reference,
                                     std::numeric_limits<double>::max());
    shape.tolerance = std::max(options.tolerance, 2 * check.error);
    if (check.isRight())
      right.push_back(std::move(shape));
  }
  unseen = std::move(right);
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
             : llvm::formatv(
                   "{0}, spread {1:f1} %: that it is no slower is not "
                   "shown",
                   ratio, 100 * measured.spread);
}

llvm::Expected<UnseenResult> Search::measureUnseen(const UnseenShape &shape,
                                                   ModelServer &candidate,
                                                   const ChoiceMap &choices,
                                                   unsigned attempt) {
  UnseenResult seen;
  seen.shapes = describeShapes(*shape.request);
  auto after = serveAgain(candidate, choices, *shape.request);
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
  auto before = serveAgain(*baseline, ChoiceMap(), *shape.request);
  if (!before)
    return before.takeError();
  auto stopwatch = makeStopwatch(**before, **after);
  if (!stopwatch)
    return stopwatch.takeError();
  auto call = stopwatch->measure(Variant::Incumbent);
  if (!call)
    return call.takeError();
  auto measured = compareInNewProcesses(
      std::move(*stopwatch), candidate, choices, *shape.request,
      /*beforeSeconds=*/0, getUnseenTest(comparison, *call, attempt));
  if (!measured)
    return measured.takeError();
  if (measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
  seen.comparison = *measured;
  if (measured->verdict != Verdict::Faster)
    seen.fault = describeLoss(*measured);
  return seen;
}

llvm::Expected<std::string> Search::checkUnseen(ModelServer &candidate,
                                                const ChoiceMap &choices) {
  std::vector<UnseenResult> all;
  for (const UnseenShape &shape : unseen) {
    report("other shapes", describeShapes(*shape.request));
    // Once more: what disturbs the machine for a moment is no loss.
    auto seen = measureUnseen(shape, candidate, choices, /*attempt=*/0);
    if (seen && !seen->fault.empty() && seen->comparison.rounds)
      seen = measureUnseen(shape, candidate, choices, /*attempt=*/1);
    if (!seen)
      return seen.takeError();
    if (!seen->fault.empty())
      return "for shapes that were not recorded (" + seen->shapes +
             "): " + seen->fault;
    all.push_back(std::move(*seen));
  }
  result.unseen = std::move(all);
  return "";
}

llvm::Error Search::refuseWhereUnseenLoses(ModelServer &candidate,
                                           const ChoiceMap &choices,
                                           Receipt &receipt) {
  auto why = checkUnseen(candidate, choices);
  if (!why)
    return failMeasuring(why.takeError(), receipt);
  if (!why->empty())
    refuse(receipt, Outcome::Rejected, *why);
  return llvm::Error::success();
}
