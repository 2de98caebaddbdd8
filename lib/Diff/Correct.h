//===- Correct.h - Correcting for many tests --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIFF_CORRECT_H
#define MLIR_PROF_LIB_DIFF_CORRECT_H

#include "mlir-prof/Diff/Diff.h"

namespace mlirprof::diff {

/// A test, and its share of the probability of a false alarm.
struct WeightedTest {
  DiffRow *row = nullptr;
  double weight = 0;
};

/// The ops' share of the probability if the whole did not change.
inline constexpr double kOpsWeight = 0.5;

/// Sets `adjusted` of the rows of `whole` and then of those of `ops`. Each test
/// of the whole has its weight; a change that is found there passes its weight
/// on to the ops, each of which gets a part by its share of the time (Bretz et
/// al., "A graphical approach to sequentially rejective multiple test
/// procedures", 2009; among ops it is Holm's procedure with weights). `others`
/// is the weight of tested ops that did not change at all. The probability that
/// any row has adjusted < alpha without a change is at most `alpha`.
void correct(llvm::ArrayRef<WeightedTest> whole,
             llvm::MutableArrayRef<WeightedTest> ops, double others,
             double alpha);

} // namespace mlirprof::diff

#endif // MLIR_PROF_LIB_DIFF_CORRECT_H
