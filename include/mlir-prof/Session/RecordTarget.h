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

/// How to compile a model for a target without a heap, and to run it there.
struct TargetRequest {
  compile::CompileOptions compile;
  /// The arguments; random ones if none are given.
  std::vector<record::InputSpec> inputs;
  /// Measured calls of the model, all with the same arguments, and calls before
  /// these. In QEMU, all are counted.
  uint64_t calls = 1, warmUp = 0;
  /// The most time that they may take; 0 for any.
  double seconds = 0;
  NoteHandler onNote;

  /// For recordOnTarget(). The command, in which "{image}" is the path of the
  /// program; without that, the path follows it.
  std::string command;
  /// A folder for a package of the model with probes, whose functions begin
  /// with CompileOptions::placedSymbol; the command then builds and runs a
  /// program of the user's. Empty for a program that the tool makes.
  std::string package;
  /// Names of a counter and a console (mlir-prof/Deploy/Image.h); empty for the
  /// usual ones.
  std::string counter, console;
  /// The unit of a tick, a plural, in place of the counter's own.
  std::string unit;
};

/// Compiles the module `path`, runs it in QEMU, and returns the instructions
/// that it executed, at all levels: a profile that counts instead of timing.
llvm::Expected<profile::Profile> recordInEmulator(llvm::StringRef path,
                                                  TargetRequest request);

/// Compiles the module `path` with probes (compile.instrument), runs it by the
/// command of `request`, and returns what the probes measured, at the levels
/// down to loops: times if the counter is a clock of a known rate, else counts.
llvm::Expected<profile::Profile> recordOnTarget(llvm::StringRef path,
                                                TargetRequest request);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_RECORDTARGET_H
