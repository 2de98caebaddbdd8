//===- TrimWindows.cpp - Filters without positions over padding -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Segmentation networks end with convolutions whose filter positions lie 12 to
// 36 pixels apart, on images of as few pixels with as much padding:
//
//   %p = tensor.pad %x low[0, 0, 12, 12] high[0, 0, 12, 12] : 8x8 to 32x32
//   %y = linalg.conv_2d_nchw_fchw {dilations = 12} ins(%p, %k : 3x3)
//
// For all pixels of the result, the outer positions read zeros only. Without
// them, this is a convolution by the middle of the filter. As in
// SplitTransposedConvolutions.cpp, an infinity or a NaN in the filter no longer
// produces a NaN from the zeros.
//
//===----------------------------------------------------------------------===//

#include "../Constants/Weights.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_TRIMWINDOWSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {

/// A spatial dimension of a convolution of a padded image.
struct Window {
  unsigned inImage = 0, inFilter = 0;
  /// The filter positions that remain.
  int64_t first = 0, taps = 1;
  /// The padding, and the part of the image, that they read.
  int64_t low = 0, high = 0, offset = 0, size = 0;
};

/// Sizes along one spatial dimension.
struct Sizes {
  int64_t result, stride, dilation, taps;
  /// The padding before the image, and the image.
  int64_t low, image;
};

} // namespace

/// Finds the positions between the first and the last one that meet the image.
/// Returns false if there is none.
static bool trim(const Sizes &sizes, Window &window) {
  int64_t reach = sizes.stride * (sizes.result - 1);
  auto meetsImage = [&](int64_t tap) {
    int64_t begin = tap * sizes.dilation;
    return begin + reach >= sizes.low && begin < sizes.low + sizes.image;
  };
  int64_t last = sizes.taps - 1;
  while (window.first <= last && !meetsImage(window.first))
    ++window.first;
  while (last >= window.first && !meetsImage(last))
    --last;
  window.taps = last - window.first + 1;
  int64_t needed = (window.taps - 1) * sizes.dilation + reach + 1;
  int64_t before = sizes.low - window.first * sizes.dilation;
  window.low = std::max<int64_t>(before, 0);
  window.offset = std::max<int64_t>(-before, 0);
  window.size = std::min(sizes.image - window.offset, needed - window.low);
  window.high = needed - window.low - window.size;
  return window.taps > 0 && window.size > 0;
}

/// The position of the result of `map` that depends on `loop`; none if several
/// do.
static std::optional<unsigned> findResult(AffineMap map, unsigned loop) {
  std::optional<unsigned> found;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (found)
      return std::nullopt;
    found = position;
  }
  return found;
}

/// The padding of the image of `op`, if it is a convolution of static size with
/// zeros around its image.
static tensor::PadOp findPadding(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !linalg::isaConvolutionOpInterface(op) || !addsProducts(*op.getBlock()))
    return {};
  auto pad = op.getDpsInputs()[0].getDefiningOp<tensor::PadOp>();
  if (!pad || pad.getSourceType().getEncoding() ||
      !pad.getSourceType().hasStaticShape() || !pad.getConstantPaddingValue() ||
      !isZero(pad.getConstantPaddingValue()) || !pad.getLow().empty() ||
      !pad.getHigh().empty())
    return {};
  bool cuts = llvm::any_of(pad.getStaticLow(), [](int64_t n) { return n < 0; });
  cuts |= llvm::any_of(pad.getStaticHigh(), [](int64_t n) { return n < 0; });
  return cuts ? tensor::PadOp() : pad;
}

/// The windows of `op`, a convolution of `pad`; empty if no position is
/// removed.
static SmallVector<Window> findWindows(LinalgOp op, tensor::PadOp pad) {
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->outputImage.size() != dims->filterLoop.size() ||
      dims->strides.size() != dims->outputImage.size() ||
      dims->dilations.size() != dims->outputImage.size())
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> loops = op.getStaticLoopRanges();
  SmallVector<Window> windows;
  bool isTrimmed = false;
  for (size_t i = 0; i < dims->outputImage.size(); ++i) {
    unsigned moves = dims->outputImage[i], slides = dims->filterLoop[i];
    std::optional<unsigned> inImage = findResult(maps[0], moves);
    std::optional<unsigned> inFilter = findResult(maps[1], slides);
    if (!inImage || !inFilter || findResult(maps[0], slides) != inImage ||
        !isa<AffineDimExpr>(maps[1].getResult(*inFilter)))
      return {};
    Window window{*inImage, *inFilter};
    Sizes sizes{loops[moves],
                dims->strides[i],
                dims->dilations[i],
                loops[slides],
                pad.getStaticLow()[*inImage],
                pad.getSourceType().getDimSize(*inImage)};
    if (!trim(sizes, window))
      return {};
    isTrimmed |= window.taps < sizes.taps;
    windows.push_back(window);
  }
  return isTrimmed ? windows : SmallVector<Window>();
}

/// The part of the filter that remains.
static Value trimFilter(OpBuilder &builder, Value filter,
                        ArrayRef<Window> windows) {
  auto from = cast<RankedTensorType>(filter.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(from.getRank());
  SmallVector<AffineExpr> places = llvm::to_vector(identity.getResults());
  SmallVector<int64_t> shape = llvm::to_vector(from.getShape());
  for (const Window &window : windows) {
    places[window.inFilter] = places[window.inFilter] + window.first;
    shape[window.inFilter] = window.taps;
  }
  AffineMap read =
      AffineMap::get(from.getRank(), 0, places, builder.getContext());
  RankedTensorType type = from.clone(shape);
  if (std::optional<Weights> weights = findWeights(filter))
    return arith::ConstantOp::create(builder, weights->constant->getLoc(), type,
                                     copyWeights(*weights, type, read));
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  for (const Window &window : windows)
    offsets[window.inFilter] = builder.getIndexAttr(window.first);
  SmallVector<OpFoldResult> steps(shape.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      builder, filter.getLoc(), filter, offsets,
      getAsIndexOpFoldResult(builder.getContext(), shape), steps);
}

/// The part of the image that remains, with the padding that remains.
static Value trimImage(OpBuilder &builder, tensor::PadOp pad,
                       ArrayRef<Window> windows) {
  SmallVector<int64_t> low = llvm::to_vector(pad.getStaticLow());
  SmallVector<int64_t> high = llvm::to_vector(pad.getStaticHigh());
  SmallVector<int64_t> sizes = llvm::to_vector(pad.getSourceType().getShape());
  SmallVector<int64_t> offsets(sizes.size(), 0);
  for (const Window &window : windows) {
    low[window.inImage] = window.low;
    high[window.inImage] = window.high;
    offsets[window.inImage] = window.offset;
    sizes[window.inImage] = window.size;
  }
  Location location = pad.getLoc();
  Value image = pad.getSource();
  auto toIndices = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  if (pad.getSourceType().getShape() != ArrayRef(sizes))
    image = tensor::ExtractSliceOp::create(
        builder, location, image, toIndices(offsets), toIndices(sizes),
        toIndices(SmallVector<int64_t>(sizes.size(), 1)));
  auto isNone = [](ArrayRef<int64_t> values) {
    return llvm::all_of(values, [](int64_t value) { return value == 0; });
  };
  if (isNone(low) && isNone(high))
    return image;
  return tensor::PadOp::create(builder, location, Type(), image, toIndices(low),
                               toIndices(high), pad.getConstantPaddingValue());
}

namespace {

struct TrimWindowsPass
    : mlirprof::codegen::impl::TrimWindowsPassBase<TrimWindowsPass> {
  using TrimWindowsPassBase::TrimWindowsPassBase;

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) { ops.push_back(op); });
    OpBuilder builder(&getContext());
    for (LinalgOp op : ops) {
      tensor::PadOp pad = findPadding(op);
      SmallVector<Window> windows;
      if (pad)
        windows = findWindows(op, pad);
      if (windows.empty())
        continue;
      builder.setInsertionPoint(op);
      Value filter = trimFilter(builder, op.getDpsInputs()[1], windows);
      op->setOperand(0, trimImage(builder, pad, windows));
      op->setOperand(1, filter);
      if (pad->use_empty())
        pad->erase();
    }
  }
};

} // namespace
