//===- DiffTest.cpp - Comparing two profiles ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Diff/Diff.h"
#include "../Profile/TestProfiles.h"
#include "mlir-prof/Profile/Compact.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

ProfileDiff diff(const Profile &before, const Profile &after,
                 const DiffOptions &options = {}) {
  auto result = diffProfiles({before, "a"}, {after, "b"}, options);
  if (result)
    return std::move(*result);
  ADD_FAILURE() << llvm::toString(result.takeError());
  return ProfileDiff();
}

std::string diffError(const Profile &before, const Profile &after) {
  auto result = diffProfiles({before, "a"}, {after, "b"});
  EXPECT_FALSE(bool(result));
  return result ? "" : llvm::toString(result.takeError());
}

/// Ops that take `base` ps on average, each 1, 2, 3 ... times as long, with the
/// scatter that a test sets.
struct Maker {
  std::mt19937_64 random;
  unsigned ops = 20;
  unsigned runs = 1;
  unsigned iterations = 60;
  /// Standard deviations as a part of the time: of an event, and of a run.
  double eventNoise = 0.05;
  double runNoise = 0;
  /// As runNoise, for all ops and the wall time together.
  double wallNoise = 0;
  /// Factor of the first op.
  double factor = 1;
  /// If not 0, sampled, with so many samples per iteration.
  double samples = 0;
  /// Factor of everything.
  double whole = 1;
  /// If not below 0, the begin of the first run, 2 s before the next; each is
  /// slower than the one a second before it by `drift`.
  int beginSeconds = -1;
  double drift = 0;

  Profile make() {
    Profile profile;
    for (unsigned i = 0; i != ops; ++i) {
      OpKey key;
      key.op = "op" + std::to_string(i);
      profile.opKeys.push_back(key);
    }
    for (unsigned r = 0; r != runs; ++r)
      addRun(profile);
    return profile;
  }

private:
  void addRun(Profile &profile) {
    profile.runs.emplace_back();
    auto &run = profile.runs.back();
    run.hash = std::to_string(random());
    std::normal_distribution<double> normal;
    double speed = whole;
    if (beginSeconds >= 0) {
      double second = beginSeconds + 2 * double(profile.runs.size() - 1);
      run.clock = {"test", int64_t(second * 1e9), true};
      speed *= 1 + drift * second;
    }
    speed *= 1 + wallNoise * normal(random);
    // An iteration consists of its ops.
    double all = double(ops) * (ops + 1) / 2;
    addIterations(run, speed * (all - 1 + factor) / all);
    for (unsigned i = 0; i != ops; ++i) {
      OpSummary op;
      op.op = i;
      double time = speed * 1e6 * (i + 1) * (i ? 1 : factor) *
                    (1 + runNoise * normal(random));
      addEvents(op, run, time);
      run.ops.push_back(op);
    }
  }

  void addIterations(struct profile::Run &run, double speed) {
    std::normal_distribution<double> normal;
    Step step;
    for (unsigned i = 0; i != iterations; ++i) {
      step.number = i;
      step.durationPs =
          int64_t(speed * 1e9 * (1 + eventNoise * normal(random)));
      run.iterations.add(step.durationPs);
      run.steps.push_back(step);
      step.beginPs += step.durationPs;
    }
  }

  void addEvents(OpSummary &op, struct profile::Run &run, double time) {
    Summary &self = op.get(Quantity::Self);
    if (samples > 0) {
      run.samplePeriodPs = 1000000;
      std::poisson_distribution<uint64_t> poisson(samples * time / 1e6 *
                                                  iterations);
      for (uint64_t i = poisson(random); i != 0; --i)
        self.add(run.samplePeriodPs);
      return;
    }
    std::normal_distribution<double> normal(time, eventNoise * time);
    for (unsigned i = 0; i != iterations; ++i)
      self.add(int64_t(normal(random)));
  }
};

bool isSignificant(const DiffRow &row) {
  return row.verdict == DiffVerdict::Slower ||
         row.verdict == DiffVerdict::Faster;
}

/// The number of comparisons of equals, out of `rounds`, that call any op
/// slower or faster.
unsigned countFalse(Maker maker, unsigned rounds, DiffBasis basis) {
  unsigned wrong = 0;
  for (unsigned round = 0; round != rounds; ++round) {
    ProfileDiff result = diff(maker.make(), maker.make());
    EXPECT_EQ(result.tests, maker.ops);
    bool isWrong = false;
    for (const DiffRow &row : result.rows) {
      EXPECT_EQ(row.basis, basis);
      isWrong |= isSignificant(row);
    }
    wrong += isWrong;
  }
  return wrong;
}

/// At most 1 % per round: 4 +- 2 of 400 rounds; chance exceeds 12 once in 5000
/// times.
constexpr unsigned kRounds = 400;
constexpr unsigned kMost = 12;

TEST(Diff, ErrsSeldomWithEvents) {
  Maker maker;
  maker.random.seed(21);
  EXPECT_LE(countFalse(maker, kRounds, DiffBasis::Events), kMost);
}

/// Runs differ by more than their events imply.
TEST(Diff, ErrsSeldomWithRuns) {
  Maker maker;
  maker.random.seed(22);
  maker.runs = 5;
  maker.runNoise = 0.02;
  maker.wallNoise = 0.02;
  maker.iterations = 10;
  EXPECT_LE(countFalse(maker, kRounds, DiffBasis::Runs), kMost);
}

TEST(Diff, ErrsSeldomWithSamples) {
  Maker maker;
  maker.random.seed(23);
  maker.samples = 0.05;
  EXPECT_LE(countFalse(maker, kRounds, DiffBasis::Samples), kMost);
}

/// One run cannot tell how processes differ, here by 1 %; neither the whole nor
/// its ops are called slower for it.
TEST(Diff, OneRunDoesNotMistakeProcessesForChanges) {
  Maker maker;
  maker.random.seed(33);
  maker.eventNoise = 0.001;
  maker.runNoise = maker.wallNoise = 0.01;
  unsigned wrong = 0;
  for (unsigned round = 0; round != 200; ++round) {
    ProfileDiff result = diff(maker.make(), maker.make());
    wrong += !findRegressions(result, 0).empty();
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_NE(result.notes[0].find("one run on a side"), std::string::npos);
  }
  EXPECT_LE(wrong, 8u);
}

/// A change of one op: each of 100 comparisons finds it.
void expectFound(Maker before, double factor) {
  unsigned found = 0, others = 0;
  for (unsigned round = 0; round != 100; ++round) {
    Maker after = before;
    after.factor = factor;
    after.random.seed(before.random());
    Profile a = before.make(), b = after.make();
    for (const DiffRow &row : diff(a, b).rows) {
      if (row.name != "op0") {
        others += isSignificant(row);
        continue;
      }
      found += row.verdict ==
               (factor > 1 ? DiffVerdict::Slower : DiffVerdict::Faster);
    }
  }
  EXPECT_GE(found, 95u);
  EXPECT_LE(others, 6u);
}

TEST(Diff, FindsWhatWasPlantedInEvents) {
  Maker maker;
  maker.random.seed(24);
  maker.iterations = 1000;
  maker.ops = 5;
  expectFound(maker, 1.3);
  expectFound(maker, 0.75);
}

TEST(Diff, FindsWhatWasPlantedInRuns) {
  Maker maker;
  maker.random.seed(25);
  maker.runs = 6;
  maker.runNoise = 0.005;
  maker.iterations = 100;
  expectFound(maker, 1.1);
}

TEST(Diff, FindsWhatWasPlantedInSamples) {
  Maker maker;
  maker.random.seed(26);
  maker.ops = 3;
  maker.iterations = 1000;
  maker.samples = 20;
  expectFound(maker, 1.35);
}

/// An op of a fifteenth of the time that takes as long as all others together
/// afterward: no disturbance explains that, although iterations differ by
/// a fifth.
TEST(Diff, OneRunSeesASmallOpThatBecameALargeOne) {
  Maker before;
  before.random.seed(27);
  before.ops = 5;
  before.iterations = 200;
  before.eventNoise = 0.2;
  before.samples = 0.1;
  unsigned found = 0;
  for (unsigned round = 0; round != 100; ++round) {
    Maker after = before;
    after.factor = 14;
    after.random.seed(before.random());
    for (const DiffRow &row : diff(before.make(), after.make()).rows)
      found += row.name == "op0" && row.verdict == DiffVerdict::Slower;
  }
  EXPECT_GE(found, 95u);
}

/// The number of comparisons, out of 100, that find a whole that is slower by 5
/// %.
unsigned countWhole(Maker before) {
  unsigned found = 0;
  for (unsigned round = 0; round != 100; ++round) {
    Maker after = before;
    after.whole = 1.05;
    if (before.beginSeconds >= 0)
      after.beginSeconds = before.beginSeconds + 1;
    after.random.seed(before.random());
    ProfileDiff result = diff(before.make(), after.make());
    found += llvm::any_of(getWhole(result), [](const DiffRow *row) {
      return row->verdict == DiffVerdict::Slower;
    });
  }
  return found;
}

TEST(Diff, MoreRunsTellMore) {
  Maker maker;
  maker.random.seed(34);
  maker.wallNoise = 0.01;
  maker.eventNoise = 0.01;
  unsigned last = 0;
  for (unsigned runs : {1, 2, 3, 5}) {
    maker.runs = runs;
    unsigned found = countWhole(maker);
    EXPECT_GE(found, last);
    if (runs >= 3)
      EXPECT_GE(found, 90u);
    last = found;
  }
}

/// The machine slows down by 0.4 % each second: pairs are not affected.
TEST(Diff, RunsInTurnsArePairs) {
  Maker maker;
  maker.random.seed(35);
  maker.runs = 3;
  maker.eventNoise = 0.01;
  maker.wallNoise = 0.002;
  maker.drift = 0.004;
  maker.beginSeconds = 0;
  EXPECT_GE(countWhole(maker), 95u);
  Maker after = maker;
  after.beginSeconds = 1;
  EXPECT_EQ(diff(maker.make(), after.make()).wall->basis, DiffBasis::Pairs);
  after.beginSeconds = 7;
  ProfileDiff result = diff(maker.make(), after.make());
  EXPECT_EQ(result.wall->basis, DiffBasis::Runs);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("do not alternate"), std::string::npos);
}

/// Three runs of 1000 executions of `ps` each, and of stalls that together take
/// more than these.
Profile makeStalled(int64_t ps, bool knowsSteady) {
  Profile profile;
  profile.opKeys.resize(1);
  profile.opKeys[0].op = "op";
  for (int64_t r = 0; r != 3; ++r) {
    auto &run = profile.runs.emplace_back();
    run.hash = std::to_string(ps + r);
    OpSummary op;
    Summary steady;
    for (int64_t i = 0; i != 1000; ++i)
      steady.add(ps + i % 7 - 3 + r);
    Summary &self = op.get(Quantity::Self);
    self = steady;
    for (int64_t i = 0; i != 20; ++i)
      self.add(900000 + 70000 * ((7 * r + i + ps / 100) % 5));
    if (knowsSteady)
      op.get(Quantity::SteadySelf) = steady;
    run.ops.push_back(op);
  }
  return profile;
}

/// The quickest executions reveal a change that stalls hide, all 1020 of which
/// count as 1000 or 1200 ps.
TEST(Diff, KnowsTheTimeWithoutStalls) {
  ProfileDiff known = diff(makeStalled(1000, true), makeStalled(1200, true));
  ASSERT_EQ(known.rows.size(), 1u);
  EXPECT_EQ(known.rows[0].verdict, DiffVerdict::Slower);
  EXPECT_EQ(known.rows[0].measure, DiffMeasure::Fastest);
  // In the first runs the fastest take 3 ps less, in the third 1 ps.
  EXPECT_EQ(known.rows[0].testedBeforePs, 998 * 1020);
  EXPECT_EQ(known.rows[0].testedPs, 200 * 1020);
  ProfileDiff other = diff(makeStalled(1000, false), makeStalled(1200, false));
  EXPECT_EQ(other.rows[0].verdict, DiffVerdict::Slower);
}

/// A run for each of `quickest`: an op whose executions take this time for one
/// half of 64 and twice as long for the other, and another one of 9000 and
/// 18000 ps.
Profile makeDisturbed(std::vector<int64_t> quickest) {
  Profile profile;
  profile.opKeys.resize(2);
  profile.opKeys[0].op = "op";
  profile.opKeys[1].op = "rest";
  for (int64_t own : quickest) {
    auto &run = profile.runs.emplace_back();
    run.hash = std::to_string(own);
    for (uint32_t i = 0; i != 2; ++i) {
      OpSummary op;
      op.op = i;
      for (int64_t k = 0; k != 64; ++k)
        op.get(Quantity::Self).add((i ? 9000 : own) * (1 + k % 2));
      run.ops.push_back(op);
    }
  }
  return profile;
}

/// scipy: x and y are 64 times the quickest, s(q) numpy's std of the executions
/// with ddof=1, e = (mean * 0.005)^2 / share + median((64 s z^4 / 64)^2) with
/// z = q / 2 / s and the share (mean / (mean + 64 * 9000)); with 8 degrees of
/// freedom of e and 4 of the runs, 2 * t.sf(12672 / sqrt(variance), 12) / 0.8.
/// The change is that of the quickest, and half as much again in the mean.
TEST(Diff, JudgesAnOpByItsQuickestExecution) {
  ProfileDiff result = diff(makeDisturbed({1000, 1010, 1020}),
                            makeDisturbed({1200, 1215, 1209}));
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0].verdict, DiffVerdict::Slower);
  EXPECT_EQ(result.rows[0].measure, DiffMeasure::Fastest);
  EXPECT_EQ(result.rows[0].testedBeforePs, 64 * 1010);
  EXPECT_EQ(result.rows[0].testedPs, 12672);
  EXPECT_EQ(result.rows[0].changePs(), 19008);
  EXPECT_NEAR(result.rows[0].pValue, 4.835744842254e-09, 1e-14);
}

/// The 128 executions of an op in each run: so many of them take three times as
/// long as the others.
struct Executions {
  std::string name;
  int64_t ps;
  std::vector<unsigned> slow;
};

Profile makeExecutions(llvm::ArrayRef<Executions> ops) {
  Profile profile;
  for (const Executions &op : ops)
    profile.opKeys.emplace_back().op = op.name;
  for (size_t r = 0; r != ops[0].slow.size(); ++r) {
    auto &run = profile.runs.emplace_back();
    run.hash = ops[0].name + std::to_string(ops[0].ps * 10 + r);
    for (auto [i, op] : llvm::enumerate(ops)) {
      OpSummary summary;
      summary.op = uint32_t(i);
      for (unsigned k = 0; k != 128; ++k)
        summary.get(Quantity::Self).add(op.ps * (k < op.slow[r] ? 3 : 1));
      run.ops.push_back(summary);
    }
  }
  return profile;
}

const DiffRow &getRow(const ProfileDiff &result, llvm::StringRef name) {
  for (const DiffRow &row : result.rows)
    if (row.name == name)
      return row;
  ADD_FAILURE() << "no row " << name.str();
  return result.total;
}

/// The mean of the op falls by 31 %, as fewer of its executions are disturbed
/// (60 and then 8 of a run's in the mean, but not in each run), but the fastest
/// takes 20 % longer: change, interval, limit and detection limit all refer to
/// the latter.
TEST(Diff, DisturbedMeansDoNotHideAChange) {
  ProfileDiff result = diff(
      makeExecutions(
          {{"op", 1000, {2, 63, 115}}, {"rest", 3000, {2, 63, 115}}}),
      makeExecutions({{"op", 1200, {1, 3, 20}}, {"rest", 3000, {1, 3, 20}}}));
  const DiffRow &row = getRow(result, "op");
  EXPECT_EQ(row.beforePs, 1000 * (68 + 3 * 60));
  EXPECT_EQ(row.afterPs, 1200 * (120 + 3 * 8));
  EXPECT_LT(row.changePs(), 0);
  EXPECT_EQ(row.verdict, DiffVerdict::Slower);
  EXPECT_EQ(row.measure, DiffMeasure::Fastest);
  EXPECT_EQ(row.testedBeforePs, 1000 * 128);
  EXPECT_EQ(row.basePs, 1000 * 128);
  EXPECT_EQ(row.testedAfterPs(), 1200 * 128);
  EXPECT_EQ(row.getPpm(row.testedPs), 200000);
  EXPECT_GT(row.lowPs, 0);
  EXPECT_LE(row.lowPs, row.testedPs);
  EXPECT_GE(row.highPs, row.testedPs);
  EXPECT_EQ(result.total.testedBeforePs, 4000 * 128);
  EXPECT_EQ(result.total.testedPs, 200 * 128);
  auto isOp = [&](const DiffRow *slower) { return slower == &row; };
  EXPECT_TRUE(llvm::any_of(findRegressions(result, 200000), isOp));
  EXPECT_FALSE(llvm::any_of(findRegressions(result, 200001), isOp));
  EXPECT_EQ(getDetectablePpm(result),
            uint64_t(result.total.detectablePs) * 1000000 / (4000 * 128));
}

/// scipy: with one run per side, t.isf(0.01 * 0.5 * 0.8 / 2, 8) deviations of
/// sqrt(2) * 1.5 % are detected, or a little more for the executions, however
/// disturbed the means are.
TEST(Diff, OneRunDoesNotDetectMoreForDisturbances) {
  for (unsigned slow : {4u, 60u}) {
    Profile profile = makeExecutions({{"op", 10000, {slow}}});
    ProfileDiff result = diff(profile, profile);
    ASSERT_EQ(result.notes.size(), 2u);
    std::optional<uint64_t> ppm = getDetectablePpm(result);
    ASSERT_TRUE(ppm.has_value());
    EXPECT_GE(*ppm, 84600u);
    EXPECT_LE(*ppm, 115000u);
  }
}

/// An op that appeared takes a tenth of the undisturbed time before, and much
/// less of the mean.

TEST(Diff, AnOpThatAppearedCountsByTheUndisturbedTotal) {
  ProfileDiff result = diff(makeExecutions({{"rest", 10000, {2, 64, 126}}}),
                            makeExecutions({{"rest", 10000, {2, 64, 126}},
                                            {"new", 1000, {1, 2, 40}}}));
  const DiffRow &row = getRow(result, "new");
  EXPECT_EQ(row.testedBeforePs, 0);
  EXPECT_EQ(row.measure, DiffMeasure::Fastest);
  EXPECT_EQ(row.testedPs, 1000 * 128);
  EXPECT_EQ(row.basePs, 10000 * 128);

  auto isNew = [&](const DiffRow *slower) { return slower == &row; };
  EXPECT_TRUE(llvm::any_of(findRegressions(result, 100000), isNew));
  EXPECT_FALSE(llvm::any_of(findRegressions(result, 100001), isNew));
}

/// Half as many samples per second halve all means, but not the shares: that of
/// the first op shows that it takes 35 % longer.
TEST(Diff, SharesHaveTheirOwnBase) {
  Maker maker;
  maker.random.seed(40);
  maker.ops = 3;
  maker.runs = 3;
  maker.iterations = 1000;
  maker.samples = 20;
  Profile before = maker.make();
  maker.samples = 10;
  maker.factor = 1.35;
  ProfileDiff result = diff(before, maker.make());
  const DiffRow &row = getRow(result, "op0");
  EXPECT_LT(row.changePs(), 0);
  EXPECT_EQ(row.verdict, DiffVerdict::Slower);
  EXPECT_EQ(row.measure, DiffMeasure::Share);
  ASSERT_TRUE(row.getPpm(row.testedPs).has_value());
  EXPECT_NEAR(double(*row.getPpm(row.testedPs)), 350e3, 50e3);
  EXPECT_GT(row.lowPs, 0);
  EXPECT_EQ(findRegressions(result, 280000).back(), &row);
}

/// Stalls double the mean of the listed iterations, and do not change any
/// verdict.
TEST(Diff, WallTimeIsAMedian) {
  Maker maker;
  maker.random.seed(36);
  maker.runs = 3;
  maker.iterations = 640;
  Profile a = maker.make(), b = maker.make();
  int64_t median = diff(a, b).wall->beforePs;
  EXPECT_NEAR(double(median), 1e9, 0.02 * 1e9);
  for (profile::Run &run : a.runs)
    for (size_t i = 0; i < run.steps.size(); i += 100)
      run.steps[i].durationPs *= 100;
  ProfileDiff result = diff(a, b);
  EXPECT_NEAR(double(result.wall->beforePs), double(median), 0.02 * 1e9);
  EXPECT_EQ(result.wall->verdict, DiffVerdict::NotSignificant);
}

/// 99 of 100: with 40 runs, the expectation about them hardly counts.
TEST(Diff, IntervalsHoldTheTruth) {
  Maker before, after;
  before.random.seed(27);
  after.random.seed(28);
  before.runs = after.runs = 20;
  before.ops = after.ops = 2;
  before.runNoise = after.runNoise = 0.05;
  after.factor = 1.1;
  unsigned held = 0;
  for (unsigned round = 0; round != kRounds; ++round)
    for (const DiffRow &row : diff(before.make(), after.make()).rows)
      if (row.name == "op0")
        held += row.lowPs <= 100000 && row.highPs >= 100000;
  EXPECT_GE(held, 388u);
}

TEST(Diff, OfAProfileWithItselfIsEmpty) {
  std::mt19937_64 random(29);
  for (unsigned round = 0; round != 100; ++round) {
    Profile profile = makeRandomProfile(random);
    if (profile.runs.empty())
      continue;
    auto result = diffProfiles({profile, "a"}, {profile, "b"});
    if (!result) {
      llvm::consumeError(result.takeError());
      continue;
    }
    EXPECT_TRUE(result->rows.empty());
    EXPECT_EQ(result->total.changePs(), 0);
    EXPECT_EQ(result->roundingPs, 0);
  }
  Profile fixed = makeFixedProfile();
  EXPECT_TRUE(diff(fixed, fixed).rows.empty());
}

/// The change of the total is the sum of its parts, to the picosecond.
TEST(Diff, ExplainsTheTotal) {
  std::mt19937_64 random(30);
  for (unsigned round = 0; round != 100; ++round) {
    Maker maker;
    maker.random.seed(random());
    maker.iterations = 2 + unsigned(random() % 50);
    Profile a = maker.make();
    maker.iterations = 2 + unsigned(random() % 50);
    maker.ops = 10 + unsigned(random() % 20);
    Profile b = maker.make();
    ProfileDiff result = diff(a, b);
    __int128 sum = result.roundingPs;
    for (const DiffRow &row : result.rows)
      sum += row.changePs();
    EXPECT_TRUE(sum == result.total.changePs());
    EXPECT_LE(std::abs(result.roundingPs), int64_t(result.rows.size()) + 1);
  }
}

TEST(Diff, TellsWhatAppearedAndDisappeared) {
  Maker maker;
  Profile a = maker.make();
  Profile b = a;
  b.opKeys[3].op = "new";
  ProfileDiff result = diff(a, b);
  ASSERT_EQ(result.rows.size(), 2u);
  EXPECT_EQ(result.unchanged, 19u);
  for (const DiffRow &row : result.rows) {
    bool isNew = row.name == "new";
    EXPECT_EQ(row.name, isNew ? "new" : "op3");
    EXPECT_EQ(row.match, isNew ? DiffMatch::Appeared : DiffMatch::Disappeared);
    EXPECT_EQ(row.verdict, isNew ? DiffVerdict::Slower : DiffVerdict::Faster);
  }
  EXPECT_EQ(result.total.changePs(), 0);
}

/// Two HLO modules in which the compiler renumbered its instructions.
TEST(Diff, KnowsInstructionsByTheirStructure) {
  auto make = [](llvm::ArrayRef<const char *> names, bool turned) {
    Profile profile;
    HloModule module;
    module.name = "jit_f";
    module.computations = {{"main", 1, 2, false, 0, uint32_t(names.size())}};
    profile.runs.emplace_back().hash = turned ? "a" : "b";
    for (auto [i, name] : llvm::enumerate(names)) {
      HloInstruction instruction;
      instruction.name = name;
      instruction.id = int64_t(i) + 2;
      int64_t size = turned ? 2 - int64_t(i) : int64_t(i);
      instruction.shape = {11, {size}, {}};
      instruction.opcode = "add";
      module.instructions.push_back(instruction);
      profile.opKeys.emplace_back(name, "",
                                  HloInstructionKey{"jit_f", turned ? 7 : 5});
      OpSummary op;
      op.op = uint32_t(i);
      op.get(Quantity::Self).add(1000 + size);
      op.get(Quantity::Self).add(1000 + size);
      profile.runs.back().ops.push_back(op);
    }
    module.programId = turned ? 7 : 5;
    profile.hloModules = {module};
    return profile;
  };
  // add.0 has size 0, then 2: another op of the same name.
  Profile a = make({"add.0", "add.1", "add.2"}, false);
  Profile b = make({"add.0", "add.1", "add.2"}, true);
  ProfileDiff result = diff(a, b);
  EXPECT_TRUE(result.rows.empty());
  EXPECT_EQ(result.unchanged, 3u);
}

TEST(Diff, RefusesWhatCannotBeCompared) {
  Maker maker;
  Profile a = maker.make(), b = a;
  for (OpKey &key : b.opKeys)
    key.op = "other " + key.op;
  EXPECT_NE(diffError(a, b).find("the models differ"), std::string::npos);
  b = a;
  b.runs[0].machine.cpu = "znver4";
  EXPECT_EQ(diff(a, b).rows.size(), 0u);
  a.runs[0].machine.cpu = "skylake";
  EXPECT_NE(diffError(a, b).find("another machine"), std::string::npos);
  DiffOptions mixed;
  mixed.machines = MachineRule::Mixed;
  EXPECT_EQ(diff(a, b, mixed).rows.size(), 0u);
  b = a;
  for (OpSummary &op : b.runs[0].ops)
    op.measurements[0].quantity = Quantity::Cycles;
  EXPECT_NE(diffError(a, b).find("measured cycles, but a time"),
            std::string::npos);
  EXPECT_EQ(diff(b, b).quantity, DiffQuantity::Cycles);
  b = a;
  a.runs[0].facts = {{"sampled time", "wall time"}};
  b.runs[0].facts = {{"sampled time", "processor time"}};
  EXPECT_NE(diffError(a, b).find("sampled by processor time"),
            std::string::npos);
  EXPECT_NE(diffError(a, Profile()).find("does not have a measurement"),
            std::string::npos);
}

TEST(Diff, DoesNotJudgeWithoutScatter) {
  Maker maker;
  maker.iterations = 1;
  ProfileDiff result = diff(maker.make(), maker.make());
  for (const DiffRow &row : result.rows) {
    EXPECT_EQ(row.verdict, DiffVerdict::Unknown);
    EXPECT_EQ(row.basis, DiffBasis::None);
  }
  EXPECT_FALSE(getDetectablePpm(result).has_value());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("cannot be judged"), std::string::npos);
}

/// An op that appeared counts by its own time, as a part of the total.
TEST(Diff, AnOpThatAppearedIsJudgedByItsOwnTime) {
  Maker maker;
  maker.random.seed(37);
  maker.ops = 5;
  for (unsigned runs : {1, 3}) {
    maker.runs = runs;
    Profile a = maker.make(), b = maker.make();
    // A fifteenth of the total.
    b.opKeys[0].op = "new";
    ProfileDiff result = diff(a, b);
    std::vector<const DiffRow *> slower = findRegressions(result, 60000);
    ASSERT_EQ(slower.size(), 1u);
    EXPECT_EQ(slower[0]->name, "new");
    EXPECT_NEAR(double(slower[0]->afterPs), 1e6, 2e4);
    ASSERT_TRUE(slower[0]->getPpm(slower[0]->testedPs).has_value());
    EXPECT_NEAR(double(*slower[0]->getPpm(slower[0]->testedPs)), 1e6 / 15, 3e3);

    EXPECT_TRUE(findRegressions(result, 70000).empty());
  }
}

TEST(Diff, FailsOnlyOnRegressions) {
  Maker maker;
  maker.random.seed(31);
  maker.runs = 3;
  maker.ops = 5;
  Profile a = maker.make();
  maker.factor = 1.2;
  Profile b = maker.make();
  ProfileDiff result = diff(a, b);
  std::vector<const DiffRow *> slower = findRegressions(result, 100000);
  ASSERT_EQ(slower.size(), 1u);
  EXPECT_EQ(slower[0]->name, "op0");
  EXPECT_TRUE(findRegressions(result, 300000).empty());
  EXPECT_TRUE(findRegressions(diff(b, a), 100000).empty());
}

/// Folded runs are one run each.
TEST(Diff, OfCompactedProfiles) {
  Maker maker;
  maker.random.seed(32);
  maker.runs = 4;
  Profile a = maker.make();
  Profile folded = llvm::cantFail(compactProfile(a));
  ProfileDiff result = diff(a, folded);
  EXPECT_TRUE(result.rows.empty());
  EXPECT_EQ(result.beforeUnits, result.afterUnits);
}

} // namespace
