//===- Decompose.cpp - Decomposing composite ops --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Whether `pad` takes elements away at a border. Upstream lowers it to an
/// insertion at a negative place.
static bool isCropping(tensor::PadOp pad) {
  auto isNegative = [](OpFoldResult amount) {
    std::optional<int64_t> value = getConstantIntValue(amount);
    return value && *value < 0;
  };
  return llvm::any_of(pad.getMixedLowPad(), isNegative) ||
         llvm::any_of(pad.getMixedHighPad(), isNegative);
}

namespace {
/// A dimension of a cropping pad: the elements that stay, and what is added.
struct Crop {
  OpFoldResult offset, size, low, high;
};
} // namespace

static Crop getCrop(OpBuilder &builder, tensor::PadOp pad, unsigned dim) {
  Location location = pad.getLoc();
  OpFoldResult low = pad.getMixedLowPad()[dim],
               high = pad.getMixedHighPad()[dim],
               size = tensor::getMixedSize(builder, location, pad.getSource(),
                                           dim),
               zero = builder.getIndexAttr(0);
  auto takeNegative = [&](OpFoldResult &amount) {
    int64_t value = getConstantIntValue(amount).value_or(0);
    if (value < 0)
      amount = zero;
    return std::max<int64_t>(-value, 0);
  };
  int64_t first = takeNegative(low), last = takeNegative(high);
  std::optional<int64_t> all = getConstantIntValue(size);
  if (!all) {
    AffineExpr rest = builder.getAffineSymbolExpr(0) - first - last;
    return {
        builder.getIndexAttr(first),
        affine::makeComposedFoldedAffineApply(builder, location, rest, {size}),
        low, high};
  }
  // More than there is may be taken: then the amounts of the other side move
  // into the padding.
  int64_t before = std::min(first, *all), after = std::min(last, *all - before);
  int64_t kept = *all - before - after;
  std::optional<int64_t> lowAdded = getConstantIntValue(low);
  int64_t result = pad.getResultType().getDimSize(dim);
  if (lowAdded && !ShapedType::isDynamic(result)) {
    int64_t added = std::min(*lowAdded, result - kept);
    low = builder.getIndexAttr(added);
    high = builder.getIndexAttr(result - kept - added);
  }
  return {builder.getIndexAttr(before), builder.getIndexAttr(kept), low, high};
}

/// A pad of a part, that only adds.
static void lowerCroppingPad(IRRewriter &rewriter, tensor::PadOp pad) {
  SmallVector<OpFoldResult> offsets, sizes, lows, highs;
  for (unsigned dim = 0, rank = pad.getSourceType().getRank(); dim != rank;
       ++dim) {
    Crop crop = getCrop(rewriter, pad, dim);
    offsets.push_back(crop.offset);
    sizes.push_back(crop.size);
    lows.push_back(crop.low);
    highs.push_back(crop.high);
  }
  SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(
      rewriter, pad.getLoc(), pad.getSource(), offsets, sizes, strides);
  auto padded = tensor::PadOp::create(rewriter, pad.getLoc(),
                                      pad.getResultType(), part, lows, highs);
  rewriter.inlineRegionBefore(pad.getRegion(), padded.getRegion(),
                              padded.getRegion().begin());
  rewriter.replaceOp(pad, padded);
}

namespace {

struct DecomposePass
    : mlirprof::codegen::impl::DecomposePassBase<DecomposePass> {
  using DecomposePassBase::DecomposePassBase;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      auto pad = dyn_cast<tensor::PadOp>(op);
      if (isa<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp>(
              op) ||
          (pad && isCropping(pad)))
        found.push_back(op);
    });
    codegen::ChoiceKeeper keeper;
    IRRewriter rewriter(&getContext(), &keeper);
    for (Operation *op : found) {
      keeper.setSource(op);
      if (failed(decompose(rewriter, op)))
        return signalPassFailure();
    }
  }

private:
  static LogicalResult decompose(IRRewriter &rewriter, Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op))
      return linalg::lowerPack(rewriter, pack);
    if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      return linalg::lowerUnPack(rewriter, unpack);
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      return lowerCroppingPad(rewriter, pad), success();
    auto aggregate = cast<linalg::AggregatedOpInterface>(op);
    FailureOr<SmallVector<Value>> values =
        aggregate.decomposeOperation(rewriter);
    if (failed(values))
      return op->emitOpError("cannot be decomposed into simpler ops");
    rewriter.replaceOp(op, *values);
    return success();
  }
};

} // namespace
