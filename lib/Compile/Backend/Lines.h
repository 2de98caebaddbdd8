//===- Lines.h - Identities as debug lines ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_BACKEND_LINES_H
#define MLIR_PROF_LIB_COMPILE_BACKEND_LINES_H

#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::compile {

/// Replaces every location of `module`, of the LLVM dialect, by a debug line:
/// the op's identity + 1, or 0 if it does not have one. A function's own
/// identity becomes the line of its prologue. `kind` says what LLVM writes of
/// them.
llvm::LogicalResult addDebugLines(mlir::ModuleOp module,
                                  mlir::LLVM::DIEmissionKind kind);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_BACKEND_LINES_H
