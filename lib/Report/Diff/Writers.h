//===- Writers.h - Declares all formats of diffs ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_DIFF_WRITERS_H
#define MLIR_PROF_LIB_REPORT_DIFF_WRITERS_H

#include "mlir-prof/Report/DiffReport.h"

namespace mlirprof::report::diffwriter {

#define MLIRPROF_DIFF_WRITER(NAME) DiffWriter NAME();
#include "Writers.def"

} // namespace mlirprof::report::diffwriter

#endif // MLIR_PROF_LIB_REPORT_DIFF_WRITERS_H
