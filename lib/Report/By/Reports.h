//===- Reports.h - Declares all reports -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_BY_REPORTS_H
#define MLIR_PROF_LIB_REPORT_BY_REPORTS_H

#include "mlir-prof/Report/Report.h"

namespace mlirprof::report {

#define MLIRPROF_REPORT(NAME) ReportKind NAME();
#include "Reports.def"

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_BY_REPORTS_H
