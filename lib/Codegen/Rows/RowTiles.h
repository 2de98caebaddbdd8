//===- RowTiles.h - Ops that are computed row by row ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax, a normalization, or an attention is a chain of ops that share
// parallel dimensions, its rows: what an op computes for a row, it computes
// from the same row of other ops' results, and from tensors around the chain.
// So all ops can be computed for a few rows, then for the next ones, and what
// they pass on stays in the cache.
//
// The loops over rows are parallel loops of one op, the anchor. From there each
// op and reshape of the chain is told which of its dimensions these loops
// number.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_ROWS_ROWTILES_H
#define MLIR_PROF_LIB_CODEGEN_ROWS_ROWTILES_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlirprof::codegen {

/// The loops over rows, outermost first, that together number the positions
/// along a dimension. Empty: the dimension is whole in each row.
using RowDims = llvm::SmallVector<unsigned, 2>;

/// How a chain of ops is computed row by row.
struct RowTiles {
  /// Structured ops and reshapes in their order. Only the last one's result is
  /// used elsewhere.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The sizes of the loops over rows, outermost first.
  llvm::SmallVector<int64_t> sizes;
  /// For each structured op, by its loops.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<RowDims>> loops;
  /// For each result, by its dimensions.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<RowDims>> values;
};

/// How `ops`, in their order, are computed row by row: two products with the
/// ops between them, of which the second reads what comes from the first; or
/// reductions and pointwise ops. None if they cannot be, or if a size is not
/// known.
std::optional<RowTiles> findRowTiles(llvm::ArrayRef<mlir::Operation *> ops);

/// The rows of the last loop that are computed at a time: a static rule, by the
/// sizes of the caches. 0 if the chain is small enough as it is.
int64_t chooseRows(const RowTiles &tiles, const TargetModel &target);

/// The ops that are computed row by row together with `end`, a product and its
/// epilogues: another product, and what stands between them (an attention),
/// earlier ones first. Empty if there are none.
llvm::SmallVector<mlir::Operation *>
findAttention(llvm::ArrayRef<mlir::Operation *> end);

/// Computes the body of `kernel` by loops over rows if that pays.
void tileRows(mlir::func::FuncOp kernel, const TargetModel &target);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_ROWS_ROWTILES_H
