//===- Phrases.h - Descriptions of changes ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_DIFF_PHRASES_H
#define MLIR_PROF_LIB_REPORT_DIFF_PHRASES_H

#include "mlir-prof/Diff/Diff.h"

namespace mlirprof::report {

/// "12.500 ms", or a plain number for quantities that are not times.
std::string formatAmount(int64_t value, diff::DiffQuantity quantity);
/// Like formatAmount, with a sign.
std::string formatChange(int64_t value, diff::DiffQuantity quantity);
/// "+5.2 %" of `before`; empty if that is not positive.
std::string formatPart(int64_t change, int64_t before);
/// The change of the means of an op; "" for wall times, which are not means.
std::string formatMeanChange(const diff::DiffRow &row,
                             diff::DiffQuantity quantity);
/// "+4.9 % to +5.4 %" of the tested time before, or in units if that was zero;
/// for a change that is not significant, why.
std::string formatInterval(const diff::DiffRow &row,
                           diff::DiffQuantity quantity);
/// "linalg.matmul layer1", with the number of ops that it represents.
std::string formatName(const diff::DiffRow &row);
/// "per iteration; 100 iterations in 1 run before, ... after".
std::string formatBasis(const diff::ProfileDiff &diff);
/// "3 slower, 1 faster, 12 not significant": the verdicts on `diff`'s rows.
std::string formatCounts(const diff::ProfileDiff &diff);
/// How the changes of means add up to that of the total.
std::string formatSum(const diff::ProfileDiff &diff);

bool isSignificant(const diff::DiffRow &row);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_DIFF_PHRASES_H
