//===- ConvolutionsToMatmul.cpp - Convolutions as matrix products ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution with the corresponding choice becomes a copy of the image that
// holds each element once for each filter position reading it, and a sum of
// products over these copies with the unchanged filter: a matrix product, which
// the rules handle like any other. That pays off if the direct loops have short
// or strided rows, at the price of the memory for the copies.
//
//===----------------------------------------------------------------------===//

#include "../Loops/GenericOps.h"
#include "mlir-prof/Codegen/Algorithms.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CONVOLUTIONSTOMATMULPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// The copies may take this many times the memory of the image.
static constexpr int64_t kMostCopies = 64;

namespace {

struct Product {
  linalg::ConvolutionDimensions dims;
  /// Loops of the convolution that the image depends on, in the order in which
  /// the copies are stored.
  SmallVector<unsigned> order;
};

} // namespace

/// The order keeps contiguous elements of the image contiguous in its copies:
/// channels if they come last, otherwise positions of the result.
static SmallVector<unsigned>
getCopyOrder(LinalgOp op, const linalg::ConvolutionDimensions &dims) {
  AffineMap image = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  SmallVector<unsigned> order;
  auto add = [&](ArrayRef<unsigned> loops) {
    for (unsigned loop : loops)
      if (image.isFunctionOfDim(loop))
        order.push_back(loop);
  };
  add(dims.batch);
  bool areChannelsLast = llvm::any_of(dims.inputChannel, [&](unsigned dim) {
    return image.getResults().back() == getAffineDimExpr(dim, op.getContext());
  });
  add(dims.depth);
  if (areChannelsLast) {
    add(dims.outputImage);
    add(dims.filterLoop);
    add(dims.inputChannel);
  } else {
    add(dims.inputChannel);
    add(dims.filterLoop);
    add(dims.outputImage);
  }
  return order;
}

static std::optional<Product> plan(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || !linalg::isaConvolutionOpInterface(op) ||
      op.hasDynamicShape())
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  // Without channels to sum over it is not a matrix product.
  if (failed(dims) || dims->inputChannel.empty() ||
      dims->outputChannel.empty() || dims->filterLoop.empty())
    return std::nullopt;
  Product product{*dims, getCopyOrder(op, *dims)};
  auto type = cast<RankedTensorType>(op.getDpsInputs()[0].getType());
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t copies = 1;
  for (unsigned dim : product.order)
    if (llvm::MulOverflow(copies, sizes[dim], copies))
      return std::nullopt;
  if (copies / std::max<int64_t>(1, type.getNumElements()) > kMostCopies)
    return std::nullopt;
  return product;
}

bool codegen::canBeProduct(Operation *op) {
  auto structured = dyn_cast<LinalgOp>(op);
  return structured && plan(structured);
}

/// The image, once for each filter position.
static Value emitCopies(OpBuilder &builder, LinalgOp op,
                        const Product &product) {
  Value image = op.getDpsInputs()[0];
  SmallVector<int64_t> sizes = op.getStaticLoopRanges(), shape;
  // Loops of the convolution become those of the copy.
  SmallVector<AffineExpr> loops(op.getNumLoops(),
                                builder.getAffineConstantExpr(0));
  for (auto [index, dim] : llvm::enumerate(product.order)) {
    loops[dim] = builder.getAffineDimExpr(index);
    shape.push_back(sizes[dim]);
  }
  unsigned rank = product.order.size();
  AffineMap read = op.getMatchingIndexingMap(op.getDpsInputOperand(0))
                       .replaceDimsAndSymbols(loops, {}, rank, 0);
  return createCopy(builder, op.getLoc(), image, shape, read);
}

static void rewrite(RewriterBase &rewriter, LinalgOp op,
                    const Product &product) {
  rewriter.setInsertionPoint(op);
  Value copies = emitCopies(rewriter, op, product);
  SmallVector<AffineExpr> places;
  for (unsigned dim : product.order)
    places.push_back(rewriter.getAffineDimExpr(dim));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[0] = AffineMap::get(op.getNumLoops(), 0, places, rewriter.getContext());
  Value inputs[] = {copies, op.getDpsInputs()[1]};
  rewriter.replaceOp(op, takeBody(rewriter, op, inputs, op.getDpsInits(), maps,
                                  op.getIteratorTypesArray()));
}

namespace {

struct ConvolutionsToMatmulPass
    : mlirprof::codegen::impl::ConvolutionsToMatmulPassBase<
          ConvolutionsToMatmulPass> {
  using ConvolutionsToMatmulPassBase::ConvolutionsToMatmulPassBase;

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) {
      if (getChoice(op, choice::kAlgorithm, "name") == "product")
        ops.push_back(op);
    });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    for (LinalgOp op : ops) {
      choices.setSource(op);
      if (std::optional<Product> product = plan(op))
        rewrite(rewriter, op, *product);
    }
  }
};

} // namespace
