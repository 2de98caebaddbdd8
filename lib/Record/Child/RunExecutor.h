//===- RunExecutor.h - The executor of a model's code -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNEXECUTOR_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNEXECUTOR_H

#include "RunLoader.h"
#include "mlir-prof/Record/Runner.h"

namespace mlirprof::record {

/// The functions of the executor that the code calls.
std::vector<std::pair<std::string, void *>> getExecutorFunctions();

/// Gives the code of `loaded` an executor of `threads` threads, if it has
/// programs for one. Created threads call `started` first.
llvm::Error startExecutor(LoadedModel &loaded, unsigned threads,
                          void (*started)());

/// How an executor tells the dispatch that a thread runs; null if this build
/// does not have an executor.
CurrentInstance getExecutorInstance();

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNEXECUTOR_H
