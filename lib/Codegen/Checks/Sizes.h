//===- Sizes.h - Sizes that are known to be the same ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_CHECKS_SIZES_H
#define MLIR_PROF_LIB_CODEGEN_CHECKS_SIZES_H

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <tuple>
#include <utility>

namespace mlirprof::codegen {

/// A dimension of a value, or the value itself as a number with dimension -1;
/// a constant does not have a value.
using Size = std::pair<mlir::Value, int64_t>;

/// The size of dimension `dim` of a tensor or buffer.
mlir::OpFoldResult getSize(mlir::OpBuilder &builder, mlir::Location location,
                           mlir::Value value, unsigned dim);

/// `size` as a value of type index.
mlir::Value getValue(mlir::OpBuilder &builder, mlir::Location location,
                     const Size &size);

/// A product of sizes, of type i64, and whether it is that without overflow, as
/// i1; null if it cannot overflow. Negative sizes are large ones.
struct Product {
  mlir::Value number, fits;
};

/// The product of at least one size.
Product multiply(mlir::OpBuilder &builder, mlir::Location location,
                 llvm::ArrayRef<Size> factors);

/// Finds sizes that are the same: the size of one tensor, or sizes that were
/// compared before. Ops must be visited in their order.
class SizeFinder {
public:
  /// `entry` is the first block of a function.
  explicit SizeFinder(mlir::Block &entry) : entry(entry) {}

  /// The size that stands for all that are known to be the same.
  Size find(Size size);
  Size find(mlir::Value value, unsigned dim) { return find(Size(value, dim)); }
  Size find(mlir::OpFoldResult number);

  /// Whether `a` and `b`, which `find` returned, are known to be the same at
  /// `op`.
  bool areSame(const Size &a, const Size &b, mlir::Operation *op) const;
  /// Takes into account that an assertion at `op` compares `a` and `b`, which
  /// `find` returned.
  void join(const Size &a, const Size &b, mlir::Operation *op);
  /// Takes into account what `assertion` compares.
  void assume(mlir::cf::AssertOp assertion);

  /// Whether what an assertion at `op` compares holds for all ops that are
  /// visited after it.
  bool isAlwaysReached(mlir::Operation *op) const {
    return op->getBlock() == &entry;
  }
  /// Sets the place of an assertion for `op` about `sizes`: where the function
  /// begins, if all are known there.
  void setPlace(mlir::OpBuilder &builder, mlir::Operation *op,
                llvm::ArrayRef<Size> sizes) const;

private:
  Size findRoot(Size size);
  bool isOfFunction(const Size &size) const;

  mlir::Block &entry;
  /// From a size to one that is the same.
  llvm::DenseMap<Size, Size> same;
  /// Sizes that an assertion in another block compares, for the ops that follow
  /// there.
  llvm::DenseSet<std::tuple<mlir::Block *, Size, Size>> compared;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CHECKS_SIZES_H
