//===- Products.cpp - Matrix products in a module -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/Products.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::profile;

/// The product of the trip counts of `loops`; none if one is unknown.
static std::optional<int64_t> multiply(ArrayRef<unsigned> loops,
                                       ArrayRef<int64_t> ranges) {
  int64_t product = 1;
  for (unsigned loop : loops)
    if (ranges[loop] < 0 ||
        __builtin_mul_overflow(product, ranges[loop], &product))
      return std::nullopt;
  return product;
}

/// A contraction may lack rows or columns (a product with a vector): they count
/// as one.
static std::optional<MatrixProduct> readContraction(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims))
    return std::nullopt;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (multiply(dims->batch, ranges) != 1)
    return std::nullopt;
  MatrixProduct product;
  product.rows = multiply(dims->m, ranges);
  product.columns = multiply(dims->n, ranges);
  product.depth = multiply(dims->k, ranges);
  return product;
}

/// With one matrix per side: tensor<1xMxK> and tensor<1xKxN>.
static std::optional<MatrixProduct> readTosa(tosa::MatMulOp op) {
  auto left = dyn_cast<RankedTensorType>(op.getA().getType());
  auto right = dyn_cast<RankedTensorType>(op.getB().getType());
  if (!left || !right || left.getRank() != 3 || right.getRank() != 3 ||
      left.getDimSize(0) != 1 || right.getDimSize(0) != 1)
    return std::nullopt;
  auto getSize = [](RankedTensorType type, unsigned at) {
    return type.isDynamicDim(at) ? std::optional<int64_t>()
                                 : std::optional(type.getDimSize(at));
  };
  MatrixProduct product;
  product.rows = getSize(left, 1);
  product.columns = getSize(right, 2);
  product.depth = getSize(left, 2);
  return product;
}

std::vector<MatrixProduct> cost::collectProducts(Operation *root) {
  std::vector<MatrixProduct> products;
  uint32_t number = 0;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<MatrixProduct> product;
    if (auto contraction = dyn_cast<linalg::LinalgOp>(op))
      product = readContraction(contraction);
    else if (auto tosaOp = dyn_cast<tosa::MatMulOp>(op))
      product = readTosa(tosaOp);
    if (product) {
      product->op = number;
      products.push_back(*product);
    }
    ++number;
  });
  return products;
}
