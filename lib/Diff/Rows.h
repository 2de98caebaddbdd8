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
               bool isSteady, bool isTotal) const;
  std::optional<MeanDifference> compareUnits(const Pair &pair, bool isSteady,
                                             bool isTotal) const;
  void testUnits(const Pair &pair, DiffRow &row, double weight,
                 bool isTotal) const;
  DiffBasis getBasis(const MeanDifference &difference, DiffBasis within) const;
  double getDeviation(double scatter) const;
  double getScatter(double (*of)(const RunTimes &)) const;
  DiffRow makeRow(const Pair &pair, bool isTotal) const;
  double getAlpha() const { return double(options.alphaPpm) / 1e6; }

  ProfileDiff &diff;
  const DiffOptions &options;
  Turns turns;
  SideRuns before;
  SideRuns after;
  /// Whether each side has several runs.
  bool hasSeveral;
};

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_ROWS_H
