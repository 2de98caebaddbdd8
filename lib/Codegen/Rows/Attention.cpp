//===- Attention.cpp - Two products with ops on rows between them ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Nest/Plan.h"
#include "RowTiles.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Limit on the ops between the products.
static constexpr unsigned kMostOps = 24;

static bool isSumOfProducts(Operation *op) {
  auto structured = dyn_cast<LinalgOp>(op);
  return structured && isProduct(structured);
}

/// Whether `op` may stand between the products: only they and others between
/// them use its result.
static bool canBeBetween(Operation *op, const DenseSet<Operation *> &known) {
  if (op->getNumResults() != 1 || op->use_empty() ||
      !isa<LinalgOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return false;
  return llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return known.contains(user); });
}

/// The ops before the last of `end` that can stand between the products, later
/// ones first, and the first products. Epilogues of the last product read some,
/// too.
static SmallVector<Operation *> collect(ArrayRef<Operation *> end) {
  DenseSet<Operation *> known(end.begin(), end.end());
  SmallVector<Operation *> ops;
  constexpr unsigned mostSteps = 256;
  unsigned steps = 0;
  for (Operation *op = end.back()->getPrevNode(); op && ++steps < mostSteps;
       op = op->getPrevNode()) {
    if (llvm::is_contained(end, op) || !canBeBetween(op, known))
      continue;
    ops.push_back(op);
    // Operands of the first product are computed elsewhere.
    if (!isSumOfProducts(op))
      known.insert(op);
    if (ops.size() > 2 * kMostOps)
      break;
  }
  return ops;
}

/// Whether `product` reads weights. Blocks of rows would read them again.
static bool readsWeights(Operation *product) {
  return llvm::any_of(product->getOperands(), [](Value operand) {
    Operation *op = operand.getDefiningOp();
    while (op && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                     tensor::ExtractSliceOp>(op))
      op = op->getOperand(0).getDefiningOp();
    return op && op->hasTrait<OpTrait::ConstantLike>();
  });
}

SmallVector<Operation *> codegen::findAttention(ArrayRef<Operation *> end) {
  auto product = cast<LinalgOp>(end.front());
  if (!isProduct(product) || product.hasDynamicShape() || readsWeights(product))
    return {};
  SmallVector<Operation *> ops = collect(end);
  auto *first = llvm::find_if(ops, isSumOfProducts);
  if (first == ops.end() || llvm::count_if(ops, isSumOfProducts) != 1 ||
      readsWeights(*first))
    return {};
  // Without ops that do not depend on the first product, such as masks.
  llvm::SetVector<Operation *> chain;
  bool hasReduction = false;
  for (Operation *op : llvm::reverse(ops)) {
    bool isFirst = op == *first;
    if (!isFirst && llvm::none_of(op->getOperands(), [&](Value operand) {
          return chain.contains(operand.getDefiningOp());
        }))
      continue;
    chain.insert(op);
    auto structured = dyn_cast<LinalgOp>(op);
    hasReduction |=
        !isFirst && structured && structured.getNumReductionLoops() != 0;
  }
  if (!hasReduction || chain.size() > kMostOps)
    return {};
  SmallVector<Operation *> all(chain.begin(), chain.end());
  llvm::append_range(all, end);
  llvm::sort(all, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  if (!findRowTiles(all))
    return {};
  return chain.takeVector();
}
