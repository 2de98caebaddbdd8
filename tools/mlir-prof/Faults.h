//===- Faults.h - What ends the tool from outside ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_FAULTS_H
#define MLIR_PROF_TOOLS_MLIR_PROF_FAULTS_H

namespace mlirprof {

/// Makes an error of each limit of the system, where LLVM takes them for
/// crashes of its own: a file that grows too large and a pipe without a reader
/// are errors of the write; SIGQUIT and the end of the processor time, of
/// memory and of threads are a message and exit code 1.
/// Call it after llvm::InitLLVM, whose handlers it replaces.
void installFaultHandlers();

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_FAULTS_H
