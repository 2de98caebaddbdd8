//===- Comparison.h - Testing whether a variant is faster -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test. A round measures incumbent, candidate, candidate, incumbent, in
// every other round in reverse, and yields one number, the logarithm of
// candidate over incumbent, each by the faster of its two runs, since
// disturbances make runs slower, but seldom both of them. A drift of the
// machine's speed moves this number up in one round and down in the next. If
// the variants are equal, the number is symmetric around 0 for any noise,
// outliers included, since it affects both alike. The candidate is faster if
// Wilcoxon's signed-rank test, one-sided and exact, rejects that it gains at
// most `minimumGain`. The test is made after several numbers of rounds (looks),
// each with a part of `alpha` in proportion to the rounds since the last look;
// the last look has the rest. By the union bound, a candidate that gains at
// most `minimumGain` is called faster with a probability of at most `alpha`
// over all looks. The comparison also ends early if the same test in reverse
// rejects, at the level `futility`, a gain of `worthwhileGain`.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_COMPARISON_H
#define MLIR_PROF_TUNING_COMPARISON_H

#include "mlir-prof/Tuning/Decision.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <limits>

namespace mlirprof::tuning {

enum class Variant : uint8_t { Incumbent, Candidate };

/// Runs the variants. A measurement should be long enough for its clock, and
/// have the same number of iterations for both variants.
class Stopwatch {
public:
  virtual ~Stopwatch();
  /// Called before each round; runs before the first are warm-up.
  virtual void beginRound() {}
  /// Runs `variant` and returns its time in seconds. An error (a crash, wrong
  /// results) ends the comparison.
  virtual llvm::Expected<double> measure(Variant variant) = 0;
  /// Seconds on the clock of the budget, from an arbitrary origin.
  virtual double now() = 0;
};

struct ComparisonOptions {
  /// Limit on the probability of calling a candidate faster that gains at most
  /// minimumGain. For many candidates, see shareOfAlpha.
  double alpha = 0.01;
  /// A gain relative to the incumbent's time. A smaller gain does not justify a
  /// change, and may come from the placement of the code. If negative: a loss
  /// that is tolerated, so that equally fast candidates count as faster.
  double minimumGain = 0.005;
  /// A comparison ends early when the gain is below this: for a candidate that
  /// gains this much, each look does so with a probability of `futility`.
  /// 0: never end early.
  double worthwhileGain = 0.02;
  double futility = 0.005;
  /// At most kMaxSignedRankValues.
  unsigned maxRounds = 64;
  /// Rounds before the first look.
  unsigned firstLook = 10;
  /// Runs of each variant before the first round.
  unsigned warmUp = 1;
  /// Limit on the time of the comparison; ends it when the next round, if it
  /// took as long as the longest one, would exceed the limit.
  double maxSeconds = std::numeric_limits<double>::infinity();
  /// If set, called after each round: true ends the comparison.
  std::function<bool()> isInterrupted;
};

enum class Verdict : uint8_t {
  Faster,
  /// It gains less than worthwhileGain, or loses.
  NotFaster,
  /// The limit on rounds or time was reached; do not keep the candidate.
  Undecided,
  /// The user stopped it.
  Interrupted,
};
llvm::StringRef getName(Verdict verdict);

struct Comparison {
  Verdict verdict = Verdict::Undecided;
  /// Candidate over incumbent, by Hodges' and Lehmann's estimator.
  double ratio = 1;
  /// Standard deviation of the ratio in one round, robust, relative.
  double spread = 0;
  /// Medians, in seconds.
  double incumbentSeconds = 0;
  double candidateSeconds = 0;
  unsigned rounds = 0;
  unsigned looks = 0;
  /// The test's probability at the last look, and its limit there.
  double probability = 1;
  double threshold = 0;
  /// Time used, on the stopwatch's clock.
  double seconds = 0;
};

/// Compares by the test above. Fails if a measurement fails, or is not a
/// positive number.
llvm::Expected<Comparison> compare(Stopwatch &stopwatch,
                                   const ComparisonOptions &options = {});

/// Stores times, spread, rounds, probability and outcome in `observation`, with
/// the verdict as the reason if the candidate is not kept.
void describe(const Comparison &comparison, Observation &observation);

/// The relative standard error of the ratio, assuming independent rounds.
double getStandardError(const Comparison &comparison);

/// The noise according to an A/A control, the comparison of two variants with
/// equal code, relative to the time: the measured difference, or two standard
/// errors, whichever is more.
double getNoise(const Comparison &control);

/// The judgment of a ratio of times, given a control.
enum class Change : uint8_t {
  Faster,
  Slower,
  /// It differs from 1 by no more than the control's noise.
  Undecided,
};
llvm::StringRef getName(Change change);
Change judgeChange(double ratio, double noise);

/// The part of `alpha` for the `index`-th (from 0) of an unknown number of
/// candidates. All parts together are `alpha`, which therefore bounds the
/// probability of calling any of them faster wrongly.
double shareOfAlpha(double alpha, uint64_t index);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_COMPARISON_H
