//===- LossText.h - Losses in words -----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_LOSSTEXT_H
#define MLIR_PROF_REPORT_LOSSTEXT_H

#include "mlir-prof/Support/Loss.h"

#include <string>

namespace mlirprof::report {

/// Whether more was lost than the numbers of `loss` can hold: each that has
/// come to its end is the least that it may be.
bool isSaturated(const Loss &loss);

/// "NAME: 3 times, 1.000 ms"; "at least" stands before a number that has come
/// to its end.
std::string describeLoss(const Loss &loss);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_LOSSTEXT_H
