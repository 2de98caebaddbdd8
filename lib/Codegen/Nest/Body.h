//===- Body.h - The body of a structured op on vectors ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_BODY_H
#define MLIR_PROF_LIB_CODEGEN_NEST_BODY_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::codegen {

/// `value`, broadcast to all lanes if it is a scalar; vectors are returned
/// unchanged.
mlir::Value toVector(mlir::OpBuilder &builder, mlir::Location location,
                     mlir::Value value, int64_t lanes);

/// Clones the body of `block`, arithmetic on scalars, with its arguments bound
/// to `arguments`, each a scalar or a vector of `lanes`. Ops that do not depend
/// on a vector stay scalar. `getIndex` gives the index of an iteration
/// dimension. `mask` selects the valid lanes, the only ones that may trap; null
/// if all are valid. `extract` loads what an op extracts at given indices.
/// Returns the yielded values.
mlir::SmallVector<mlir::Value> cloneBody(
    mlir::OpBuilder &builder, mlir::Block &block,
    mlir::ArrayRef<mlir::Value> arguments, int64_t lanes, mlir::Value mask,
    llvm::function_ref<mlir::Value(unsigned)> getIndex,
    llvm::function_ref<mlir::Value(mlir::tensor::ExtractOp, mlir::ValueRange)>
        extract);

/// Clones `op`, an elementwise op, with other operands.
mlir::Operation *cloneElementwise(mlir::OpBuilder &builder, mlir::Operation *op,
                                  mlir::ValueRange operands, int64_t lanes);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_BODY_H
