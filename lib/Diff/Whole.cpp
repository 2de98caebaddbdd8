//===- Whole.cpp - Changes of the whole -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "Rows.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::diff;

/// Disturbances slow all ops down, and affect means of iterations most. They
/// affect the share of an op little, and undisturbed iterations too: an op is
/// compared by the product of the two.
void RowMaker::calm(const Pair &total, bool isSteady) {
  double quietSum = 0, all = 0;
  for (auto [side, unit] : {std::make_pair(&before, &*total.before),
                            std::make_pair(&after, &*total.after)})
    for (auto [i, number] : llvm::enumerate(side->order)) {
      const RunValue &value = unit->perRun[number];
      double time = isSteady ? value.steadyPs : double(value.sumPs);
      double ofRun = (side->times[i].*quiet).timePs * side->units[i];
      (isSteady ? side->steadyCalm : side->calm)[i] =
          time > 0 ? ofRun / time : 0;
      quietSum += ofRun;
      all += time;
    }
  // The level remains that of the means, which are the level of the variances.
  double level = quietSum > 0 ? all / quietSum : 0;
  for (SideRuns *side : {&before, &after})
    for (double &factor : isSteady ? side->steadyCalm : side->calm)
      factor *= level;
}

/// Shares of ops are reported as parts of the undisturbed time of all ops, as
/// far as it is known: at the level of the fastest executions.
void RowMaker::setScales(const Pair &total) {
  double mean = 0, steady = 0, undisturbed = 0;
  for (const Unit *unit : {&*total.before, &*total.after})
    for (const RunValue &value : unit->perRun) {
      mean += double(value.sumPs);
      steady += value.steadyPs;
      undisturbed += value.calmPs;
    }
  shareScale = mean > 0 ? undisturbed / mean : 1;
  steadyShareScale = steady > 0 ? undisturbed / steady : 1;
}

void RowMaker::addTotal(llvm::ArrayRef<Pair> pairs) {
  Pair total{Unit(), Unit(), DiffMatch::Key};
  total.before->perRun.resize(before.order.size());
  total.after->perRun.resize(after.order.size());
  for (const Pair &pair : pairs) {
    if (pair.before)
      total.before->add(*pair.before);
    if (pair.after)
      total.after->add(*pair.after);
  }
  if (diff.quiet) {
    for (bool isSteady : {false, true})
      calm(total, isSteady);
    setScales(total);
  }
  totalVariance = getRelativeVariance(total);
  if (total.before->hasQuick && total.after->hasQuick)
    totalQuick = getLevel(total, Estimate::Quick);
  diff.total = makeRow(total, /*isTotal=*/true);
  diff.total.name = "all ops";
  diff.total.beforeOps = diff.total.afterOps = 0;
  allBefore = std::move(total.before);
}

std::optional<DiffRow> RowMaker::makeWall(llvm::StringRef name,
                                          WallTime RunTimes::*which) const {
  Runs first = before.getTimes(which), second = after.getTimes(which);
  DiffRow row;
  row.name = name.str();
  row.beforePs = int64_t(std::llround(first.getMean()));
  row.afterPs = int64_t(std::llround(second.getMean()));
  row.measure = DiffMeasure::WallTime;
  row.testedBeforePs = row.basePs = row.beforePs;
  row.testedPs = row.changePs();
  Scatter scatter;
  bool isKnown = true;
  for (const SideRuns *side : {&before, &after})
    for (const RunTimes &run : side->times)
      isKnown &= run.hasScatter;
  if (isKnown) {
    double deviation = getDeviation(getScatter(which));
    double level = (first.getMean() + second.getMean()) / 2;
    scatter.expected = level * level * deviation * deviation;
    scatter.freedom = kExpectedFreedom;
  }
  if (auto difference =
          compareMeans(first, second, turns.areInTurns, scatter)) {
    row.basis = getBasis(*difference, DiffBasis::Iterations);
    setTest(row, *difference, getAlpha(),
            getAlpha() * getWallWeight(diff, which != &RunTimes::median));
  }
  return row;
}

void RowMaker::addWhole(llvm::ArrayRef<Pair> pairs) {
  if (diff.unit == DiffUnit::Iteration) {
    bool hasOrder = true;
    for (const SideRuns *side : {&before, &after})
      for (const RunTimes &run : side->times)
        hasOrder &= run.hasOrder;
    if (getScatter(&RunTimes::quartile) < getScatter(&RunTimes::quickest))
      quiet = &RunTimes::quartile;
    // Weights depend on which of the two exist.
    diff.wall.emplace();
    if (hasOrder)
      diff.quiet.emplace();
    diff.wall = makeWall("wall time", &RunTimes::median);
    if (hasOrder)
      diff.quiet = makeWall("quiet wall time", quiet);
  }
  addTotal(pairs);
}
