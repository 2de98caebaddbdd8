//===- Rows.cpp - Ops that share their rows -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "Emit.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Whether `operand` is indexed by loops in their order, and by zeros where it
/// has one element.
static bool selectsLoops(LinalgOp op, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  int64_t last = -1;
  for (auto [index, expression] : llvm::enumerate(map.getResults())) {
    if (isa<AffineConstantExpr>(expression)) {
      if (!type || type.getDimSize(unsigned(index)) != 1)
        return false;
      continue;
    }
    auto dim = dyn_cast<AffineDimExpr>(expression);
    if (!dim || int64_t(dim.getPosition()) <= last)
      return false;
    last = dim.getPosition();
  }
  return true;
}

/// Whether `map` uses all loops of `op` but the one along the rows, which are
/// `rows` loops; loops of one iteration do not matter.
static bool isIndexedByRows(LinalgOp op, AffineMap map, size_t rows) {
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (size != 1 && map.isFunctionOfDim(unsigned(dim)) != (dim < rows))
      return false;
  return true;
}

bool codegen::isRowOp(LinalgOp op, ArrayRef<int64_t> sizes) {
  if (sizes.size() < 2 || !op.hasPureTensorSemantics() ||
      !llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
        return selectsLoops(op, operand);
      }))
    return false;
  SmallVector<int64_t> own = op.getStaticLoopRanges();
  unsigned reductions = op.getNumReductionLoops();
  // An op on the results of reductions has one loop less, or one iteration.
  bool isOfRows = reductions == 0 &&
                  (ArrayRef<int64_t>(own) == sizes.drop_back() ||
                   (own.size() == sizes.size() && own.back() == 1 &&
                    ArrayRef<int64_t>(own).drop_back() == sizes.drop_back()));
  if (!isOfRows && ArrayRef<int64_t>(own) != sizes)
    return false;
  if (reductions == 0)
    return true;
  auto isNumber = [](Type type) {
    Type element = cast<RankedTensorType>(type).getElementType();
    return element.isF32() || element.isInteger(32);
  };
  return reductions == 1 &&
         op.getIteratorTypesArray().back() == utils::IteratorType::reduction &&
         llvm::all_of(op->getResultTypes(), isNumber) &&
         getCombiners(op).has_value() &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return isIndexedByRows(op, op.getMatchingIndexingMap(&init),
                                  sizes.size() - 1);
         });
}

bool codegen::readsItsRow(LinalgOp op, OpOperand &use,
                          ArrayRef<int64_t> sizes) {
  return isIndexedByRows(op, op.getMatchingIndexingMap(&use), sizes.size() - 1);
}

std::optional<SmallVector<int64_t>>
codegen::findRows(func::FuncOp kernel, ArrayRef<GpuOutput> outputs) {
  SmallVector<LinalgOp> reductions, all;
  for (auto op : kernel.getOps<LinalgOp>()) {
    if (isa<linalg::FillOp>(op.getOperation()))
      continue;
    all.push_back(op);
    if (op.getNumReductionLoops() != 0)
      reductions.push_back(op);
  }
  if (reductions.empty() || all.size() < 2 || outputs.size() != 1 ||
      !outputs.front().dimensions.empty())
    return std::nullopt;
  SmallVector<int64_t> sizes = reductions.front().getStaticLoopRanges();
  for (LinalgOp op : all)
    if (!isRowOp(op, sizes))
      return std::nullopt;
  for (LinalgOp op : reductions)
    for (OpOperand &use : op->getUses()) {
      auto user = dyn_cast<LinalgOp>(use.getOwner());
      if (isa<bufferization::MaterializeInDestinationOp>(use.getOwner()))
        continue;
      if (!user || !readsItsRow(user, use, sizes))
        return std::nullopt;
    }
  auto last = outputs.front().tensor.getDefiningOp<LinalgOp>();
  return last ? std::optional(sizes) : std::nullopt;
}
