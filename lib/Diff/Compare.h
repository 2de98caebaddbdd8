//===- Compare.h - Testing differences for significance ---------*- C++ -*-===//
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

/// One number per run of one side; empty if that side lacks the op.
using Runs = WeightedSample;

/// Sets testedBeforePs, testedPs, pValue, lowPs, highPs and detectablePs of
/// `row`. Its interval has the confidence 1 - alpha; a change of detectablePs
/// has the p-value `limit`.
void setTest(DiffRow &row, const MeanDifference &difference, double alpha,
             double limit);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_COMPARE_H
