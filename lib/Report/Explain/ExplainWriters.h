//===- ExplainWriters.h - Output formats of explanations --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_EXPLAIN_EXPLAINWRITERS_H
#define MLIR_PROF_LIB_REPORT_EXPLAIN_EXPLAINWRITERS_H

#include "mlir-prof/Report/Explain.h"

namespace mlirprof::report {

void writeExplanationText(const ReportInput &input,
                          const Explanation &explanation,
                          llvm::raw_ostream &os);
void writeExplanationJson(const ReportInput &input,
                          const Explanation &explanation,
                          llvm::raw_ostream &os);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_EXPLAIN_EXPLAINWRITERS_H
