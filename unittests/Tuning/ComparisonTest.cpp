//===- ComparisonTest.cpp - Testing whether a variant is faster -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/Comparison.h"
#include "FakeStopwatch.h"
#include "mlir-prof/Support/Error.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

const Noise kNoises[] = {
    {0.02, 0, 0, 0},
    // Becomes slower by a fifth over a comparison.
    {0.02, 0.0008, 0, 0},
    {0.02, 0, 0.01, 0},
    {0.02, 0, 0, 0.1},
    {0.03, 0.0008, 0.005, 0.05},
};

/// The number of comparisons, out of `trials`, that call the candidate faster.
unsigned countFaster(double gain, const Noise &noise, unsigned trials,
                     const ComparisonOptions &options = {}) {
  unsigned count = 0;
  for (unsigned seed = 0; seed != trials; ++seed) {
    FakeStopwatch stopwatch(seed, gain, noise);
    Comparison result = llvm::cantFail(compare(stopwatch, options));
    count += result.verdict == Verdict::Faster;
  }
  return count;
}

TEST(ComparisonTest, FindsFivePercent) {
  for (const Noise &noise : kNoises)
    EXPECT_GE(countFaster(0.05, noise, 1000), 950u) << &noise - kNoises;
}

TEST(ComparisonTest, RefusesNothing) {
  for (const Noise &noise : kNoises)
    EXPECT_LE(countFaster(0, noise, 1000), 10u) << &noise - kNoises;
}

TEST(ComparisonTest, RefusesWhatIsNotWorthIt) {
  // At the very border of the claim the rate equals alpha.
  for (const Noise &noise : kNoises)
    EXPECT_LE(countFaster(0.005, noise, 1000), 16u) << &noise - kNoises;
  EXPECT_EQ(countFaster(-0.05, kNoises[0], 1000), 0u);
}

TEST(ComparisonTest, FindsWhatIsAsFast) {
  // A loss of 1 % counts as none; beyond half of that it may give up.
  ComparisonOptions equal;
  equal.minimumGain = -0.01;
  equal.worthwhileGain = -0.005;
  Noise noise = {0.01, 0.0002, 0, 0};
  EXPECT_GE(countFaster(0, noise, 1000, equal), 950u);
  EXPECT_LE(countFaster(-0.01, noise, 1000, equal), 16u);
  EXPECT_EQ(countFaster(-0.03, noise, 1000, equal), 0u);
  FakeStopwatch slower(1, -0.03, noise);
  Comparison result = llvm::cantFail(compare(slower, equal));
  EXPECT_EQ(result.verdict, Verdict::NotFaster);
  EXPECT_LT(result.rounds, 32u);
}

TEST(ComparisonTest, Deals) {
  FakeStopwatch stopwatch(1, 0, {});
  ComparisonOptions options;
  options.maxRounds = 2;
  Comparison result = llvm::cantFail(compare(stopwatch, options));
  const Variant a = Variant::Incumbent, b = Variant::Candidate;
  EXPECT_EQ(stopwatch.order,
            (std::vector<Variant>{a, b, a, b, b, a, b, a, a, b}));
  EXPECT_EQ(result.verdict, Verdict::Undecided);
  EXPECT_EQ(result.rounds, 2u);
  EXPECT_EQ(result.looks, 1u);
}

TEST(ComparisonTest, TellsWhatItSaw) {
  // Without noise, with a drift of 1 % per measurement.
  Noise noise = {0, 0.01, 0, 0};
  FakeStopwatch stopwatch(1, 0.05, noise);
  Comparison result = llvm::cantFail(compare(stopwatch));
  EXPECT_EQ(result.verdict, Verdict::Faster);
  EXPECT_NEAR(result.ratio, 0.95, 1e-12);
  // The drift's part: for the candidate in one round, against it in the next.
  EXPECT_NEAR(result.spread, std::expm1(1.4826 * std::log(1.01)), 1e-12);
  EXPECT_EQ(result.rounds, 10u);
  EXPECT_EQ(result.looks, 1u);
  // All ten below: one of 2^10 cases. Ten of 64 rounds' part of 1 %.
  EXPECT_DOUBLE_EQ(result.probability, 1.0 / 1024);
  EXPECT_DOUBLE_EQ(result.threshold, 0.01 * 10 / 64);
  // Warm-up takes two measurements; each variant has the steps 0, 3, 5, 6 of
  // each two rounds, or 1, 2, 4, 7, out of the 40.
  std::vector<double> incumbent;
  for (int round = 0; round != 10; ++round)
    for (int step : {round % 2 ? 1 : 0, round % 2 ? 2 : 3})
      incumbent.push_back(0.01 * std::pow(1.01, 3 + 4 * round + step));
  EXPECT_NEAR(result.incumbentSeconds, (incumbent[9] + incumbent[10]) / 2,
              1e-12);
  EXPECT_NEAR(result.candidateSeconds / result.incumbentSeconds, 0.95, 0.02);
}

TEST(ComparisonTest, GivesUpEarly) {
  FakeStopwatch slower(1, -0.1, {});
  Comparison result = llvm::cantFail(compare(slower));
  EXPECT_EQ(result.verdict, Verdict::NotFaster);
  EXPECT_EQ(result.rounds, 10u);
  EXPECT_NEAR(result.ratio, 1.1, 0.02);
  ComparisonOptions options;
  options.worthwhileGain = 0;
  FakeStopwatch again(1, -0.1, {});
  EXPECT_EQ(llvm::cantFail(compare(again, options)).rounds, 64u);
}

TEST(ComparisonTest, KeepsToItsTime) {
  // A round takes 0.04 s.
  ComparisonOptions options;
  options.maxSeconds = 1.02;
  options.worthwhileGain = 0;
  FakeStopwatch stopwatch(1, 0, {0.001, 0, 0, 0});
  Comparison result = llvm::cantFail(compare(stopwatch, options));
  EXPECT_EQ(result.verdict, Verdict::Undecided);
  EXPECT_LE(result.seconds, 1.02);
  EXPECT_NEAR(double(result.rounds), 25, 1);
  // The remaining alpha goes to the last look.
  EXPECT_GT(result.threshold, 0.005);
  options.maxSeconds = 0;
  FakeStopwatch none(1, 0.5, {});
  result = llvm::cantFail(compare(none, options));
  EXPECT_EQ(result.verdict, Verdict::Undecided);
  EXPECT_EQ(result.rounds, 0u);
  EXPECT_EQ(result.ratio, 1);
}

TEST(ComparisonTest, CanBeStopped) {
  ComparisonOptions options;
  unsigned asked = 0;
  options.isInterrupted = [&] { return ++asked == 4; };
  FakeStopwatch stopwatch(1, 0.5, {});
  Comparison result = llvm::cantFail(compare(stopwatch, options));
  EXPECT_EQ(result.verdict, Verdict::Interrupted);
  EXPECT_EQ(result.rounds, 3u);
}

/// Fails, or yields `value`, at the last of some measurements.
class BrokenStopwatch : public Stopwatch {
public:
  explicit BrokenStopwatch(double value) : value(value) {}
  llvm::Expected<double> measure(Variant) override {
    if (++count < 30)
      return 1.0;
    if (value < 0)
      return inputError("candidate", "killed by SIGSEGV");
    return value;
  }
  double now() override { return count; }

private:
  double value;
  unsigned count = 0;
};

TEST(ComparisonTest, Failures) {
  auto message = [](double value) {
    BrokenStopwatch stopwatch(value);
    llvm::Expected<Comparison> result = compare(stopwatch);
    return result ? "" : llvm::toString(result.takeError());
  };
  EXPECT_EQ(message(-1), "candidate: killed by SIGSEGV");
  for (double value : {0.0, double(INFINITY), std::nan("")})
    EXPECT_NE(message(value).find("no time"), std::string::npos);
}

TEST(ComparisonTest, WithoutAWorthwhileGainAllRoundsAreMeasured) {
  FakeStopwatch stopwatch(1, 0, {});
  ComparisonOptions options;
  options.worthwhileGain = 0;
  Comparison result = llvm::cantFail(compare(stopwatch, options));
  EXPECT_EQ(result.verdict, Verdict::Undecided);
  EXPECT_EQ(result.rounds, 64u);
  EXPECT_NEAR(result.ratio, 1, 0.01);
  // The faster of two normal numbers has a variance of 1 - 1 / pi.
  EXPECT_NEAR(result.spread, 0.02 * std::sqrt(2 * (1 - 0.31831)), 0.006);
}

TEST(ComparisonTest, StandardErrorIsThatOfRepeatedComparisons) {
  // Many comparisons of equal variants, each over 24 rounds: how much their
  // ratios differ is what the spread of the rounds of one says.
  ComparisonOptions options;
  options.maxRounds = 24;
  options.worthwhileGain = 0;
  constexpr unsigned kMany = 400;
  double squares = 0, errors = 0;
  unsigned beyond = 0;
  for (unsigned seed = 0; seed != kMany; ++seed) {
    FakeStopwatch stopwatch(seed, 0, {0.03, 0, 0, 0});
    Comparison result = llvm::cantFail(compare(stopwatch, options));
    double off = std::log(result.ratio), error = getStandardError(result);
    squares += off * off;
    errors += error;
    beyond += std::abs(off) > 2 * error;
  }
  double deviation = std::sqrt(squares / kMany);
  EXPECT_NEAR(errors / kMany, deviation, 0.1 * deviation);
  // Student's t with 23 degrees of freedom is above 2 with a probability of
  // 0.057.
  EXPECT_NEAR(double(beyond) / kMany, 0.057, 0.035);
}

TEST(ComparisonTest, NoiseIsTheDifferenceOrTwoStandardErrors) {
  Comparison control;
  control.rounds = 16;
  control.spread = 0.04;
  EXPECT_DOUBLE_EQ(getStandardError(control), 0.01);
  control.ratio = 0.985;
  EXPECT_DOUBLE_EQ(getNoise(control), 0.02);
  control.ratio = 1.024;
  EXPECT_NEAR(getNoise(control), 0.024, 1e-12);
  // Nothing was measured.
  EXPECT_EQ(getStandardError(Comparison()), 0);
}

TEST(ComparisonTest, FindsWhatTheSpreadAllows) {
  Noise noise;
  noise.sigma = 0.04;
  // SciPy, for a signed-rank test by its normal approximation: 0.005 +
  // (norm.isf(0.00125) + norm.isf(0.2)) * 0.04 * sqrt(2 * (1 - 1 / pi)) /
  // sqrt(0.955 * 64) is found with a probability of 0.8.
  constexpr double gain = 0.02809;
  EXPECT_GE(countFaster(gain, noise, 1000), 750u);
  EXPECT_LE(countFaster(0.6 * gain, noise, 1000), 500u);
}

TEST(ComparisonTest, DescribesItself) {
  Comparison comparison;
  comparison.verdict = Verdict::NotFaster;
  comparison.incumbentSeconds = 0.0015;
  comparison.candidateSeconds = 1e30;
  comparison.spread = 0.25;
  comparison.rounds = 12;
  comparison.probability = 0.75;
  Observation observation;
  describe(comparison, observation);
  EXPECT_EQ(observation.outcome, Outcome::Rejected);
  EXPECT_EQ(observation.reason, "not faster");
  EXPECT_EQ(observation.oldPs, 1'500'000'000);
  EXPECT_EQ(observation.newPs, 9'200'000'000'000'000'000);
  EXPECT_EQ(observation.spread, 0.25);
  EXPECT_EQ(observation.rounds, 12u);
  EXPECT_EQ(observation.probability, 0.75);
  comparison.verdict = Verdict::Faster;
  describe(comparison, observation);
  EXPECT_EQ(observation.outcome, Outcome::Kept);
  EXPECT_EQ(observation.reason, "");
}

TEST(ComparisonTest, SharesOfAlphaAddUp) {
  double sum = 0;
  for (unsigned i = 0; i != 1000; ++i)
    sum += shareOfAlpha(0.01, i);
  // All but 1 / 1001.
  EXPECT_NEAR(sum, 0.01 * (1 - 1.0 / 1001), 1e-12);
  EXPECT_DOUBLE_EQ(shareOfAlpha(0.01, 0), 0.005);
}

} // namespace
