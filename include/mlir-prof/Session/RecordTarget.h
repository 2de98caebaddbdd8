//===- RecordTarget.h - Recording a model on another machine ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_RECORDTARGET_H
#define MLIR_PROF_SESSION_RECORDTARGET_H

#include "mlir-prof/Session/Record.h"

namespace mlirprof {

/// How to compile a model for a target without a heap, and to run it in QEMU.
struct TargetRequest {
  compile::CompileOptions compile;
  /// The arguments; random ones if none are given.
  std::vector<record::InputSpec> inputs;
  /// Calls of the model, all with the same arguments.
  uint64_t calls = 1;
  /// The most time that they may take; 0 for any.
  unsigned seconds = 0;
  NoteHandler onNote;
};

/// Compiles the module `path`, runs it in QEMU, and returns the instructions
/// that it executed, at all levels: a profile that counts instead of timing.
llvm::Expected<profile::Profile> recordInEmulator(llvm::StringRef path,
                                                  TargetRequest request);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_RECORDTARGET_H
