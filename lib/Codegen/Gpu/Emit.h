//===- Emit.h - Code of kernels for GPUs ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GPU_EMIT_H
#define MLIR_PROF_LIB_CODEGEN_GPU_EMIT_H

#include "Elements.h"
#include "Plan.h"

#include <array>

namespace mlirprof::codegen {

/// The memory space of a workgroup's memory, and its alignment in bytes.
inline constexpr int64_t kSharedMemory = 3;
inline constexpr int64_t kSharedAlignment = 16;

/// The grid of a kernel, x first.
using GpuGrid = std::array<int64_t, 3>;

/// A kernel whose code is made.
struct GpuKernel {
  mlir::func::FuncOp function;
  GpuPlan plan;
  llvm::SmallVector<GpuOutput> outputs;
  /// Before the function returns.
  mlir::OpBuilder builder;
  ElementBuilder elements;

  GpuKernel(mlir::func::FuncOp function, const GpuPlan &plan);

  /// The position of a thread in its workgroup, and of that in the grid of
  /// `size`, along x.
  mlir::Value getThread();
  mlir::Value getWorkgroup(int64_t size);
  /// Memory of the workgroup for elements of `type`.
  mlir::Value addShared(llvm::ArrayRef<int64_t> shape, mlir::Type type,
                        int64_t alignment = kSharedAlignment);
  /// Stores the element of `output` at `indices`.
  void store(const GpuOutput &output, llvm::ArrayRef<mlir::Value> indices,
             mlir::Value value);
};

/// The strategies: each makes the code at the builder of `kernel`, and returns
/// the grid. Failure after an error.
mlir::FailureOr<GpuGrid> emitElements(GpuKernel &kernel);
mlir::FailureOr<GpuGrid> emitReduction(GpuKernel &kernel);
mlir::FailureOr<GpuGrid> emitProduct(GpuKernel &kernel);
mlir::FailureOr<GpuGrid> emitPipelined(GpuKernel &kernel);
mlir::FailureOr<GpuGrid> emitRows(GpuKernel &kernel);

/// The rows that all ops of `kernel` share: the sizes of the loops over them,
/// and of the loop along them. None if they do not, or if nothing is reduced.
std::optional<llvm::SmallVector<int64_t>>
findRows(mlir::func::FuncOp kernel, llvm::ArrayRef<GpuOutput> outputs);

/// By result of `op`: the op that combines two parts of its reduction; none if
/// the body is not such an op.
std::optional<llvm::SmallVector<mlir::Operation *>>
getCombiners(mlir::linalg::LinalgOp op);

/// Combines parts of reductions, by copies of `combiners`.
ElementValues combineParts(mlir::OpBuilder &builder,
                           llvm::ArrayRef<mlir::Operation *> combiners,
                           llvm::ArrayRef<mlir::Value> a,
                           llvm::ArrayRef<mlir::Value> b);
/// The same for the parts, numbers of 32 bits, of `lanes` threads of a warp,
/// next to each other. All get the result.
ElementValues shuffleParts(mlir::OpBuilder &builder, mlir::Location location,
                           llvm::ArrayRef<mlir::Operation *> combiners,
                           ElementValues parts, int64_t lanes);

/// The size of the loop that lanes divide if the elements that a reduction
/// reads are contiguous along it; else 1.
int64_t getReductionSize(mlir::linalg::LinalgOp op);

/// A sum of products of elements of two operands, each of which lacks some of
/// the loops of the result. The loops of a group are in the order of memory.
struct GpuProduct {
  mlir::linalg::LinalgOp op;
  /// The operands with the rows and with the columns; the result is contiguous
  /// along columns if it can be.
  mlir::OpOperand *left = nullptr, *right = nullptr;
  llvm::SmallVector<unsigned> batch, row, column, depth;
  int64_t batchSize = 1, rowSize = 1, columnSize = 1, depthSize = 1;

  /// Ops are handles, of which the functions are not const.
  mlir::linalg::LinalgOp getOp() const { return op; }
};

/// Whether tensor cores multiply the operands of `product` without rounding
/// them, and add in the type of the result.
bool fitsTensorCores(const GpuProduct &product);

/// The same, and whether both operands are copied to shared memory as they are.
bool fitsAsyncCopies(const GpuProduct &product);

/// The tile of `product` and how it is computed.
void planProduct(const GpuProduct &product, bool hasWarpgroups, GpuPlan &plan);

/// `root` as a product; none if it is not one.
std::optional<GpuProduct> findProduct(mlir::linalg::LinalgOp root,
                                      const GpuOutput &output);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GPU_EMIT_H
