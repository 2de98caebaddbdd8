//===- RunProcess.h - A process for a model ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_RECORD_RUNPROCESS_H
#define MLIRPROF_LIB_RECORD_RUNPROCESS_H

#include "RunLoader.h"
#include "RunShared.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <sys/types.h>

namespace mlirprof {

/// A child as its parent sees it.
struct ChildProcess {
  pid_t pid;
  /// The parent's end of a socket to it.
  int control;
};

/// Forks. In the child `run` gets its end of the socket and the parent's
/// number, and must not return.
llvm::Expected<ChildProcess>
startProcess(llvm::function_ref<void(int control, pid_t parent)> run);

/// Sends a byte; whether the other end is still there to get it.
bool sendWord(int socket, char word);

/// "killed by SIGSEGV", "exited with code 3": a status of waitpid, for people.
std::string describeStatus(int status);

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

/// First of all: no life without the parent, no core dumps, and nothing on the
/// tool's standard output.
void detachProcess(pid_t parent);

/// Lets this process add so many bytes of address space from now on; 0: no
/// limit.
void limitMemory(uint64_t bytes);

/// Loads `model` to run with `threads` threads and with its memory in the pool,
/// whose size follows from the limit `memory` (0: from what is free). When the
/// model gives up later, `run` has a message that says why.
llvm::Expected<LoadedModel> prepareModel(const CompiledModel &model,
                                         unsigned threads, uint64_t memory,
                                         SharedRun &run);

} // namespace mlirprof

#endif // MLIRPROF_LIB_RECORD_RUNPROCESS_H
