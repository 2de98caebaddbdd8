//===- Writers.h - Declares all report formats ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_WRITERS_WRITERS_H
#define MLIR_PROF_LIB_REPORT_WRITERS_WRITERS_H

#include "mlir-prof/Report/Writer.h"

namespace mlirprof::report::writer {

#define MLIRPROF_WRITER(NAME) ReportWriter NAME();
#include "Writers.def"

} // namespace mlirprof::report::writer

#endif // MLIR_PROF_LIB_REPORT_WRITERS_WRITERS_H
