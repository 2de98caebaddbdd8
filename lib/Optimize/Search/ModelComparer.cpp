//===- ModelComparer.cpp - Comparing two builds of a model ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelComparer.h"
#include "RestartingStopwatch.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

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

llvm::Expected<Comparison>
optimize::unlessInterrupted(llvm::Expected<Comparison> measured) {
  if (measured && measured->verdict == Verdict::Interrupted)
    return llvm::make_error<InterruptedError>();
  return measured;
}

llvm::Expected<ServerStopwatch>
ModelComparer::makeStopwatch(ModelServer &before,
                             ModelServer &candidate) const {
  return ServerStopwatch::create(before, candidate, ServerStopwatch::kSeconds,
                                 tools.clock);
}

//===----------------------------------------------------------------------===//
// The control
//===----------------------------------------------------------------------===//

/// Measures processes of the model against others of it: what a comparison
/// finds where there is nothing to find. Two processes differ by where their
/// memory lies, and that is not a gain.
llvm::Expected<Comparison>
ModelComparer::compareWithItself(ModelServer &baseline) const {
  constexpr unsigned kRounds = 24;
  constexpr double kMostSeconds = 6, kLeastSeconds = 1, kShare = 0.1;
  progress.report("control", "the model against itself");
  ComparisonOptions how = options.comparison;
  how.isInterrupted = options.isInterrupted;
  how.maxRounds = kRounds;
  how.worthwhileGain = 0;
  how.maxSeconds =
      std::clamp(kShare * options.budgetSeconds, kLeastSeconds, kMostSeconds);
  const ChoiceMap none;
  const BuiltModel model = {baseline, none};
  return unlessInterrupted(compare(model, model, /*beforeSeconds=*/0, how));
}

double ModelComparer::getRoundSeconds() const {
  return control ? control->seconds / std::max(control->rounds, 1u) : 0;
}

llvm::Error ModelComparer::calibrate(ModelServer &baseline) {
  constexpr double kSafety = 1.5;
  auto measured = compareWithItself(baseline);
  if (!measured)
    return measured.takeError();
  test = options.comparison;
  test.isInterrupted = options.isInterrupted;
  // The part of the difference that the spread of the rounds does not explain:
  // three standard errors come by chance in one search of some hundred.
  double bias = std::abs(1 - measured->ratio) - 3 * getStandardError(*measured);
  test.minimumGain = std::max(test.minimumGain, kSafety * bias);
  test.worthwhileGain = std::max(test.worthwhileGain, 2 * test.minimumGain);
  control = *measured;
  return llvm::Error::success();
}

ComparisonOptions ModelComparer::asSizeTest(ComparisonOptions how) const {
  how.minimumGain = -getSizeMargin();
  how.worthwhileGain = -getSizeMargin() / 2;
  return how;
}

llvm::Expected<bool> ModelComparer::isWithinControl(const Comparison &measured,
                                                    ModelServer &baseline) {
  auto isWithin = [&] {
    return control &&
           judgeChange(measured.ratio, getNoise(*control)) == Change::Undecided;
  };
  if (measured.verdict != Verdict::Faster || !isWithin())
    return false;
  // That was before the search, when something else may have run.
  auto again = compareWithItself(baseline);
  if (!again)
    return again.takeError();
  control = *again;
  return isWithin();
}

//===----------------------------------------------------------------------===//
// New processes
//===----------------------------------------------------------------------===//

llvm::Expected<Comparison> ModelComparer::compareInNewProcesses(
    ServerStopwatch stopwatch, const BuiltModel &before,
    const BuiltModel &after, llvm::ArrayRef<Arguments> requests,
    double beforeSeconds, ComparisonOptions how, double startSeconds) const {
  constexpr unsigned kFewestPairs = 5;
  OwnedServer first;
  auto start = [&](Variant variant) -> llvm::Expected<OwnedServer> {
    const BuiltModel &model = variant == Variant::Candidate ? after : before;
    return first && variant == Variant::Incumbent
               ? std::move(first)
               : builder.startAgain(model.server, model.choices, requests);
  };
  // Step 1: one process is started, which tells how long that takes, with its
  // first run.
  double begin = tools.clock();
  auto started = start(Variant::Incumbent);
  auto ran = started ? (*started)->run(requests.size())
                     : llvm::Expected<double>(started.takeError());
  if (ran)
    first = std::move(*started);
  else if (ran.errorIsA<InterruptedError>())
    return ran.takeError();
  else
    llvm::consumeError(ran.takeError());
  double pairSeconds = 2 * (tools.clock() - begin);
  // Step 2: each pair of processes measures as many rounds.
  startSeconds = std::min(startSeconds, how.maxSeconds / 2);
  double pairs =
      pairSeconds > 0 ? startSeconds / pairSeconds : double(kEnoughRounds);
  unsigned rounds = unsigned(
      std::ceil(kEnoughRounds / std::clamp(pairs, 1.0, double(kEnoughRounds))));
  // Step 3: the test first looks when several pairs were measured.
  how.firstLook = std::clamp(kFewestPairs * rounds, how.firstLook,
                             std::max(how.firstLook, kEnoughRounds));
  RestartingStopwatch restarting(std::move(stopwatch), start, rounds);
  return compareInPeace(restarting, how, beforeSeconds);
}

llvm::Expected<Comparison> ModelComparer::compare(const BuiltModel &before,
                                                  const BuiltModel &after,
                                                  double beforeSeconds,
                                                  const ComparisonOptions &how,
                                                  double startSeconds) const {
  auto stopwatch = makeStopwatch(before.server, after.server);
  if (!stopwatch)
    return stopwatch.takeError();
  return compareInNewProcesses(std::move(*stopwatch), before, after,
                               options.requests, beforeSeconds, how,
                               startSeconds);
}
