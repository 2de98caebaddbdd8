//===- Products.cpp - Products of matrices in a module --------------------===//
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

/// How often all of `loops` run together; none where one is not known.
static std::optional<int64_t> multiply(ArrayRef<unsigned> loops,
                                       ArrayRef<int64_t> ranges) {
  int64_t product = 1;
  for (unsigned loop : loops)
    if (ranges[loop] < 0 ||
        __builtin_mul_overflow(product, ranges[loop], &product))
      return std::nullopt;
  return product;
}

/// A contraction may lack rows or columns (a product with a vector): one.
static std::optional<MatrixProduct> readContraction(linalg::LinalgOp op) {
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

/// A convolution multiplies each place of its result, a row, with all filters,
/// as do fully connected layers that are written as convolutions of one pixel.
/// If there are more places than filters, the image would be mistaken for the
/// weights.
static std::optional<MatrixProduct> keepFewRows(MatrixProduct product) {
  if (product.rows && product.columns && *product.rows <= *product.columns)
    return product;
  return std::nullopt;
}

static std::optional<MatrixProduct> readConvolution(linalg::LinalgOp op) {
  if (!linalg::isaConvolutionOpInterface(op))
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  // Convolutions by channel do not have weights that many places share.
  if (failed(dims) || !dims->depth.empty() || dims->outputChannel.empty() ||
      dims->inputChannel.empty())
    return std::nullopt;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto combine = [&](ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
    SmallVector<unsigned> loops(a);
    llvm::append_range(loops, b);
    return multiply(loops, ranges);
  };
  MatrixProduct product;
  product.rows = combine(dims->batch, dims->outputImage);
  product.columns = multiply(dims->outputChannel, ranges);
  product.depth = combine(dims->filterLoop, dims->inputChannel);
  return keepFewRows(product);
}

static std::optional<MatrixProduct> readTosa(tosa::Conv2DOp op) {
  auto filters = dyn_cast<RankedTensorType>(op.getWeight().getType());
  auto result = dyn_cast<RankedTensorType>(op.getType());
  if (!filters || !result || filters.getRank() != 4 || result.getRank() != 4)
    return std::nullopt;
  // Channels of the result, height, width and channels of the input.
  ArrayRef<int64_t> sizes = filters.getShape(), places = result.getShape();
  MatrixProduct product;
  product.rows = multiply({0, 1, 2}, places);
  product.columns = multiply({0}, sizes);
  product.depth = multiply({1, 2, 3}, sizes);
  return keepFewRows(product);
}

/// Reads a product of one matrix per side: tensor<1xMxK> and tensor<1xKxN>.
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
      product = linalg::isaContractionOpInterface(contraction)
                    ? readContraction(contraction)
                    : readConvolution(contraction);
    else if (auto matMul = dyn_cast<tosa::MatMulOp>(op))
      product = readTosa(matMul);
    else if (auto convolution = dyn_cast<tosa::Conv2DOp>(op))
      product = readTosa(convolution);
    if (product) {
      product->op = number;
      products.push_back(*product);
    }
    ++number;
  });
  return products;
}
