//===- Rows.h - The rows of a diff, with their tests ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_ROWS_H
#define MLIR_PROF_LIB_DIFF_ROWS_H

#include "Compare.h"
#include "SideRuns.h"
#include "Turns.h"
#include "Units.h"

namespace mlirprof::diff {

/// Weight of the expected scatter of a run, in degrees of freedom.
inline constexpr double kExpectedFreedom = 8;

/// Estimate of the time of an op in a run.
enum class Estimate : uint8_t {
  Mean,
  /// Without stalls.
  Steady,
  /// All executions as long as the quickest one: disturbances of the others,
  /// and their extent in this run, do not count.
  Quick,
};

/// Creates rows and tests each by itself.
class RowMaker {
public:
  RowMaker(const profile::Profile &before, const profile::Profile &after,
           ProfileDiff &diff, const DiffOptions &options);

  /// Sets total, wall and quiet of the diff.
  void addWhole(llvm::ArrayRef<Pair> pairs);
  /// Must follow addWhole().
  DiffRow makeRow(const Pair &pair) const { return makeRow(pair, false); }
  const Turns &getTurns() const { return turns; }

private:
  void addTotal(llvm::ArrayRef<Pair> pairs);
  void calm(const Pair &total, bool isSteady);
  void setScales(const Pair &total);
  double getStalls(double share) const;
  std::optional<DiffRow> makeWall(llvm::StringRef name,
                                  WallTime RunTimes::*which) const;
  Runs getRuns(const std::optional<Unit> &unit, const SideRuns &side,
               Estimate estimate, bool isTotal) const;
  double getExpectedDeviation(double share, Estimate estimate, bool isSampled,
                              bool isTotal) const;
  Scatter getOwnScatter(const Pair &pair, double level, Estimate estimate,
                        bool isTotal) const;
  DiffMeasure getMeasure(Estimate estimate, bool isTotal) const;
  double getScale(Estimate estimate, bool isTotal) const;
  double getBase(Estimate estimate) const;
  std::optional<MeanDifference>
  compareUnits(const Pair &pair, Estimate estimate, bool isTotal) const;
  void testUnits(const Pair &pair, DiffRow &row, double weight,
                 bool isTotal) const;
  DiffBasis getBasis(const MeanDifference &difference, DiffBasis within) const;
  double getDeviation(double scatter) const;
  double getLevel(const Pair &total, Estimate estimate) const;
  double getRelativeVariance(const Pair &total) const;
  double getScatter(double (*of)(const RunTimes &)) const;
  double getScatter(WallTime RunTimes::*of) const;
  DiffRow makeRow(const Pair &pair, bool isTotal) const;
  double getAlpha() const { return double(options.alphaPpm) / 1e6; }

  ProfileDiff &diff;
  const DiffOptions &options;
  Turns turns;
  SideRuns before;
  SideRuns after;
  /// The estimate of the quiet wall time: the quartile if it is more certain,
  /// as for iterations that differ by nature.
  WallTime RunTimes::*quiet = &RunTimes::quickest;
  /// Variance of the time of all ops in a run by their executions, as a part of
  /// its square.
  double totalVariance = 0;
  /// All ops before; set once the total has its row.
  std::optional<Unit> allBefore;
  /// Factors from shares of the time of all ops, with and without stalls, to
  /// shares of their undisturbed time.
  double shareScale = 1;
  double steadyShareScale = 1;
  /// The mean quickest time of all ops together; 0 if it is unknown for any.
  double totalQuick = 0;
  /// Whether each side has several runs.
  bool hasSeveral;
};

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_ROWS_H
