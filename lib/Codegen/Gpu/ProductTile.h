//===- ProductTile.h - The tile of a product of a workgroup -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GPU_PRODUCTTILE_H
#define MLIR_PROF_LIB_CODEGEN_GPU_PRODUCTTILE_H

#include "Emit.h"

namespace mlirprof::codegen {

/// Threads of a warp, and warps that share a product of shared memory.
inline constexpr int64_t kWarp = 32, kWarpgroup = 128;

/// Columns side by side in a row, from the first ones of the thread.
struct ProductPiece {
  int64_t row, column, count;
};

/// The places of the sums of tensor cores that a thread has of `rows` x
/// `columns`, in their order; `step` rows are one product.
llvm::SmallVector<ProductPiece> getMatrixPieces(int64_t rows, int64_t columns,
                                                int64_t step);

/// The common part of all ways to compute the tile of a product: where the
/// workgroup and the thread are, and how sums become results.
class ProductTile {
protected:
  ProductTile(GpuKernel &kernel, GpuProduct product)
      : kernel(kernel), builder(kernel.builder), product(std::move(product)),
        location(this->product.op.getLoc()), math(builder, location),
        sizes(this->product.op.getStaticLoopRanges()),
        depth(kernel.plan.depth) {}

  /// Sets the tile of the workgroup.
  void placeTile();
  /// The sizes of `loops`, and `indices` as the values of these.
  llvm::SmallVector<int64_t> getSizes(llvm::ArrayRef<unsigned> loops) const;
  static void setLoops(llvm::MutableArrayRef<mlir::Value> dims,
                       llvm::ArrayRef<unsigned> loops,
                       llvm::ArrayRef<mlir::Value> indices);
  /// Stores `sums`, those of `pieces` in order.
  llvm::LogicalResult store(llvm::ArrayRef<ProductPiece> pieces,
                            llvm::ArrayRef<mlir::Value> sums);
  GpuGrid getGrid() const;
  mlir::Type getSumType() const;

  GpuKernel &kernel;
  mlir::OpBuilder &builder;
  GpuProduct product;
  mlir::Location location;
  IndexBuilder math;
  llvm::SmallVector<int64_t> sizes;
  int64_t depth;
  /// The thread, and its first row and column in the tile.
  mlir::Value thread, row, column;
  /// The loops of the batch.
  llvm::SmallVector<mlir::Value> batch;
  /// The first row and column of the workgroup.
  mlir::Value firstRow, firstColumn;

private:
  llvm::LogicalResult storeColumns(const ProductPiece &piece,
                                   llvm::ArrayRef<mlir::Value> sums);
  mlir::FailureOr<mlir::Value> finish(mlir::Value sum,
                                      llvm::ArrayRef<mlir::Value> dims,
                                      llvm::SmallVector<mlir::Value> &places);
  mlir::Value getInside(mlir::Value line, mlir::Value begin, bool isWhole);
};

/// An operand of a product in shared memory, as tensor cores read it.
struct MatrixOperand {
  mlir::Value memory;
  /// Whether steps of the depth are next to each other, and not lines.
  bool isDepthInner = false;
  /// The indices of the element of a line and a step.
  std::function<llvm::SmallVector<mlir::Value>(mlir::Value line,
                                               mlir::Value step)>
      index;
};

/// Products of warps by tensor cores: each has a tile of kRows x kColumns.
class WarpProducts {
public:
  static constexpr int64_t kRows = 64, kColumns = 32, kDepth = 16;

  WarpProducts(mlir::OpBuilder &builder, mlir::Location location,
               mlir::Value thread, const GpuPlan &plan);

  /// Whether the threads of `plan` cover its tile.
  static bool fits(const GpuPlan &plan);
  /// The first row and column of the thread in the tile of the workgroup.
  std::pair<mlir::Value, mlir::Value> getPlace();
  /// Adds the products of `depth` steps to `sums`.
  llvm::SmallVector<mlir::Value> add(const MatrixOperand &left,
                                     const MatrixOperand &right, int64_t depth,
                                     llvm::SmallVector<mlir::Value> sums);

private:
  mlir::Value load(const MatrixOperand &operand, mlir::Value line, int64_t step,
                   bool isLeft);
  mlir::Value multiply(mlir::Value left, mlir::Value right,
                       llvm::MutableArrayRef<mlir::Value> sums);

  mlir::OpBuilder &builder;
  mlir::Location location;
  IndexBuilder math;
  mlir::Value lane, row, column;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GPU_PRODUCTTILE_H
