//===- SerialLoops.h - OpenMP on one thread ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_LIBRARY_SERIALLOOPS_H
#define MLIR_PROF_LIB_COMPILE_LIBRARY_SERIALLOOPS_H

#include "mlir-prof/Codegen/Target.h"
#include "llvm/Support/Error.h"

namespace mlirprof::compile {

/// An object that defines what parallel regions, loops, reductions and critical
/// sections call of OpenMP's runtime, for teams of one thread: a machine that
/// loads a compiled model may not have that runtime, and a call that fails
/// cannot be left by a jump while other threads wait for it.
llvm::Expected<std::string> emitSerialLoops(const codegen::TargetModel &target);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_LIBRARY_SERIALLOOPS_H
