//===- LowerPads.cpp - Padding as a fill and a copy -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream lowers tensor.pad to a fill of the whole and an insertion of the
// source, which becomes a strided copy that the rules cannot vectorize: they
// handle linalg ops only. If all sizes are static, this pass writes each
// element once:
//
//   %p = tensor.pad %x low[1] high[0] {... yield %zero} : tensor<4xf32> to
//                                                         tensor<5xf32>
//
// becomes
//
//   %e = tensor.empty() : tensor<5xf32>
//   %b = tensor.extract_slice %e[0] [1] [1]
//   %f = linalg.fill ins(%zero) outs(%b)
//   %1 = tensor.insert_slice %f into %e[0] [1] [1]
//   %s = tensor.extract_slice %1[1] [4] [1]
//   %c = linalg.copy ins(%x) outs(%s)
//   %p = tensor.insert_slice %c into %1[1] [4] [1]
//
// Short dimensions after the last padded one are collapsed into it. If a size
// is dynamic, the whole tensor is filled first. A pad whose value differs
// between elements is not lowered.
//
// Other ops that use the source read it from the padded tensor, so that the op
// that computes the source can be fused with the copy.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LOWERPADSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Elements of a row that fill vectors well.
static constexpr int64_t kLongRow = 16;

namespace {

/// A pad with static sizes. Dimensions after the last padded one are collapsed
/// into it, so that the copied rows are longer.
struct StaticPad {
  SmallVector<int64_t> source, low, high;
  /// The tensor dimensions in each collapsed dimension.
  SmallVector<ReassociationIndices> groups;

  SmallVector<int64_t> getResult() const {
    SmallVector<int64_t> sizes;
    for (size_t dim = 0; dim < source.size(); ++dim)
      sizes.push_back(low[dim] + source[dim] + high[dim]);
    return sizes;
  }
};

} // namespace

static std::optional<StaticPad> getStaticPad(tensor::PadOp pad) {
  RankedTensorType type = pad.getSourceType();
  if (!type.hasStaticShape() || !pad.getResultType().hasStaticShape())
    return std::nullopt;
  StaticPad result;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    std::optional<int64_t> low = getConstantIntValue(pad.getMixedLowPad()[dim]),
                           high =
                               getConstantIntValue(pad.getMixedHighPad()[dim]);
    if (!low || !high || *low < 0 || *high < 0)
      return std::nullopt;
    result.groups.push_back({int64_t(dim)});
    result.source.push_back(size);
    result.low.push_back(*low);
    result.high.push_back(*high);
  }
  // An op that computes the source in long rows can be fused with the copy, but
  // not across a reshape.
  bool canBeFused = pad.getSource().getDefiningOp<linalg::LinalgOp>();
  while (result.source.size() > 1 && !result.low.back() &&
         !result.high.back() &&
         !(canBeFused && result.source.back() >= kLongRow)) {
    int64_t inner = result.source.pop_back_val();
    ReassociationIndices dims = result.groups.pop_back_val();
    result.low.pop_back();
    result.high.pop_back();
    for (int64_t *size :
         {&result.source.back(), &result.low.back(), &result.high.back()})
      if (llvm::MulOverflow(*size, inner, *size))
        return std::nullopt;
    result.groups.back().append(dims);
  }
  return result;
}

static SmallVector<OpFoldResult> toAttributes(OpBuilder &builder,
                                              ArrayRef<int64_t> numbers) {
  return getAsIndexOpFoldResult(builder.getContext(), numbers);
}

/// Extracts a slice of `tensor`, fills it by `make`, and inserts it again.
static Value writePart(OpBuilder &builder, Location location, Value tensor,
                       ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                       llvm::function_ref<Value(Value)> make) {
  SmallVector<OpFoldResult> begin = toAttributes(builder, offsets),
                            size = toAttributes(builder, sizes),
                            ones(sizes.size(), builder.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(builder, location, tensor, begin,
                                              size, ones);
  return tensor::InsertSliceOp::create(builder, location, make(part), tensor,
                                       begin, size, ones);
}

/// Fills the borders before and after the source in each dimension; in
/// dimensions already done, only the extent of the source.
static Value fillBorders(OpBuilder &builder, Location location,
                         const StaticPad &pad, Value value, Value tensor) {
  SmallVector<int64_t> offsets(pad.source.size(), 0), sizes = pad.getResult();
  auto fill = [&](Value part) {
    return linalg::FillOp::create(builder, location, value, part).getResult(0);
  };
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    int64_t behind = pad.low[dim] + pad.source[dim];
    for (auto [offset, size] : {std::pair{int64_t(0), pad.low[dim]},
                                std::pair{behind, pad.high[dim]}}) {
      if (size == 0)
        continue;
      offsets[dim] = offset;
      sizes[dim] = size;
      tensor = writePart(builder, location, tensor, offsets, sizes, fill);
    }
    offsets[dim] = pad.low[dim];
    sizes[dim] = pad.source[dim];
  }
  return tensor;
}

/// A tensor of the padded size with its borders filled. It comes before the op
/// that computes the source, if it can, so that this may store its result
/// there.
static Value createBordered(RewriterBase &rewriter, tensor::PadOp op,
                            const StaticPad &pad, Value value) {
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *producer = op.getSource().getDefiningOp<linalg::LinalgOp>();
  Operation *constant = value.getDefiningOp();
  if (producer && constant && producer->getBlock() == op->getBlock() &&
      constant->getBlock() == op->getBlock() &&
      constant->isBeforeInBlock(producer))
    rewriter.setInsertionPoint(producer);
  Value result = tensor::EmptyOp::create(rewriter, op.getLoc(), pad.getResult(),
                                         op.getResultType().getElementType());
  return fillBorders(rewriter, op.getLoc(), pad, value, result);
}

/// Lets ops other than `op` read its source from `padded`, into which it was
/// copied, if they can, so that the source need not be stored by itself.
static void readFromPadded(RewriterBase &rewriter, tensor::PadOp op,
                           const StaticPad &pad, Value padded) {
  auto producer = op.getSource().getDefiningOp<linalg::LinalgOp>();
  if (!producer || pad.groups.size() != size_t(op.getSourceType().getRank()))
    return;
  SmallVector<OpOperand *> others;
  for (OpOperand &use : op.getSource().getUses()) {
    Operation *user = use.getOwner();
    if (user == op || isa<linalg::CopyOp>(user))
      continue;
    // A result that would overwrite the source cannot overwrite a part.
    auto reader = dyn_cast<linalg::LinalgOp>(user);
    if (!reader || !reader.isDpsInput(&use) ||
        user->getBlock() != op->getBlock() || user->isBeforeInBlock(op))
      return;
    others.push_back(&use);
  }
  if (others.empty())
    return;
  SmallVector<OpFoldResult> ones(pad.low.size(), rewriter.getIndexAttr(1));
  Value source =
      tensor::ExtractSliceOp::create(rewriter, op.getLoc(), op.getSourceType(),
                                     padded, toAttributes(rewriter, pad.low),
                                     toAttributes(rewriter, pad.source), ones);
  for (OpOperand *use : others)
    rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(source); });
}

/// Lowers a pad such that each element is written once.
static void lowerStaticPad(RewriterBase &rewriter, tensor::PadOp op,
                           const StaticPad &pad, Value value) {
  Location location = op.getLoc();
  RankedTensorType type = op.getResultType();
  bool isJoined = pad.groups.size() != size_t(type.getRank());
  Value source = op.getSource();
  if (isJoined)
    source =
        tensor::CollapseShapeOp::create(rewriter, location, source, pad.groups);
  Value result = createBordered(rewriter, op, pad, value);
  result = writePart(
      rewriter, location, result, pad.low, pad.source, [&](Value part) {
        return linalg::CopyOp::create(rewriter, location, source, part)
            .getResult(0);
      });
  if (isJoined)
    result = tensor::ExpandShapeOp::create(rewriter, location, type, result,
                                           pad.groups);
  readFromPadded(rewriter, op, pad, result);
  rewriter.replaceOp(op, result);
}

/// Avoids upstream's lowering, which inserts the source by a strided copy that
/// the rules do not see.
static void lowerPad(RewriterBase &rewriter, tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  if (!value)
    return;
  rewriter.setInsertionPoint(pad);
  if (std::optional<StaticPad> known = getStaticPad(pad)) {
    lowerStaticPad(rewriter, pad, *known, value);
    return;
  }
  Location location = pad.getLoc();
  ReifiedRankedShapedTypeDims shape;
  if (failed(reifyResultShapes(rewriter, pad, shape)))
    return;
  RankedTensorType type = pad.getResultType();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, location, pad.getSource());
  SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> offsets = pad.getMixedLowPad();
  Value empty = tensor::EmptyOp::create(rewriter, location, shape.front(),
                                        type.getElementType());
  Value filled =
      linalg::FillOp::create(rewriter, location, value, empty).getResult(0);
  Value inner = tensor::ExtractSliceOp::create(rewriter, location, filled,
                                               offsets, sizes, ones);
  Value copied =
      linalg::CopyOp::create(rewriter, location, pad.getSource(), inner)
          .getResult(0);
  Value padded = tensor::InsertSliceOp::create(rewriter, location, copied,
                                               filled, offsets, sizes, ones);
  if (padded.getType() != type)
    padded = tensor::CastOp::create(rewriter, location, type, padded);
  rewriter.replaceOp(pad, padded);
}

namespace {

struct LowerPadsPass
    : mlirprof::codegen::impl::LowerPadsPassBase<LowerPadsPass> {
  using LowerPadsPassBase::LowerPadsPassBase;

  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    IRRewriter rewriter(&getContext());
    for (tensor::PadOp pad : pads)
      lowerPad(rewriter, pad);
  }
};

} // namespace
