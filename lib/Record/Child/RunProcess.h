//===- RunProcess.h - A process for a model ---------------------*- C++ -*-===//
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

/// Starts the process of a model, in a process group of its own (see
/// Process::start).
llvm::Expected<Process>
startModelProcess(llvm::function_ref<void(int control)> run);

/// Sends a byte; whether the other end is still there to get it.
bool sendWord(int socket, char word);

/// "killed by SIGSEGV (stack overflow)", "exited with code 3": a status with
/// what the child has told, for people.
std::string describeStatus(const ExitStatus &status, const SharedRun &run);

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

/// First of all: no core dumps, nothing on the tool's standard output, and no
/// life without the parent for what the model may fork.
void detachProcess();

/// Whether the model has forked, and this is the copy: what it does is not
/// measured, and is nothing that the parent should hear of.
bool isForkedCopy();

/// Ends a copy that has come back from the model. It would go on with the
/// iterations that are the original's.
void endForkedCopy();

/// Lets this process add so many bytes of address space from now on; 0: no
/// limit.
void limitMemory(uint64_t bytes);

/// Loads `model` to run with `threads` threads and with its memory in the pool,
/// whose size follows from the limit `memory` (0: from what is free). When the
/// model gives up later, `run` has a message that says why.
llvm::Expected<LoadedModel> prepareModel(const compile::CompiledModel &model,
                                         unsigned threads, uint64_t memory,
                                         SharedRun &run);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNPROCESS_H
