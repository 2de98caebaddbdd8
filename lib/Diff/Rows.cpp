//===- Rows.cpp - The rows of a diff, each with its test ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "Judge.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;

/// Runs are taken to differ by at least so much, since where a process lies in
/// memory is chance, and by so much of what the parts of a run differ by. Both
/// are more where a side has one run, which cannot contradict.
static constexpr double kLeastDeviation = 0.005, kPartOfScatter = 0.5;
static constexpr double kLeastDeviationOfOne = 0.015, kPartOfScatterOfOne = 1;

/// `sum / units`, rounded to the nearest.
static int64_t divide(int64_t sum, uint64_t units) {
  __int128 wide = sum, half = units / 2;
  wide = wide < 0 ? wide - half : wide + half;
  return int64_t(wide / __int128(units));
}

RowMaker::RowMaker(const Profile &before, const Profile &after,
                   ProfileDiff &diff, const DiffOptions &options)
    : diff(diff), options(options), turns(findTurns(before, after)),
      before(before, turns.before, diff.unit),
      after(after, turns.after, diff.unit),
      hasSeveral(before.runs.size() > 1 && after.runs.size() > 1) {}

/// The median over all runs of both sides; 0 where iterations are unknown.
double RowMaker::getScatter(double (*of)(const RunTimes &)) const {
  std::vector<double> values;
  for (const SideRuns *side : {&before, &after})
    for (const RunTimes &run : side->times)
      values.push_back(of(run));
  return getMedian(values);
}

/// By what part of their time runs are expected to differ.
double RowMaker::getDeviation(double scatter) const {
  return hasSeveral
             ? std::hypot(kLeastDeviation, kPartOfScatter * scatter)
             : std::hypot(kLeastDeviationOfOne, kPartOfScatterOfOne * scatter);
}

DiffBasis RowMaker::getBasis(const MeanDifference &difference,
                             DiffBasis within) const {
  if (difference.fromValues <= 0)
    return within;
  return turns.areInTurns ? DiffBasis::Pairs : DiffBasis::Runs;
}

/// Nothing where the unit took no time: then the other side is judged by its
/// own.
Runs RowMaker::getRuns(const std::optional<Unit> &unit, const SideRuns &side,
                       bool isSteady, bool isTotal) const {
  if (!unit || unit->sumPs == 0)
    return Runs();
  Runs result;
  result.weights = side.weights;
  for (auto [i, number] : llvm::enumerate(side.order)) {
    const RunValue &value = unit->perRun[number];
    double time = isSteady ? value.steadyPs : double(value.sumPs);
    if (!isTotal)
      time *= isSteady ? side.steadyCalm[i] : side.calm[i];
    result.values.push_back(time / side.units[i]);
  }
  return result;
}

/// What samples of both sides let expect, if both had the same time: variance
/// of the difference of means.
static double countSamples(const Pair &pair, const SideRuns &before,
                           const SideRuns &after) {
  double variance = 0, time = 0, units = 0, perUnit = 0;
  auto add = [&](const std::optional<Unit> &unit, const SideRuns &side) {
    units += side.total;
    if (!unit || unit->sumPs == 0)
      return;
    perUnit += 1 / side.total;
    time += double(unit->sumPs);
    for (const RunValue &value : unit->perRun)
      variance += value.variance;
  };
  add(pair.before, before);
  add(pair.after, after);
  // A side without time has its part in the mean, not in the scatter of the
  // other's own time.
  if (!pair.before || !pair.after || pair.before->sumPs == 0 ||
      pair.after->sumPs == 0)
    return variance * perUnit * perUnit;
  return variance / units * perUnit;
}

/// Variance of a run's value that its events let expect, on average.
static double getEventVariance(const Pair &pair, const SideRuns &before,
                               const SideRuns &after, bool isSteady) {
  double sum = 0, runs = 0;
  auto add = [&](const std::optional<Unit> &unit, const SideRuns &side) {
    if (!unit || unit->sumPs == 0)
      return;
    for (auto [number, count] : llvm::zip_equal(side.order, side.units)) {
      const RunValue &value = unit->perRun[number];
      sum += (isSteady ? value.steadyVariance : value.variance) / count / count;
      ++runs;
    }
  };
  add(pair.before, before);
  add(pair.after, after);
  return runs > 0 ? sum / runs : 0;
}

static bool isAny(const Pair &pair, bool Unit::*flag) {
  return (pair.before && *pair.before.*flag) ||
         (pair.after && *pair.after.*flag);
}

static double getTotalLevel(const ProfileDiff &diff) {
  return double(
      std::max<int64_t>(1, std::max(diff.total.beforePs, diff.total.afterPs)));
}

/// A stall of an iteration hits one op, by its share: of a smaller one it is a
/// larger part.
double RowMaker::getStalls(double share) const {
  double sum = 0, runs = 0;
  for (const SideRuns *side : {&before, &after})
    for (double variance : side->stalls) {
      sum += variance;
      ++runs;
    }
  return runs > 0 && share > 0 ? sum / runs / std::min(1.0, share) : 0;
}

static double getMeanScatter(const RunTimes &run) { return run.meanScatter; }

static double getMedianScatter(const RunTimes &run) {
  return run.median.scatter;
}

static double getQuietScatter(const RunTimes &run) { return run.quiet.scatter; }

std::optional<MeanDifference>
RowMaker::compareUnits(const Pair &pair, bool isSteady, bool isTotal) const {
  Runs first = getRuns(pair.before, before, isSteady, isTotal);
  Runs second = getRuns(pair.after, after, isSteady, isTotal);
  double level = std::max(first.getMean(), second.getMean());
  if (!first.values.empty() && !second.values.empty())
    level = (first.getMean() + second.getMean()) / 2;
  bool isSampled = isAny(pair, &Unit::isSampled);
  Scatter scatter;
  if (!isAny(pair, &Unit::isUnknown)) {
    // The total of samples has the scatter of the mean iteration, an op that of
    // what calm() multiplies it by.
    auto getOwnScatter = isTotal && isSampled     ? getMeanScatter
                         : !isTotal && diff.quiet ? getQuietScatter
                                                  : getMedianScatter;
    double deviation = getDeviation(getScatter(getOwnScatter));
    scatter.freedom = kExpectedFreedom;
    scatter.expected = level * level * deviation * deviation;
    if (!isSampled)
      scatter.expected += getEventVariance(pair, before, after, isSteady);
    if (isAny(pair, &Unit::isEven))
      scatter.expected +=
          level * level * getStalls(isTotal ? 1 : level / getTotalLevel(diff));
    if (isSampled && (!isTotal || diff.unit == DiffUnit::Run))
      scatter.counting = countSamples(pair, before, after);
  }
  return compareMeans(first, second, turns.areInTurns, scatter);
}

/// Whether leaving out stalls changes anything.
static bool hasStalls(const Pair &pair) {
  auto isDisturbed = [](const RunValue &value) {
    return value.steadyPs < double(value.sumPs) * (1 - 1e-9);
  };
  return (pair.before && llvm::any_of(pair.before->perRun, isDisturbed)) ||
         (pair.after && llvm::any_of(pair.after->perRun, isDisturbed));
}

/// Of two tests, with and without stalls, the one that tells more counts, at
/// half the chance of a false alarm.
void RowMaker::testUnits(const Pair &pair, DiffRow &row, double weight,
                         bool isTotal) const {
  unsigned tests = hasStalls(pair) ? 2 : 1;
  double alpha = getAlpha() / tests, best = 2;
  for (unsigned i = 0; i != tests; ++i) {
    auto difference = compareUnits(pair, /*isSteady=*/i != 0, isTotal);
    if (!difference)
      continue;
    DiffRow tested = row;
    tested.basis = getBasis(*difference, isAny(pair, &Unit::isSampled)
                                             ? DiffBasis::Samples
                                             : DiffBasis::Events);
    setTest(tested, *difference, alpha, alpha * weight);
    if (tested.pValue >= best)
      continue;
    best = tested.pValue;
    row = std::move(tested);
  }
  row.pValue = row.adjusted = std::min(1.0, row.pValue * tests);
}

DiffRow RowMaker::makeRow(const Pair &pair, bool isTotal) const {
  DiffRow row;
  const Unit &named = pair.after ? *pair.after : *pair.before;
  row.op = named.op;
  row.name = named.name;
  row.match = pair.match;
  row.beforeOps = pair.before ? pair.before->members : 0;
  row.afterOps = pair.after ? pair.after->members : 0;
  row.beforePs = pair.before ? divide(pair.before->sumPs, diff.beforeUnits) : 0;
  row.afterPs = pair.after ? divide(pair.after->sumPs, diff.afterUnits) : 0;
  row.testedPs = row.changePs();
  double weight = isTotal ? getTotalWeight(diff)
                          : std::min(1.0, getShare(diff, row)) * kOpsWeight;
  testUnits(pair, row, weight, isTotal);
  return row;
}
