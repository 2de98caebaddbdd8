//===- Rows.cpp - The rows of a diff, with their tests --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "Judge.h"
#include "mlir-prof/Support/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;

/// Assumed minimum difference between runs, since the placement of a process in
/// memory is random, and assumed multiple of the differences between the parts
/// of a run. Both are larger if a side has one run, which cannot contradict.
static constexpr double kLeastDeviation = 0.01, kPartOfScatter = 1;
static constexpr double kLeastDeviationOfOne = 0.015, kPartOfScatterOfOne = 2;

/// As kLeastDeviation, for the quickest executions of ops, with all time spread
/// over many small ops: for a single op, the placement of its data matters more
/// than for all together, and the more the smaller it is.
static constexpr double kQuickDeviation = 0.005, kQuickDeviationOfOne = 0.0075;

/// Disturbances hit ops at random, the more often the more time they take: by
/// so many times of what the parts of a run differ by. One run cannot
/// contradict.
static constexpr double kPartOfHits = 0.3, kPartOfHitsOfOne = 0.5;

/// Share of the quickest execution in the probability of a false alarm.
static constexpr double kPartOfQuick = 0.8;

/// `sum / units`, rounded to nearest.
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

double RowMaker::getScatter(WallTime RunTimes::*of) const {
  std::vector<double> values;
  for (const SideRuns *side : {&before, &after})
    for (const RunTimes &run : side->times)
      values.push_back((run.*of).scatter);
  return getMedian(values);
}

/// The expected difference between runs, as a part of their time.
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

static double getTime(const RunValue &value, Estimate estimate) {
  switch (estimate) {
  case Estimate::Mean:
    return double(value.sumPs);
  case Estimate::Steady:
    return value.steadyPs;
  case Estimate::Quick:
    return value.quickPs;
  }
  llvm_unreachable("unknown estimate");
}

/// Empty if the unit did not take time: then the other side is judged by
/// itself.
Runs RowMaker::getRuns(const std::optional<Unit> &unit, const SideRuns &side,
                       Estimate estimate, bool isTotal) const {
  if (!unit || unit->sumPs == 0)
    return Runs();
  Runs result;
  result.weights = side.weights;
  for (auto [i, number] : llvm::enumerate(side.order)) {
    double time = getTime(unit->perRun[number], estimate);
    if (!isTotal && estimate == Estimate::Mean)
      time *= side.calm[i];
    else if (!isTotal && estimate == Estimate::Steady)
      time *= side.steadyCalm[i];
    result.values.push_back(time / side.units[i]);
  }
  // A run with more executions does not know the quickest one better.
  if (estimate == Estimate::Quick)
    result.weights.assign(side.order.size(), 1 / double(side.order.size()));
  return result;
}

/// Variance of the difference of means that samples of both sides imply if both
/// took the same time.
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
  // A side without time affects the mean, but not the scatter of the other's
  // own time.
  if (!pair.before || !pair.after || pair.before->sumPs == 0 ||
      pair.after->sumPs == 0)
    return variance * perUnit * perUnit;
  return variance / units * perUnit;
}

/// Expected variance of a run's value by its events, on average.
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

double RowMaker::getLevel(const Pair &total, Estimate estimate) const {
  return (getRuns(total.before, before, estimate, true).getMean() +
          getRuns(total.after, after, estimate, true).getMean()) /
         2;
}

double RowMaker::getRelativeVariance(const Pair &total) const {
  double level = getLevel(total, Estimate::Mean);
  double variance = getEventVariance(total, before, after, /*isSteady=*/false);
  return level > 0 ? variance / level / level : 0;
}

/// Variance of a run's value by its quickest executions: the median, as a run
/// without quiet executions does not say much about the others.
static double getQuickVariance(const Pair &pair, const SideRuns &before,
                               const SideRuns &after) {
  std::vector<double> variances;
  auto add = [&](const std::optional<Unit> &unit, const SideRuns &side) {
    if (!unit || unit->sumPs == 0)
      return;
    for (auto [number, count] : llvm::zip_equal(side.order, side.units))
      variances.push_back(unit->perRun[number].quickVariance / count / count);
  };
  add(pair.before, before);
  add(pair.after, after);
  return getMedian(variances);
}

static bool isAny(const Pair &pair, bool Unit::*flag) {
  return (pair.before && *pair.before.*flag) ||
         (pair.after && *pair.after.*flag);
}

static double getTotalLevel(const ProfileDiff &diff) {
  return double(
      std::max<int64_t>(1, std::max(diff.total.beforePs, diff.total.afterPs)));
}

/// The share of the total that a pair takes, as if both sides took the same.
static double getPairShare(const ProfileDiff &diff, const Pair &pair) {
  double before = pair.before && diff.beforeUnits
                      ? double(pair.before->sumPs) / double(diff.beforeUnits)
                      : 0;
  double after = pair.after && diff.afterUnits
                     ? double(pair.after->sumPs) / double(diff.afterUnits)
                     : 0;
  double share =
      before > 0 && after > 0 ? (before + after) / 2 : std::max(before, after);
  return std::clamp(share / getTotalLevel(diff), 1e-9, 1.0);
}

/// A stall of an iteration hits one op, chosen by share: it is a larger part of
/// a smaller op.
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

/// The expected difference between runs, as a part of the time, for an op that
/// takes `share` of the total.
double RowMaker::getExpectedDeviation(double share, Estimate estimate,
                                      bool isSampled, bool isTotal) const {
  if (estimate == Estimate::Quick)
    return isTotal ? getDeviation(0)
                   : (hasSeveral ? kQuickDeviation : kQuickDeviationOfOne) /
                         std::sqrt(share);
  if (isTotal)
    return getDeviation(getScatter(getMeanScatter));
  double scatter = getScatter(&RunTimes::median);
  if (!isSampled || !diff.quiet)
    return getDeviation(diff.quiet ? getScatter(quiet) : scatter);
  double hits = hasSeveral ? kPartOfHits : kPartOfHitsOfOne;
  return getDeviation(
      std::hypot(getScatter(quiet), hits * scatter * std::sqrt(1 / share - 1)));
}

/// Expected difference between runs, and random variation of samples, for a
/// time of `level`.
Scatter RowMaker::getOwnScatter(const Pair &pair, double level,
                                Estimate estimate, bool isTotal) const {
  Scatter scatter;
  if (isAny(pair, &Unit::isUnknown))
    return scatter;
  scatter.freedom = kExpectedFreedom;
  bool isSampled = isAny(pair, &Unit::isSampled);
  double share = getPairShare(diff, pair);
  // The share is computed without stalls.
  if (estimate == Estimate::Quick && totalQuick > 0)
    share = std::clamp(level / totalQuick, 1e-9, 1.0);
  double deviation = getExpectedDeviation(share, estimate, isSampled, isTotal);
  scatter.expected = level * level * deviation * deviation;
  if (estimate == Estimate::Quick) {
    scatter.expected += getQuickVariance(pair, before, after);
    return scatter;
  }
  if (!isSampled) {
    scatter.expected +=
        getEventVariance(pair, before, after, estimate == Estimate::Steady);
    // An op is compared by its share in all ops.
    if (!isTotal && diff.quiet)
      scatter.expected += level * level * totalVariance;
  }
  if (isAny(pair, &Unit::isEven))
    scatter.expected +=
        level * level * getStalls(isTotal ? 1 : level / getTotalLevel(diff));
  if (isSampled && (!isTotal || diff.unit == DiffUnit::Run))
    scatter.counting = countSamples(pair, before, after);
  return scatter;
}

DiffMeasure RowMaker::getMeasure(Estimate estimate, bool isTotal) const {
  bool isShare = diff.quiet && !isTotal;
  switch (estimate) {
  case Estimate::Mean:
    return isShare ? DiffMeasure::Share : DiffMeasure::Mean;
  case Estimate::Steady:
    return isShare ? DiffMeasure::SteadyShare : DiffMeasure::SteadyMean;
  case Estimate::Quick:
    return DiffMeasure::Fastest;
  }
  llvm_unreachable("unknown estimate");
}

/// The factor from the values that a test compares to the reported times.
double RowMaker::getScale(Estimate estimate, bool isTotal) const {
  if (isTotal || estimate == Estimate::Quick)
    return 1;
  return estimate == Estimate::Steady ? steadyShareScale : shareScale;
}

/// The time of all ops before, as a test of an op by `estimate` reports it.
double RowMaker::getBase(Estimate estimate) const {
  if (estimate != Estimate::Quick)
    return getRuns(allBefore, before, estimate, /*isTotal=*/false).getMean() *
           getScale(estimate, /*isTotal=*/false);
  double sum = 0;
  for (auto [number, units] : llvm::zip_equal(before.order, before.units))
    sum += allBefore->perRun[number].calmPs / units;
  return sum / double(before.order.size());
}

std::optional<MeanDifference> RowMaker::compareUnits(const Pair &pair,
                                                     Estimate estimate,
                                                     bool isTotal) const {
  Runs first = getRuns(pair.before, before, estimate, isTotal);
  Runs second = getRuns(pair.after, after, estimate, isTotal);
  double level = std::max(first.getMean(), second.getMean());
  if (!first.values.empty() && !second.values.empty())
    level = (first.getMean() + second.getMean()) / 2;
  Scatter scatter = getOwnScatter(pair, level, estimate, isTotal);
  auto difference = compareMeans(first, second, turns.areInTurns, scatter);
  if (!difference)
    return difference;
  double scale = getScale(estimate, isTotal);
  difference->before *= scale;
  difference->change *= scale;
  difference->variance *= scale * scale;
  return difference;
}

/// Whether leaving out stalls changes anything.
static bool hasStalls(const Pair &pair) {
  auto isDisturbed = [](const RunValue &value) {
    return value.steadyPs < double(value.sumPs) * (1 - 1e-9);
  };
  return (pair.before && llvm::any_of(pair.before->perRun, isDisturbed)) ||
         (pair.after && llvm::any_of(pair.after->perRun, isDisturbed));
}

/// The estimates that add information, each with its share of the probability
/// of a false alarm.
static llvm::SmallVector<std::pair<Estimate, double>>
getEstimates(const Pair &pair) {
  auto isQuick = [](const std::optional<Unit> &unit) {
    return !unit ||
           (unit->hasQuick && llvm::all_of(unit->perRun, [](auto &run) {
              return run.quickPs > 0 || run.sumPs == 0;
            }));
  };
  double rest = 1;
  llvm::SmallVector<std::pair<Estimate, double>> estimates;
  bool hasQuick = isQuick(pair.before) && isQuick(pair.after);
  if (hasQuick) {
    estimates.emplace_back(Estimate::Quick, kPartOfQuick);
    rest -= kPartOfQuick;
  }
  if (hasQuick || !hasStalls(pair)) {
    estimates.emplace_back(Estimate::Mean, rest);
  } else {
    estimates.emplace_back(Estimate::Mean, rest / 2);
    estimates.emplace_back(Estimate::Steady, rest / 2);
  }
  return estimates;
}

/// The most significant of several tests counts, each at its share of the
/// probability of a false alarm.
void RowMaker::testUnits(const Pair &pair, DiffRow &row, double weight,
                         bool isTotal) const {
  double best = 2;
  for (auto [estimate, part] : getEstimates(pair)) {
    auto difference = compareUnits(pair, estimate, isTotal);
    if (!difference)
      continue;
    DiffRow tested = row;
    tested.basis = getBasis(*difference, isAny(pair, &Unit::isSampled)
                                             ? DiffBasis::Samples
                                             : DiffBasis::Events);
    setTest(tested, *difference, getAlpha() * part, getAlpha() * weight * part);
    tested.measure = getMeasure(estimate, isTotal);
    tested.basePs = tested.testedBeforePs;
    if (tested.basePs <= 0 && !isTotal)
      tested.basePs = std::llround(getBase(estimate));
    tested.pValue = tested.adjusted = std::min(1.0, tested.pValue / part);
    if (tested.pValue >= best)
      continue;
    best = tested.pValue;
    row = std::move(tested);
  }
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
  row.testedBeforePs = row.beforePs;
  row.basePs = row.beforePs > 0 ? row.beforePs : diff.total.beforePs;
  row.testedPs = row.changePs();
  double weight = isTotal ? getTotalWeight(diff)
                          : std::min(1.0, getShare(diff, row)) * kOpsWeight;
  testUnits(pair, row, weight, isTotal);
  return row;
}
