//===- SearchUnseen.cpp - Shapes that were not recorded -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice that is faster on the requests may be slower for other shapes. So it
// is kept only when, for each of some other shapes, it computes the same and is
// not slower than the model as it was. Each shape is measured on its own: in a
// mean, one that is slower would hide behind one that is faster.
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlirprof;

/// A loss that counts as none: where a process lies in memory makes as much.
static constexpr double kMostLoss = 0.03;
/// What a call may cost more, in seconds: asking which version fits takes about
/// half of it.
static constexpr double kMostCallSeconds = 20e-9;
static constexpr unsigned kMostRounds = 40;

double Search::getUnseenSeconds() const {
  constexpr double kEach = 0.4;
  return kEach * double(unseen.size());
}

std::string mlirprof::describeShapes(const Arguments &request) {
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

llvm::Expected<UnseenResult> Search::measureUnseen(const UnseenShape &shape,
                                                   ModelServer &candidate,
                                                   const ChoiceMap &choices) {
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
  double loss = std::max(kMostLoss, kMostCallSeconds / *call);
  constexpr double kMostSeconds = 2;
  ComparisonOptions test = comparison;
  test.minimumGain = test.worthwhileGain = -loss;
  test.maxRounds = kMostRounds;
  test.maxSeconds = kMostSeconds;
  auto measured = compare(*stopwatch, test);
  if (!measured)
    return measured.takeError();
  if (measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
  seen.comparison = *measured;
  if (measured->verdict != Verdict::Faster && measured->ratio > 1 + loss)
    seen.fault = llvm::formatv("{0:f2} of the time before", measured->ratio);
  return seen;
}

llvm::Expected<std::string> Search::checkUnseen(ModelServer &candidate,
                                                const ChoiceMap &choices) {
  std::vector<UnseenResult> all;
  for (const UnseenShape &shape : unseen) {
    report("other shapes", describeShapes(*shape.request));
    // Once more in new processes: memory that happens to lie badly in one is no
    // loss.
    auto seen = measureUnseen(shape, candidate, choices);
    if (seen && !seen->fault.empty() && seen->comparison.rounds)
      seen = measureUnseen(shape, candidate, choices);
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
