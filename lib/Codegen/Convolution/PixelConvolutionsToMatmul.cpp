//===- PixelConvolutionsToMatmul.cpp - Convolutions of one-pixel images ---===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Image-generating networks begin with a transposed convolution of a one-pixel
// image, written as a convolution of that pixel among zeros:
//
//   %p = tensor.insert_slice %x into %zeros[0, 0, 3] [5, 100, 1] [1, 1, 1]
//   %y = linalg.conv_1d_ncw_fcw ins(%p, %k) outs(%init)
//
// Each pixel of the result meets it at one filter position, the next one at the
// position before. So this is a matrix product of the pixel's channels and the
// filter with its positions reversed. As in SplitTransposedConvolutions.cpp, an
// infinity or a NaN in the filter no longer produces a NaN from the zeros.
//
//===----------------------------------------------------------------------===//

#include "../Constants/Weights.h"
#include "../Loops/GenericOps.h"
#include "SpreadImages.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_PIXELCONVOLUTIONSTOMATMULPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// The filter positions that the pixels of the result meet, in their order.
static Value makeTaps(OpBuilder &builder, LinalgOp op,
                      const PixelConvolution &pixel) {
  Value filter = op.getDpsInputs()[1];
  auto from = cast<RankedTensorType>(filter.getType());
  auto results = cast<ShapedType>(op.getDpsInits()[0].getType()).getShape();
  AffineMap identity = builder.getMultiDimIdentityMap(from.getRank());
  SmallVector<AffineExpr> places = llvm::to_vector(identity.getResults());
  SmallVector<int64_t> shape = llvm::to_vector(from.getShape());
  for (const PixelSpace &space : pixel.spaces) {
    places[space.inFilter] = space.tap - places[space.inFilter];
    shape[space.inFilter] = results[space.inResult];
  }
  RankedTensorType type = from.clone(shape);
  AffineMap read =
      AffineMap::get(from.getRank(), 0, places, builder.getContext());
  if (std::optional<Weights> weights = findWeights(filter))
    return arith::ConstantOp::create(builder, weights->constant->getLoc(), type,
                                     copyWeights(*weights, type, read));
  return createCopy(builder, op.getLoc(), filter, shape, read);
}

static void rewrite(RewriterBase &rewriter, LinalgOp op,
                    const PixelConvolution &pixel) {
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  llvm::SmallBitVector spaces(maps[0].getNumResults()),
      slides(op.getNumLoops());
  for (const PixelSpace &space : pixel.spaces) {
    spaces.set(space.inImage);
    // The filter position moves with the pixel of the result.
    AffineExpr slide = maps[1].getResult(space.inFilter);
    slides.set(cast<AffineDimExpr>(slide).getPosition());
    maps[1] = maps[1].replace(slide, maps[2].getResult(space.inResult),
                              op.getNumLoops(), 0);
  }
  maps[0] = maps[0].dropResults(spaces);
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (!slides.test(loop))
      iterators.push_back(kind);
  for (AffineMap &map : maps)
    map = compressDims(map, slides);
  Value inputs[] = {
      tensor::dropGivenUnitDims(rewriter, op.getLoc(), pixel.image, spaces),
      makeTaps(rewriter, op, pixel)};
  rewriter.replaceOp(
      op, takeBody(rewriter, op, inputs, op.getDpsInits(), maps, iterators));
}

namespace {

struct PixelConvolutionsToMatmulPass
    : mlirprof::codegen::impl::PixelConvolutionsToMatmulPassBase<
          PixelConvolutionsToMatmulPass> {
  using PixelConvolutionsToMatmulPassBase::PixelConvolutionsToMatmulPassBase;

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) { ops.push_back(op); });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    for (LinalgOp op : ops)
      if (std::optional<PixelConvolution> pixel = findPixelConvolution(op)) {
        choices.setSource(op);
        rewrite(rewriter, op, *pixel);
      }
  }
};

} // namespace
