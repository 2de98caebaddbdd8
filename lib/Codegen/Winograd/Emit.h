//===- Emit.h - Loops of Winograd convolutions ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_WINOGRAD_EMIT_H
#define MLIR_PROF_LIB_CODEGEN_WINOGRAD_EMIT_H

#include "CookToom.h"
#include "mlir/IR/Builders.h"

namespace mlirprof::codegen {

/// A convolution with 3x3 taps and stride 1, of an image whose last dimension
/// holds the channels.
struct WinogradShape {
  int64_t batch, tilesDown, tilesAcross;
  int64_t channels, filters;
  /// Lanes of a vector register.
  int64_t mostLanes;

  int64_t getTiles() const { return batch * tilesDown * tilesAcross; }
};

/// `matrix` times `values`, vectors of one type. If two rows differ only in
/// signs, they share sums.
mlir::SmallVector<mlir::Value> emitProduct(mlir::OpBuilder &builder,
                                           mlir::Location location,
                                           const Matrix &matrix,
                                           mlir::ArrayRef<mlir::Value> values);

/// Transforms the image, batch x (m down + 2) x (m across + 2) x channels, to
/// products^2 x tiles x channels.
mlir::Value emitInputTransform(mlir::OpBuilder &builder,
                               mlir::Location location,
                               const CookToom &transform,
                               const WinogradShape &shape, mlir::Value image);

/// Transforms products^2 x tiles x filters to the result, batch x m down x m
/// across x filters.
mlir::Value emitOutputTransform(mlir::OpBuilder &builder,
                                mlir::Location location,
                                const CookToom &transform,
                                const WinogradShape &shape,
                                mlir::Value products);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_WINOGRAD_EMIT_H
