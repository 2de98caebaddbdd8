//===- RunProcess.h - The process of a model --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNPROCESS_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNPROCESS_H

#include "RunLoader.h"
#include "RunShared.h"
#include "mlir-prof/Support/Process.h"

namespace mlirprof::record {

/// Starts the process of a model, in its own process group (see
/// Process::start).
llvm::Expected<Process>
startModelProcess(llvm::function_ref<void(int control)> run);

/// Sends a byte; whether the other end is still open.
bool sendWord(int socket, char word);

/// "killed by SIGSEGV (stack overflow)", "exited with code 3": a status with
/// the child's message, for users.
std::string describeStatus(const ExitStatus &status, const SharedRun &run);

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

/// Must come first: disables core dumps, redirects standard output away from
/// the tool's, and makes processes that the model may fork end with the parent.
void detachProcess();

/// Whether this is a copy that the model has forked: its work is not measured,
/// and must not be reported to the parent.
bool isForkedCopy();

/// Ends a copy that returns from the model. It would otherwise continue the
/// original's iterations.
void endForkedCopy();

/// Limits the address space that this process may add from now on to `bytes`; 0
/// for no limit.
void limitMemory(uint64_t bytes);

/// Loads `model` to run with `threads` threads and with its memory in the pool,
/// whose size follows from the limit `memory` (0: from the free memory). If the
/// model gives up later, `run` has a message with the reason.
/// `bindings` are more functions and variables that it refers to, and come
/// before the others.
llvm::Expected<LoadedModel>
prepareModel(const compile::CompiledModel &model, unsigned threads,
             uint64_t memory, SharedRun &run,
             std::vector<std::pair<std::string, void *>> bindings = {});

/// Loads more code into the process of a model: `code` has an object, its entry
/// and whether it uses OpenMP.
llvm::Expected<LoadedModel> loadCode(const compile::CompiledModel &code);

/// Runs the model once; see CompiledModel::object for `arguments`. A failure of
/// its executor ends this process.
void callModel(const LoadedModel &model, void **arguments);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNPROCESS_H
