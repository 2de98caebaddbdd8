//===- Welch.h - Whether two sums differ by more than chance ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_DIFF_WELCH_H
#define MLIR_PROF_LIB_PROFILE_DIFF_WELCH_H

#include "Units.h"

namespace mlirprof::diff {

/// One side of a test: how large a mean is, and how sure that is.
struct Estimate {
  /// Of the mean, not of the observations.
  double variance = 0;
  /// Of `variance`; infinite where it is known.
  double freedom = 0;
};

/// Of observations themselves.
std::optional<Estimate> estimate(llvm::ArrayRef<double> observations);
/// Of sums over `units` (iterations, say); none where the scatter is unknown.
std::optional<Estimate> estimate(const Scatter &scatter, double units);
/// Of the mean of a summary's values.
std::optional<Estimate> estimate(const Summary &summary);

/// Fills pValue (and adjusted, with the same), lowPs and highPs of a row whose
/// times are known, by Welch's test; an interval of `confidence` (0.95).
void test(DiffRow &row, const Estimate &before, const Estimate &after,
          double confidence);

/// Corrects the p-values of all `rows` for the number of tests, as Holm says;
/// `others` are tests that found no difference at all.
void correct(llvm::MutableArrayRef<DiffRow *> rows, uint64_t others);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_PROFILE_DIFF_WELCH_H
