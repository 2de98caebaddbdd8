//===- AllocationSizes.h - Assertions about allocations ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_CHECKS_ALLOCATIONSIZES_H
#define MLIR_PROF_LIB_CODEGEN_CHECKS_ALLOCATIONSIZES_H

#include "Sizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Allocator.h"

namespace mlirprof::codegen {

/// Asserts that new tensors and buffers have sizes that are not negative, and
/// fit into memory: a product that overflows would be a buffer that is too
/// small.
class AllocationChecker {
public:
  /// `finder` must live as long as the checker. Arguments of `function` fit.
  AllocationChecker(mlir::func::FuncOp function, SizeFinder &finder);

  /// Takes into account that `assertion` bounds a size.
  void assume(mlir::cf::AssertOp assertion);

  /// Adds what must hold before `op`; nothing if it does not allocate.
  void check(mlir::Operation *op);

private:
  void assertProduct(mlir::Operation *op, llvm::ArrayRef<Size> factors,
                     int64_t most);
  bool isKnownToFit(llvm::ArrayRef<Size> factors, int64_t bytes) const;
  void noteFits(llvm::ArrayRef<Size> factors, int64_t bytes);

  SizeFinder &finder;
  mlir::OpBuilder builder;
  /// By the dynamic sizes of tensors that fit into memory, in order: the bytes
  /// of one number of each, at most.
  llvm::DenseMap<llvm::ArrayRef<Size>, int64_t> fitting;
  /// Holds the keys of `fitting`.
  llvm::BumpPtrAllocator keys;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CHECKS_ALLOCATIONSIZES_H
