//===- Rows.h - The rows of a diff, each with its test ----------*- C++ -*-===//
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

/// As many degrees of freedom the expected scatter of a run is worth.
inline constexpr double kExpectedFreedom = 8;

/// What is taken for the time of an op in a run.
enum class Estimate : uint8_t {
  Mean,
  /// Without stalls.
  Steady,
  /// As long as its quickest execution: what disturbs the others, and by how
  /// much it does so in this run, does not count.
  Quick,
};

/// Makes rows and tests each by itself.
class RowMaker {
public:
  RowMaker(const profile::Profile &before, const profile::Profile &after,
           ProfileDiff &diff, const DiffOptions &options);

  /// Fills total, wall and quiet of the diff.
  void addWhole(llvm::ArrayRef<Pair> pairs);
  /// Needs the whole before.
  DiffRow makeRow(const Pair &pair) const { return makeRow(pair, false); }
  const Turns &getTurns() const { return turns; }

private:
  void addTotal(llvm::ArrayRef<Pair> pairs);
  void calm(const Pair &total, bool isSteady);
  double getStalls(double share) const;
  std::optional<DiffRow> makeWall(llvm::StringRef name,
                                  WallTime RunTimes::*which) const;
  Runs getRuns(const std::optional<Unit> &unit, const SideRuns &side,
               Estimate estimate, bool isTotal) const;
  double getExpectedDeviation(double share, Estimate estimate, bool isSampled,
                              bool isTotal) const;
  Scatter getOwnScatter(const Pair &pair, double level, Estimate estimate,
                        bool isTotal) const;
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
  /// What the quiet wall time is: the quartile where that is surer, as when
  /// iterations differ by nature.
  WallTime RunTimes::*quiet = &RunTimes::quickest;
  /// Variance of the time of all ops in a run that the executions let expect,
  /// as a part of its square.
  double totalVariance = 0;
  /// The mean quickest time of all ops together; 0 where it is not known of
  /// each.
  double totalQuick = 0;
  /// Whether each side has several runs.
  bool hasSeveral;
};

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_ROWS_H
