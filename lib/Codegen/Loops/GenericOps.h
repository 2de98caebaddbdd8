//===- GenericOps.h - Creating structured ops from others -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_LOOPS_GENERICOPS_H
#define MLIR_PROF_LIB_CODEGEN_LOOPS_GENERICOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlirprof::codegen {

/// A linalg.generic with the results and the body of `op`. The body is moved,
/// so `op` must then be replaced.
mlir::linalg::GenericOp
takeBody(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
         mlir::ValueRange inputs, mlir::ValueRange inits,
         llvm::ArrayRef<mlir::AffineMap> maps,
         llvm::ArrayRef<mlir::utils::IteratorType> iterators);

/// The same for an op that stays as it is but for its inputs; this does not
/// carry out any choice.
mlir::linalg::GenericOp takeBody(mlir::RewriterBase &rewriter,
                                 mlir::linalg::GenericOp op,
                                 mlir::ValueRange inputs,
                                 llvm::ArrayRef<mlir::AffineMap> maps);

/// Erases the ops of `body` whose results nothing uses: passes assume that an
/// op with indices in its body needs them.
void eraseUnused(mlir::RewriterBase &rewriter, mlir::Block &body);

/// A tensor of `shape` with the elements of the tensor `source` at the
/// positions that `map` gives for each index.
mlir::Value createCopy(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::Value source, llvm::ArrayRef<int64_t> shape,
                       mlir::AffineMap map);

/// The op that broadcast a smaller tensor, its only input, to `tensor`; null if
/// there is none.
mlir::linalg::LinalgOp getSpread(mlir::Value tensor);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_GENERICOPS_H
