//===- State.h - The state of a model in its object -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_BACKEND_STATE_H
#define MLIR_PROF_LIB_COMPILE_BACKEND_STATE_H

#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::compile {

/// Sets CompiledModel::resetSymbol and stateBytes from `module`, which is in
/// the LLVM dialect.
void findState(mlir::ModuleOp module, CompiledModel &model);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_BACKEND_STATE_H
