//===- Indices.h - Arithmetic of indices ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GPU_INDICES_H
#define MLIR_PROF_LIB_CODEGEN_GPU_INDICES_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

namespace mlirprof::codegen {

/// Makes arithmetic on indices, which are not negative, at the insertion point
/// of a builder. Constants are folded.
class IndexBuilder {
public:
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value divide(mlir::Value a, int64_t b);
  mlir::Value remainder(mlir::Value a, int64_t b);
  mlir::Value exclusiveOr(mlir::Value a, mlir::Value b);
  mlir::Value isBelow(mlir::Value a, int64_t b);
  /// Whether `inside`, if it is not null, and `index` is below `size`. Where
  /// tiles of `tile` cover `size` without a rest, every index is: then `inside`
  /// alone.
  mlir::Value isInside(mlir::Value inside, mlir::Value index, int64_t size,
                       int64_t tile);

  /// The value of `expression` where dimension i is `dims[i]`.
  mlir::Value evaluate(mlir::AffineExpr expression,
                       llvm::ArrayRef<mlir::Value> dims);
  llvm::SmallVector<mlir::Value> evaluate(mlir::AffineMap map,
                                          llvm::ArrayRef<mlir::Value> dims);

  /// The indices of element `number` of a dense array of `shape`, and the
  /// reverse.
  llvm::SmallVector<mlir::Value> split(mlir::Value number,
                                       llvm::ArrayRef<int64_t> shape);
  mlir::Value join(llvm::ArrayRef<mlir::Value> indices,
                   llvm::ArrayRef<int64_t> shape);

private:
  mlir::OpBuilder &builder;
  mlir::Location location;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GPU_INDICES_H
