//===- AsyncOperand.h - Operands copied while others are used ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GPU_ASYNCOPERAND_H
#define MLIR_PROF_LIB_CODEGEN_GPU_ASYNCOPERAND_H

#include "ProductTile.h"

namespace mlirprof::codegen {

/// Tiles of an operand of a product in shared memory, to which groups of 16
/// bytes are copied asynchronously from global memory.
///
/// A tile is in blocks of rows of at most 128 bytes: a row has steps of the
/// depth of one line, or lines of one step, as they are in global memory. The
/// groups of a row are permuted by its number, so that those with the same
/// number in eight rows next to each other are in different banks; this is the
/// order in which wgmma expects a tile.
class AsyncOperand {
public:
  /// Elements of 16 bits in a group.
  static constexpr int64_t kGroup = 8;

  /// Whether groups of `operand` are copied as they are in memory: it is an
  /// argument of the kernel, contiguous along one of its lines, or along the
  /// depth.
  static bool fits(const GpuProduct &product, mlir::OpOperand *operand);

  /// `size` lines, of the loops `loops`, in tiles of `lines`.
  AsyncOperand(GpuKernel &kernel, const GpuProduct &product,
               mlir::OpOperand *operand, llvm::ArrayRef<unsigned> loops,
               int64_t size, int64_t lines);

  bool isDepthInner() const { return isAlongDepth; }
  mlir::Value getMemory() const { return memory; }
  /// Bytes of a row, of a block and of a tile.
  int64_t getRowBytes() const { return 2 * inner; }
  int64_t getBlockBytes() const { return rows * getRowBytes(); }
  int64_t getTileBytes() const { return blocks * getBlockBytes(); }
  /// The indices of an element of a tile.
  llvm::SmallVector<mlir::Value> index(mlir::Value stage, mlir::Value line,
                                       mlir::Value step) const;

  /// Starts the copies of `thread` to the tile `stage` of what begins at the
  /// line `begin` and the step `step`; zeros behind the ends of the operand.
  void copy(mlir::Value thread, llvm::ArrayRef<mlir::Value> batch,
            mlir::Value begin, mlir::Value step, mlir::Value stage) const;

private:
  mlir::Value getSourceElements(mlir::Value line, mlir::Value step) const;
  llvm::SmallVector<mlir::Value> getSource(llvm::ArrayRef<mlir::Value> batch,
                                           mlir::Value line,
                                           mlir::Value step) const;

  GpuKernel &kernel;
  const GpuProduct &product;
  mlir::OpOperand *operand;
  llvm::ArrayRef<unsigned> loops;
  int64_t size, lines, depth;
  bool isAlongDepth;
  /// Elements of a row, rows of a block, and blocks.
  int64_t inner, rows, blocks;
  mlir::Value memory;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GPU_ASYNCOPERAND_H
