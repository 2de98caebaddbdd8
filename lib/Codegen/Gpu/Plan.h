//===- Plan.h - How a GPU computes a kernel ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GPU_PLAN_H
#define MLIR_PROF_LIB_CODEGEN_GPU_PLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

namespace mlirprof::codegen {

/// The work of a workgroup.
enum class GpuStrategy {
  /// Each thread computes some consecutive elements of the results.
  Elements,
  /// Several threads share the sum, or the like, of each element.
  Reduction,
  /// Several threads compute a row, in which all ops of the kernel are.
  Rows,
  /// A tile of a matrix product, whose operands pass through shared memory.
  Product,
  /// The same by tensor cores, which multiply tiles of warps.
  TensorCore,
  /// The same by tensor cores, which multiply tiles of four warps (sm_90a).
  Warpgroup,
};

struct GpuPlan {
  GpuStrategy strategy = GpuStrategy::Elements;
  /// Threads of a workgroup.
  int64_t threads = 256;
  /// Consecutive elements of a thread.
  int64_t width = 1;
  /// Threads that share a reduction.
  int64_t lanes = 1;
  /// Rows, columns and depth of the tile of a product.
  int64_t rows = 0, columns = 0, depth = 0;
  /// Tiles of a product in shared memory, which are copied asynchronously; 0 if
  /// threads load and store them.
  int64_t stages = 0;
};

/// Where a kernel writes a result: elements of `tensor` go to `buffer`, each
/// index increased by that of `offsets` if there are any.
struct GpuOutput {
  mlir::Value tensor, buffer;
  llvm::SmallVector<mlir::OpFoldResult> offsets;
  /// The dimension of `tensor` that each dimension of `buffer` is; null without
  /// offsets, and -1 for one that `tensor` lacks.
  llvm::SmallVector<int64_t> dimensions;

  llvm::ArrayRef<int64_t> getShape() const;
};

/// Whether `function` is a kernel on tensors.
bool isTensorKernel(mlir::func::FuncOp function);

/// The results of a kernel on tensors.
llvm::SmallVector<GpuOutput> findOutputs(mlir::func::FuncOp kernel);

/// The only op of `kernel` with reduction loops, whose result is that of the
/// kernel, or reaches it through ops on single elements; null if there is none.
mlir::linalg::LinalgOp findRoot(mlir::func::FuncOp kernel,
                                llvm::ArrayRef<GpuOutput> outputs);

/// The indices of the output of `kernel` for an element of the result of its
/// root.
llvm::SmallVector<mlir::Value>
getOutputIndices(mlir::linalg::LinalgOp root,
                 llvm::ArrayRef<mlir::Value> indices);

/// `hasWarpgroups` is whether the GPU has products of warpgroups.
GpuPlan planKernel(mlir::func::FuncOp kernel, bool hasWarpgroups);

/// The plan as an attribute, on the function until its code is made.
inline constexpr llvm::StringLiteral kGpuPlan = "mlirprof.gpu";
mlir::DictionaryAttr toAttribute(const GpuPlan &plan,
                                 mlir::MLIRContext *context);
/// None if `attribute` does not describe a plan.
std::optional<GpuPlan> toPlan(mlir::DictionaryAttr attribute);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GPU_PLAN_H
