//===- Body.h - The body of a structured op on vectors ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_BODY_H
#define MLIR_PROF_LIB_CODEGEN_NEST_BODY_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::codegen {

/// `value`, a scalar, in all lanes; a vector as it is.
mlir::Value toVector(mlir::OpBuilder &builder, mlir::Location location,
                     mlir::Value value, int64_t lanes);

/// Clones the body of `block`, arithmetic on scalars, with its arguments bound
/// to `arguments`, each a scalar or a vector of `lanes`. What depends on no
/// vector stays scalar. `getIndex` gives the index of an iteration dimension.
/// `mask`, null when all lanes count, says which ones may trap. Returns what
/// the terminator yields.
mlir::SmallVector<mlir::Value>
cloneBody(mlir::OpBuilder &builder, mlir::Block &block,
          mlir::ArrayRef<mlir::Value> arguments, int64_t lanes,
          mlir::Value mask, llvm::function_ref<mlir::Value(unsigned)> getIndex);

/// Clones `op`, elementwise, with other operands.
mlir::Operation *cloneElementwise(mlir::OpBuilder &builder, mlir::Operation *op,
                                  mlir::ValueRange operands, int64_t lanes);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_BODY_H
