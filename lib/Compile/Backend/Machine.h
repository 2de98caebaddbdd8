//===- Machine.h - LLVM's model of a target ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_BACKEND_MACHINE_H
#define MLIR_PROF_LIB_COMPILE_BACKEND_MACHINE_H

#include "mlir-prof/Compile/Backend.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlirprof::compile {

/// The machine of `options`. It lives until the calling thread asks for another
/// one: setting up its tables takes as long as compiling a small kernel.
llvm::Expected<llvm::TargetMachine *>
getTargetMachine(const BackendOptions &options);

/// Makes LLVM know the machines that are not this one, which takes some
/// milliseconds once.
void registerAllTargets();

/// Leaks the calling thread's machine, in which LLVM has crashed.
void abandonTargetMachine();

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_BACKEND_MACHINE_H
