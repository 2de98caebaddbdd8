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

/// The tiles of an image whose last dimension holds its channels.
struct WinogradShape {
  int64_t batch, tilesDown, tilesAcross;
  int64_t channels;
  /// Lanes of a vector register.
  int64_t mostLanes;

  int64_t getTiles() const { return batch * tilesDown * tilesAcross; }
};

/// Computes what is stored at `indices` of the result, and the channels that
/// follow, from a vector of the transform.
using FinishVector = llvm::function_ref<mlir::Value(
    mlir::Value value, llvm::ArrayRef<mlir::OpFoldResult> indices)>;

/// `matrix` times `values`, vectors of one type. If two rows differ only in
/// signs, they share sums.
mlir::SmallVector<mlir::Value> emitProduct(mlir::OpBuilder &builder,
                                           mlir::Location location,
                                           const Matrix &matrix,
                                           mlir::ArrayRef<mlir::Value> values);

/// Transforms the image, batch x (m down + 2) x (m across + 2) x channels, to
/// `target`, products^2 x tiles x channels. Both are tensors, or both buffers;
/// loops on buffers are parallel. Returns the new tensor, or the buffer.
mlir::Value emitInputTransform(mlir::OpBuilder &builder,
                               mlir::Location location,
                               const CookToom &transform,
                               const WinogradShape &shape, mlir::Value image,
                               mlir::Value target);

/// Transforms products^2 x tiles x channels to `target` in the same way, batch
/// x height x width x channels. A buffer may be smaller than the tiles; a
/// tensor has m down x m across pixels. All of one vector of a tile is read,
/// also by `finish`, before any of it is written.
mlir::Value emitOutputTransform(mlir::OpBuilder &builder,
                                mlir::Location location,
                                const CookToom &transform,
                                const WinogradShape &shape,
                                mlir::Value products, mlir::Value target,
                                FinishVector finish);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_WINOGRAD_EMIT_H
