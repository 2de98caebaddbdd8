//===- SimplifySlices.cpp - Preparing slices for bufferization ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two kinds of ops are valid on tensors, but the corresponding buffer views are
// not. First, an empty view may not begin at the end of its buffer, as that of
// the last part of a tensor.concat does. Second, the stride of a unit dimension
// is never used, yet when that dimension is dropped, upstream looks for its
// stride among those of the source, and crashes if it is absent. This also
// affects user-written buffer views.
//
// Densely connected models concatenate ever more parts, each time all earlier
// ones again: such a concatenation begins with the one before it, so that it
// has few parts and not one piece of code for each of them.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SIMPLIFYSLICESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static bool isEmpty(Type type) {
  return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
}

/// An empty tensor of `type` whose dynamic sizes are those of `like`, which has
/// the same rank.
static Value makeEmpty(OpBuilder &builder, Location location,
                       RankedTensorType type, Value like) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(
          tensor::DimOp::create(builder, location, like, dim).getResult());
  return tensor::EmptyOp::create(builder, location, type, sizes);
}

/// Concatenates only the parts that have elements.
static void simplify(RewriterBase &rewriter, tensor::ConcatOp op) {
  SmallVector<Value> inputs;
  llvm::copy_if(op.getInputs(), std::back_inserter(inputs),
                [](Value input) { return !isEmpty(input.getType()); });
  if (inputs.size() == op.getInputs().size())
    return;
  RankedTensorType type = op.getResultType();
  Value result;
  if (inputs.empty())
    result = makeEmpty(rewriter, op.getLoc(), type, op.getInputs().front());
  else if (inputs.size() == 1)
    result = inputs.front();
  else
    result =
        tensor::ConcatOp::create(rewriter, op.getLoc(), op.getDim(), inputs);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, op.getLoc(), type, result);
  rewriter.replaceOp(op, result);
}

/// The longest of the concatenations before `op`, in its block and along the
/// same dimension, of its first parts; at least two, but not all of them.
static tensor::ConcatOp findBeginning(tensor::ConcatOp op) {
  tensor::ConcatOp longest;
  OperandRange parts = op.getInputs();
  for (Operation *user : parts.front().getUsers()) {
    auto other = dyn_cast<tensor::ConcatOp>(user);
    if (!other || other->getBlock() != op->getBlock() ||
        !other->isBeforeInBlock(op) || other.getDim() != op.getDim())
      continue;
    size_t count = other.getInputs().size();
    size_t least = longest ? longest.getInputs().size() + 1 : 2;
    if (count >= least && count < parts.size() &&
        llvm::equal(other.getInputs(), parts.take_front(count)))
      longest = other;
  }
  return longest;
}

/// Concatenates the result of an earlier concatenation instead of its parts.
/// Later ops come first, while earlier ones still have all of their parts.
static void shareBeginning(RewriterBase &rewriter, tensor::ConcatOp op) {
  tensor::ConcatOp beginning = findBeginning(op);
  if (!beginning)
    return;
  size_t count = beginning.getInputs().size();
  rewriter.modifyOpInPlace(op, [&] {
    op->eraseOperands(1, count - 1);
    op->setOperand(0, beginning.getResult());
  });
}

/// The strides of `op` with 1 for each unit dimension; none if nothing changes.
static std::optional<SmallVector<OpFoldResult>>
getUsedStrides(OffsetSizeAndStrideOpInterface op) {
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  bool isChanged = false;
  for (auto [size, stride] : llvm::zip_equal(op.getMixedSizes(), strides)) {
    if (getConstantIntValue(size) != 1 || getConstantIntValue(stride) == 1)
      continue;
    stride = OpBuilder(op->getContext()).getIndexAttr(1);
    isChanged = true;
  }
  return isChanged ? std::optional(strides) : std::nullopt;
}

static void simplify(RewriterBase &rewriter, tensor::ExtractSliceOp op) {
  RankedTensorType type = op.getType();
  if (isEmpty(type)) {
    SmallVector<Value> sizes;
    llvm::SmallBitVector dropped = op.getDroppedDims();
    for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
      if (auto value = dyn_cast<Value>(size); value && !dropped[dim])
        sizes.push_back(value);
    if (int64_t(sizes.size()) == int64_t(type.getNumDynamicDims()))
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type, sizes);
    return;
  }
  if (auto strides = getUsedStrides(op))
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, type, op.getSource(), op.getMixedOffsets(), op.getMixedSizes(),
        *strides);
}

static void simplify(RewriterBase &rewriter, tensor::InsertSliceOp op) {
  if (isEmpty(op.getSourceType()))
    rewriter.replaceOp(op, op.getDest());
  else if (auto strides = getUsedStrides(op))
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, op.getSource(), op.getDest(), op.getMixedOffsets(),
        op.getMixedSizes(), *strides);
}

static void simplify(RewriterBase &rewriter, tensor::ParallelInsertSliceOp op) {
  if (isEmpty(op.getSourceType()))
    rewriter.eraseOp(op);
  else if (auto strides = getUsedStrides(op))
    rewriter.replaceOpWithNewOp<tensor::ParallelInsertSliceOp>(
        op, op.getSource(), op.getDest(), op.getMixedOffsets(),
        op.getMixedSizes(), *strides);
}

/// The offset of a view in the buffer of `op`, in elements.
static OpFoldResult computeOffset(RewriterBase &rewriter, memref::SubViewOp op,
                                  memref::ExtractStridedMetadataOp metadata) {
  AffineExpr sum = rewriter.getAffineSymbolExpr(0);
  SmallVector<OpFoldResult> values = {metadata.getConstifiedMixedOffset()};
  for (auto [offset, stride] : llvm::zip_equal(
           op.getMixedOffsets(), metadata.getConstifiedMixedStrides())) {
    unsigned next = values.size();
    sum = sum + rewriter.getAffineSymbolExpr(next) *
                    rewriter.getAffineSymbolExpr(next + 1);
    values.append({offset, stride});
  }
  return affine::makeComposedFoldedAffineApply(rewriter, op.getLoc(), sum,
                                               values);
}

/// Buffer views keep the unused stride in their type, so the view is rebuilt
/// with that type. Only dimensions of static size 1 are dropped: all dynamic
/// sizes remain, in order.
static void simplify(RewriterBase &rewriter, memref::SubViewOp op) {
  MemRefType type = op.getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() == op.getSourceType().getRank() || !getUsedStrides(op) ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return;
  SmallVector<OpFoldResult> sizes;
  auto dynamicSizes = op.getSizes().begin();
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult(*dynamicSizes++)
                                                : rewriter.getIndexAttr(size));
  auto metadata = memref::ExtractStridedMetadataOp::create(
      rewriter, op.getLoc(), op.getSource());
  OpFoldResult begin = ShapedType::isDynamic(offset)
                           ? computeOffset(rewriter, op, metadata)
                           : rewriter.getIndexAttr(offset);
  // The result type requires a dynamic offset.
  if (ShapedType::isDynamic(offset))
    begin = getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), begin);
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      op, type, metadata.getBaseBuffer(), begin, sizes,
      getAsIndexOpFoldResult(op.getContext(), strides));
}

namespace {

struct SimplifySlicesPass
    : mlirprof::codegen::impl::SimplifySlicesPassBase<SimplifySlicesPass> {
  using SimplifySlicesPassBase::SimplifySlicesPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isa<memref::SubViewOp, tensor::ConcatOp, tensor::ExtractSliceOp,
              tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(op))
        found.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : llvm::reverse(found))
      if (auto concat = dyn_cast<tensor::ConcatOp>(op))
        shareBeginning(rewriter, concat);
    for (Operation *op : found) {
      rewriter.setInsertionPoint(op);
      TypeSwitch<Operation *>(op)
          .Case<memref::SubViewOp, tensor::ConcatOp, tensor::ExtractSliceOp,
                tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(
              [&](auto slice) { simplify(rewriter, slice); });
    }
  }
};

} // namespace
