//===- Comparison.h - Testing whether a variant is faster -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test. A round measures incumbent, candidate, candidate, incumbent, in
// every other round in reverse, and yields one number, the logarithm
// of candidate over incumbent, each by the faster of its two runs: what
// disturbs a machine makes runs slower, and seldom both. A drift of its speed
// moves this number up in one round and down in the next. Where the variants
// are alike, the number is symmetric around 0 whatever the noise, outliers
// included: chance deals it to both alike. The candidate counts as faster when
// Wilcoxon's signed-rank test, one-sided and exact, rejects that it gains at
// most `minimumGain`. It is asked at several numbers of rounds (looks), each
// with a part of `alpha` in proportion to the rounds since the last, and at the
// last look with all that is left: by the union bound a candidate that gains no
// more than `minimumGain` is taken for faster with a probability of at most
// `alpha`, over all looks together. The comparison ends early, too, when the
// same test in reverse rejects, with probability `futility`, a gain
// of `worthwhileGain`.
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

/// Runs the variants. A measurement should take long enough for its clock;
/// the same number of iterations for both.
class Stopwatch {
public:
  virtual ~Stopwatch();
  /// Called before each round; runs before the first are warm-up.
  virtual void beginRound() {}
  /// Runs `variant`; the seconds that it took. An error (a crash, wrong
  /// numbers) ends the comparison.
  virtual llvm::Expected<double> measure(Variant variant) = 0;
  /// Seconds on the clock of the budget, from an arbitrary origin.
  virtual double now() = 0;
};

struct ComparisonOptions {
  /// Highest probability of taking a candidate for faster that gains no more
  /// than minimumGain. With many candidates, see shareOfAlpha.
  double alpha = 0.01;
  /// A gain as part of the incumbent's time; less is not worth a change, and
  /// may come from where the code happens to lie. Below 0: a loss that counts
  /// as none, so that what is as fast is taken for faster.
  double minimumGain = 0.005;
  /// Giving up early misses a candidate that gains this much with probability
  /// `futility` a look. Not above minimumGain: the loss beyond which it gives
  /// up. 0: never give up early.
  double worthwhileGain = 0.02;
  double futility = 0.005;
  /// At most kMaxSignedRankValues.
  unsigned maxRounds = 64;
  /// Rounds before the first look.
  unsigned firstLook = 10;
  /// Runs of each variant before the first round.
  unsigned warmUp = 1;
  /// For all of it; checked after each round, and before the next would pass
  /// it, going by the longest.
  double maxSeconds = std::numeric_limits<double>::infinity();
  /// Asked after each round, when set: true ends the comparison.
  std::function<bool()> isInterrupted;
};

enum class Verdict : uint8_t {
  Faster,
  /// It gains less than what is worthwhile, or loses.
  NotFaster,
  /// The rounds or the time were used up; not to be kept.
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
  /// The test's probability at the last look, and what it had to come below.
  double probability = 1;
  double threshold = 0;
  /// Time used, on the stopwatch's clock.
  double seconds = 0;
};

/// Compares by the test above. Fails when a measurement does, or when one is
/// not a positive number.
llvm::Expected<Comparison> compare(Stopwatch &stopwatch,
                                   const ComparisonOptions &options = {});

/// Puts times, spread, rounds, probability and outcome into `observation`, with
/// the verdict as the reason when the candidate is not kept.
void describe(const Comparison &comparison, Observation &observation);

/// The standard error of the ratio, relative, where rounds do not depend on
/// each other.
double getStandardError(const Comparison &comparison);

/// The noise that an A/A control finds, as part of the time, which is the
/// comparison of two variants of equal code, made as all others are: the
/// difference that it found, or two standard errors, whichever is more.
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

/// The part of `alpha` for the `index`-th of an unknown number of candidates,
/// from 0: all parts together are `alpha`, so it bounds the probability that
/// any of them is taken for faster wrongly.
double shareOfAlpha(double alpha, uint64_t index);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_COMPARISON_H
