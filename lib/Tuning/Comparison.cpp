//===- Comparison.cpp - Testing whether a variant is faster ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/Comparison.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Statistics.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::tuning;

Stopwatch::~Stopwatch() = default;

llvm::StringRef tuning::getName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Faster:
    return "faster";
  case Verdict::NotFaster:
    return "not faster";
  case Verdict::Undecided:
    return "undecided";
  case Verdict::Interrupted:
    return "interrupted";
  }
  llvm_unreachable("unknown verdict");
}

double tuning::shareOfAlpha(double alpha, uint64_t index) {
  // 1/(1*2) + 1/(2*3) + ... = 1.
  return alpha / ((double(index) + 1) * (double(index) + 2));
}

namespace {

class Comparer {
public:
  Comparer(Stopwatch &stopwatch, const ComparisonOptions &options)
      : stopwatch(stopwatch), options(options),
        maxRounds(
            std::clamp<unsigned>(options.maxRounds, 1, kMaxSignedRankValues)),
        nextLook(std::min(std::max(options.firstLook, 1u), maxRounds)),
        begin(stopwatch.now()) {}

  llvm::Expected<Comparison> run();

private:
  llvm::Expected<double> measure(Variant variant);
  llvm::Error warmUp();
  llvm::Error measureRound();
  /// Whether another round would pass the time or the rounds.
  bool isSpent() const;
  /// Asks the test; `isLast`: there will be no other look.
  std::optional<Verdict> look(bool isLast);
  void planNextLook();

  Stopwatch &stopwatch;
  const ComparisonOptions &options;
  unsigned maxRounds;
  unsigned nextLook;
  double begin;
  /// The part of alpha that earlier looks have used.
  double alphaSpent = 0;
  double longestRound = 0;
  /// Logarithms of candidate over incumbent, one per round.
  std::vector<double> logRatios;
  std::vector<double> incumbent, candidate;
  Comparison result;
};

} // namespace

/// The logarithm of candidate over incumbent with that gain.
static double logRatioOf(double gain) {
  return std::log1p(-std::clamp(gain, -1.0, 0.99));
}

llvm::Expected<double> Comparer::measure(Variant variant) {
  llvm::Expected<double> seconds = stopwatch.measure(variant);
  if (seconds && !(std::isfinite(*seconds) && *seconds > 0))
    return inputError(
        "stopwatch",
        "a measurement took no time, or a time that is not a number",
        "Measure more iterations at once.");
  return seconds;
}

llvm::Error Comparer::warmUp() {
  for (unsigned i = 0; i != options.warmUp; ++i)
    for (Variant variant : {Variant::Incumbent, Variant::Candidate}) {
      llvm::Expected<double> seconds = measure(variant);
      if (!seconds)
        return seconds.takeError();
    }
  return llvm::Error::success();
}

llvm::Error Comparer::measureRound() {
  Variant outer =
      logRatios.size() % 2 ? Variant::Candidate : Variant::Incumbent;
  Variant inner =
      logRatios.size() % 2 ? Variant::Incumbent : Variant::Candidate;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double start = stopwatch.now();
  stopwatch.beginRound();
  double fastest[2] = {infinity, infinity};
  for (Variant variant : {outer, inner, inner, outer}) {
    llvm::Expected<double> seconds = measure(variant);
    if (!seconds)
      return seconds.takeError();
    bool isCandidate = variant == Variant::Candidate;
    (isCandidate ? candidate : incumbent).push_back(*seconds);
    fastest[isCandidate] = std::min(fastest[isCandidate], *seconds);
  }
  logRatios.push_back(std::log(fastest[1]) - std::log(fastest[0]));
  longestRound = std::max(longestRound, stopwatch.now() - start);
  return llvm::Error::success();
}

bool Comparer::isSpent() const {
  return logRatios.size() >= maxRounds ||
         stopwatch.now() - begin + longestRound > options.maxSeconds;
}

std::optional<Verdict> Comparer::look(bool isLast) {
  ++result.looks;
  double spent =
      isLast ? options.alpha
             : options.alpha * double(logRatios.size()) / double(maxRounds);
  result.threshold = spent - alphaSpent;
  alphaSpent = spent;
  result.probability =
      probabilityNotBelow(logRatios, logRatioOf(options.minimumGain));
  if (result.probability <= result.threshold)
    return Verdict::Faster;
  // The same test mirrored: are the ratios above that of a worthwhile gain?
  std::vector<double> mirrored;
  for (double logRatio : logRatios)
    mirrored.push_back(-logRatio);
  if (options.worthwhileGain != 0 &&
      probabilityNotBelow(mirrored, -logRatioOf(options.worthwhileGain)) <=
          options.futility)
    return Verdict::NotFaster;
  if (isLast)
    return Verdict::Undecided;
  return std::nullopt;
}

void Comparer::planNextLook() {
  // A quarter more rounds each: few looks share alpha, and none comes late.
  unsigned rounds = unsigned(logRatios.size());
  nextLook = std::min(maxRounds, rounds + std::max(2u, rounds / 4));
}

llvm::Expected<Comparison> Comparer::run() {
  if (llvm::Error error = warmUp())
    return error;
  std::optional<Verdict> verdict;
  while (!verdict) {
    // The first round's length is not known before.
    bool isEnd = isSpent();
    if (options.isInterrupted && options.isInterrupted())
      verdict = Verdict::Interrupted;
    else if (isEnd || logRatios.size() == nextLook)
      verdict = look(isEnd);
    if (verdict)
      break;
    if (logRatios.size() == nextLook)
      planNextLook();
    if (llvm::Error error = measureRound())
      return error;
  }
  result.verdict = *verdict;
  result.ratio = std::exp(estimateCenter(logRatios));
  result.spread = std::expm1(estimateSpread(logRatios));
  result.incumbentSeconds = getMedian(incumbent);
  result.candidateSeconds = getMedian(candidate);
  result.rounds = unsigned(logRatios.size());
  result.seconds = stopwatch.now() - begin;
  return result;
}

llvm::Expected<Comparison> tuning::compare(Stopwatch &stopwatch,
                                           const ComparisonOptions &options) {
  return Comparer(stopwatch, options).run();
}
