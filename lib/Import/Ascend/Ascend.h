//===- Ascend.h - Files that say what ops did not ---------------*- C++ -*-===//
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

/// Adds what step_trace_time.csv says, times in microseconds, as facts of
/// `run`. `where` names it in errors, as below.
llvm::Error addSteps(llvm::StringRef text, llvm::StringRef where,
                     profile::Run &run);

/// Adds what communication.json says of collective and point-to-point
/// operations as facts of `run`: how many of a kind, and how long these took
/// and waited.
llvm::Error addCommunication(llvm::StringRef text, llvm::StringRef where,
                             profile::Run &run);

} // namespace mlirprof::importer::ascend

#endif // MLIR_PROF_LIB_IMPORT_ASCEND_ASCEND_H
