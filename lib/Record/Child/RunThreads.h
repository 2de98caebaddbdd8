//===- RunThreads.h - A model's threads between its runs --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNTHREADS_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNTHREADS_H

#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::record {

/// Threads of OpenMP spin for a while, looking for work, before they sleep:
/// good between the ops of a model, bad while it rests and another one is
/// measured. Used in the process of a loaded model.
class RunThreads {
public:
  /// Does nothing for a model without OpenMP, or with more threads than this
  /// process has processors for, for which the runtime lets them sleep anyway.
  RunThreads(const compile::CompiledModel &model, unsigned threads);

  /// Wakes all threads, which then stay awake between parallel regions.
  void wake();
  /// Lets all threads sleep.
  void rest();

private:
  void visitAll();

  /// Functions of OpenMP's runtime; null if threads need not be controlled.
  void (*setBlockTime)(int milliseconds) = nullptr;
  void (*runParallel)(void (*body)(void *), void *data, unsigned threads,
                      unsigned flags) = nullptr;
  unsigned threads;
  int blockTime = 0;
};

/// Fails if this process may not start `count` more threads at once.
llvm::Error checkThreads(unsigned count);

/// Gives the calling thread, which must live as long as the process, a stack
/// for signal handlers, unless it has one.
void addSignalStack();

/// Gives each of `threads` threads of OpenMP a stack for signal handlers, in
/// case its own overflows. The calling thread, one of them, keeps its own.
void giveSignalStacks(const compile::CompiledModel &model, unsigned threads);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNTHREADS_H
