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
#include "mlir-prof/Support/Statistics.h"

namespace mlirprof::diff {

/// One number a run of one side; empty on a side that an op is not on.
using Runs = WeightedSample;

/// Fills testedPs, pValue, lowPs, highPs and detectablePs of `row`. Its
/// interval has the confidence 1 - alpha; a change of detectablePs has the
/// p-value `limit`.
void setTest(DiffRow &row, const MeanDifference &difference, double alpha,
             double limit);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_COMPARE_H
