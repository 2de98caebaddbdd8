//===- WhyEmpty.h - Why a report has no rows --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_WHYEMPTY_H
#define MLIR_PROF_REPORT_WHYEMPTY_H

#include "mlir-prof/Report/Report.h"

namespace mlirprof::report {

/// Why `report`, which buildReport made of `input` by `kind`, shows no rows,
/// and what to do: one sentence or two. Empty where it shows some.
std::string explainEmpty(const ReportInput &input, const ReportKind &kind,
                         const Report &report, RowSelection selection);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_WHYEMPTY_H
