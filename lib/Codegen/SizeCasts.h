//===- SizeCasts.h - Casts between known and unknown sizes ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_SIZECASTS_H
#define MLIR_PROF_LIB_CODEGEN_SIZECASTS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlirprof::codegen {

/// `value` as `type`, which differs from its own type at most in which sizes
/// are static.
inline mlir::Value castSizes(mlir::OpBuilder &builder, mlir::Location location,
                             mlir::Type type, mlir::Value value) {
  if (value.getType() == type)
    return value;
  if (llvm::isa<mlir::BaseMemRefType>(type))
    return mlir::memref::CastOp::create(builder, location, type, value);
  return mlir::tensor::CastOp::create(builder, location, type, value);
}

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_SIZECASTS_H
