//===- Judge.h - What is slower, what is faster -----------------*- C++ -*-===//
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

/// The part of the chance of a false alarm that a test of the whole has; which
/// tests there are is what `diff` has.
double getTotalWeight(const ProfileDiff &diff);
double getWallWeight(const ProfileDiff &diff, bool isQuiet);

/// The part of the time that `row` takes, on the side where it is more.
double getShare(const ProfileDiff &diff, const DiffRow &row);

/// Whether the row is large enough, and its scatter known.
bool isTested(const ProfileDiff &diff, const DiffRow &row,
              const DiffOptions &options);

/// Corrects the p-values of all rows for their number and sets the verdicts.
/// `unchanged` is the share of ops that were tested and have no row.
void judge(ProfileDiff &diff, double unchanged, const DiffOptions &options);

/// Says how far the verdicts go.
void addNotes(ProfileDiff &diff, const Turns &turns);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_JUDGE_H
