//===- WhyEmpty.h - Explaining an empty report ------------------*- C++ -*-===//
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

/// The reason why the report `kind` of `profile` cannot have rows, a sentence
/// or two about the data that it lacks; empty if no such reason is known.
llvm::StringRef findMissing(const profile::Profile &profile,
                            const ReportKind &kind);

/// Explains why `report`, which buildReport built from `input` by `kind`, does
/// not have rows, and what to do, in one or two sentences. Empty if it has
/// rows.
std::string explainEmpty(const ReportInput &input, const ReportKind &kind,
                         const Report &report, RowSelection selection);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_WHYEMPTY_H
