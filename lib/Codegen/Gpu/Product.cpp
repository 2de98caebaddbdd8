//===- Product.cpp - Ops that are matrix products -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// `value` without conversions to a wider type.
static Value skipExtensions(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether the body of `op` adds a product of its two inputs to its output.
static bool isSumOfProducts(LinalgOp op) {
  Block &body = op->getRegion(0).front();
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  Value output = body.getArgument(2);
  Value term =
      sum->getOperand(0) == output ? sum->getOperand(1) : sum->getOperand(0);
  Operation *product = term.getDefiningOp();
  if (!llvm::is_contained(sum->getOperands(), output) ||
      !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return false;
  SmallVector<Value> factors =
      llvm::map_to_vector(product->getOperands(),
                          [](Value value) { return skipExtensions(value); });
  return llvm::is_contained(factors, Value(body.getArgument(0))) &&
         llvm::is_contained(factors, Value(body.getArgument(1)));
}

/// The loops that index `operand`.
static llvm::SmallBitVector getLoops(LinalgOp op, OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  llvm::SmallBitVector loops(op.getNumLoops());
  for (unsigned dim = 0; dim != loops.size(); ++dim)
    loops[dim] = map.isFunctionOfDim(dim);
  return loops;
}

std::optional<GpuProduct> codegen::findProduct(LinalgOp root,
                                               const GpuOutput &output) {
  if (!isSumOfProducts(root))
    return std::nullopt;
  GpuProduct product;
  product.op = root;
  product.left = root.getDpsInputOperand(0);
  product.right = root.getDpsInputOperand(1);
  AffineMap map = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return std::nullopt;
  llvm::SmallBitVector left = getLoops(root, product.left);
  llvm::SmallBitVector right = getLoops(root, product.right);
  // The result is contiguous along the columns.
  if (!right.test(map.getDimPosition(map.getNumResults() - 1))) {
    std::swap(product.left, product.right);
    std::swap(left, right);
  }
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  for (auto [dim, kind] : llvm::enumerate(root.getIteratorTypesArray())) {
    bool isReduction = kind == utils::IteratorType::reduction;
    if (!isReduction && !map.isFunctionOfDim(dim))
      return std::nullopt;
    auto add = [&, dim = unsigned(dim)](SmallVector<unsigned> &loops,
                                        int64_t &size) {
      loops.push_back(dim);
      size *= sizes[dim];
    };
    if (isReduction)
      add(product.depth, product.depthSize);
    else if (left.test(dim) && right.test(dim))
      add(product.batch, product.batchSize);
    else if (right.test(dim))
      add(product.column, product.columnSize);
    else
      add(product.row, product.rowSize);
  }
  return product;
}

bool codegen::fitsTensorCores(const GpuProduct &product) {
  auto getElement = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getElementType();
  };
  Type left = getElement(product.left->get());
  return left == getElement(product.right->get()) &&
         (left.isBF16() || left.isF16()) &&
         getElement(product.op->getResult(0)).isF32();
}
