//===- Judge.h - Verdicts on rows -------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_JUDGE_H
#define MLIR_PROF_LIB_DIFF_JUDGE_H

#include "Correct.h"
#include "Turns.h"

namespace mlirprof::diff {

/// The share of a test of the whole in the probability of a false alarm; the
/// rows of `diff` determine the tests.
double getTotalWeight(const ProfileDiff &diff);
double getWallWeight(const ProfileDiff &diff, bool isQuiet);

/// The share of `row` in the time, on the side where it is larger.
double getShare(const ProfileDiff &diff, const DiffRow &row);

/// Whether the row is large enough and its scatter known.
bool isTested(const ProfileDiff &diff, const DiffRow &row,
              const DiffOptions &options);

/// Corrects the p-values of all rows for their number and sets the verdicts.
/// `unchanged` is the share of tested ops without a row.
void judge(ProfileDiff &diff, double unchanged, const DiffOptions &options);

/// Adds notes on the limits of the verdicts.
void addNotes(ProfileDiff &diff, const Turns &turns);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_JUDGE_H
