//===- Faults.h - Faults from outside of the tool ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_FAULTS_H
#define MLIR_PROF_TOOLS_MLIR_PROF_FAULTS_H

namespace mlirprof {

/// Turns system limits into errors, which LLVM would treat as crashes: a file
/// that grows too large and a pipe without a reader are errors of the write;
/// SIGQUIT and exhausted processor time, memory or threads result in a message
/// and exit code 1. Call it after llvm::InitLLVM, whose handlers it replaces.
void installFaultHandlers();

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_FAULTS_H
