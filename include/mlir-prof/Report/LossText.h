//===- LossText.h - Descriptions of losses ----------------------*- C++ -*-===//
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

/// Whether a number in `loss` has saturated, so that it is only a lower bound.
bool isSaturated(const Loss &loss);

/// "NAME: 3 times, 1.000 ms"; saturated numbers are preceded by "at least".
std::string describeLoss(const Loss &loss);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_LOSSTEXT_H
