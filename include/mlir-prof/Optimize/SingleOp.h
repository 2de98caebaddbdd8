//===- SingleOp.h - A model with a single op --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_SINGLEOP_H
#define MLIR_PROF_OPTIMIZE_SINGLEOP_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlirprof::optimize {

/// Makes a module whose only function, @main, computes `op`. Operands become
/// arguments, except for constants and the values that fill the tensors that it
/// writes to, which are computed in the function. The choices of the op are
/// removed. Null if this is not possible: for results or operands with dynamic
/// shapes or with types that arguments cannot have, and for regions that use
/// values from outside.
mlir::OwningOpRef<mlir::ModuleOp> isolateOp(mlir::Operation *op);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_SINGLEOP_H
