//===- SizeClasses.h - Kernels that differ in sizes -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel without its sizes is its structure: ops, attributes, choices, types,
// and the loops that the rules plan. The sizes are numbers in the order of a
// walk. Kernels of one structure have as many, and can have the same code.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_SIZECLASSES_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_SIZECLASSES_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace mlirprof::codegen {

/// The numbers of an op, or of the arguments of a block, that can differ.
struct OpNumbers {
  /// The sizes of its results, or of the arguments.
  llvm::SmallVector<int64_t> sizes;
  /// Offsets and sizes of a slice, as far as they are constant.
  llvm::SmallVector<int64_t> slice;
};
OpNumbers getNumbers(mlir::TypeRange types, mlir::Operation *op = nullptr);

/// Whether an argument can replace `op`, an integer of a kernel.
bool isExchangeable(mlir::Operation *op);

/// A structured op with sizes that may be those of other dispatches.
struct SizedLoops {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<int64_t> sizes;
  /// For each loop: sizes that leave the same rest by this number have the same
  /// code; 0 if only the same size has.
  llvm::SmallVector<int64_t> blocks;
};

struct KernelSizes {
  std::string structure;
  /// Those of the arguments, and of each op of the body.
  llvm::SmallVector<int64_t> numbers;
  std::vector<SizedLoops> loops;
  /// Where code does not depend on sizes: the integers of the kernel, which
  /// may differ too, in the order of the body.
  std::vector<mlir::IntegerAttr> constants;
  /// The iterations of all loops.
  uint64_t work = 0;
};

/// None if an op of `kernel` must know its sizes.
std::optional<KernelSizes> describeSizes(mlir::func::FuncOp kernel,
                                         const TargetModel &target);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_SIZECLASSES_H
