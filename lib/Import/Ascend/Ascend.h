//===- Ascend.h - Further facts in Ascend's files ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_ASCEND_ASCEND_H
#define MLIR_PROF_LIB_IMPORT_ASCEND_ASCEND_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace mlirprof::importer::ascend {

/// Adds the content of step_trace_time.csv, times in microseconds, as facts of
/// `run`. `where` names it in errors, as below.
llvm::Error addSteps(llvm::StringRef text, llvm::StringRef where,
                     profile::Run &run);

/// Adds the collective and point-to-point operations in communication.json as
/// facts of `run`: the number of each kind, and how long they took and waited.
llvm::Error addCommunication(llvm::StringRef text, llvm::StringRef where,
                             profile::Run &run);

} // namespace mlirprof::importer::ascend

#endif // MLIR_PROF_LIB_IMPORT_ASCEND_ASCEND_H
