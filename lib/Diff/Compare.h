//===- Compare.h - Whether two sides differ by more than chance -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_COMPARE_H
#define MLIR_PROF_LIB_DIFF_COMPARE_H

#include "mlir-prof/Diff/Diff.h"

namespace mlirprof::diff {

/// One number a run of one side, and the part of the mean that each run has.
/// The weights add up to 1; both are empty on a side that an op is not on.
struct Runs {
  std::vector<double> values;
  std::vector<double> weights;

  double getMean() const;
};

/// What is known of the scatter before runs are compared with each other.
struct Scatter {
  /// Variance of one run's value that its own iterations or events let expect,
  /// and how many degrees of freedom that is worth; 0 where it is unknown.
  double expected = 0;
  double freedom = 0;
  /// Variance of the difference of the means because samples come at random,
  /// which no comparison of runs can lower.
  double counting = 0;
};

/// A difference of means and how sure it is.
struct Difference {
  double change = 0;
  double variance = 0;
  /// Of `variance`; huge where it is known.
  double freedom = 0;
  /// How many of the degrees of freedom come from comparing runs.
  double fromRuns = 0;
};

/// Compares the means of two sides. The variance of a run is what is expected
/// of it and what the runs of a side differ by, weighted by their degrees of
/// freedom (Smyth, "Linear models and empirical Bayes methods", 2004), so that
/// a further run never weakens the test. With `arePairs` run i of one side
/// belongs to run i of the other. None where nothing is known of the scatter.
std::optional<Difference> compare(const Runs &before, const Runs &after,
                                  bool arePairs, const Scatter &scatter);

/// Fills testedPs, pValue, lowPs, highPs and detectablePs of `row`. Its
/// interval has the confidence 1 - alpha; a change of detectablePs has the
/// p-value `limit`.
void setTest(DiffRow &row, const Difference &difference, double alpha,
             double limit);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_COMPARE_H
