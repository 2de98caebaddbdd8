//===- SplitTransposedConvolutions.cpp - Dense parts of convolutions -----===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks write a transposed convolution of stride S as a convolution of an
// image whose pixels were inserted S apart into zeros:
//
//   %p = tensor.insert_slice %x into %zeros[0, 0, 2] [1, 20, 25] [1, 1, 3]
//   %y = linalg.conv_1d_ncw_fcw ins(%p, %k) outs(%init)
//
// Per dimension, all but one in S products are with these zeros. Every Sth
// pixel of the result reads the same filter positions, and neighboring pixels
// of %x. So the result consists of S dense convolutions of %x, each with every
// Sth filter position, whose results are inserted S apart. An infinity or a NaN
// in the filter no longer produces a NaN from the zeros, and a sum that begins
// with -0.0 and adds only zeros remains -0.0.
//
//===----------------------------------------------------------------------===//

#include "../Constants/Weights.h"
#include "SpreadImages.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SPLITTRANSPOSEDCONVOLUTIONSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {

/// A box of a tensor.
struct Slice {
  explicit Slice(Value value)
      : shape(cast<RankedTensorType>(value.getType()).getShape()),
        offsets(shape.size(), 0), strides(shape.size(), 1) {}

  SmallVector<int64_t> shape, offsets, strides;

  Value extract(OpBuilder &builder, Location location, Value from) const {
    MLIRContext *context = builder.getContext();
    return tensor::ExtractSliceOp::create(
        builder, location, from, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, shape),
        getAsIndexOpFoldResult(context, strides));
  }
  Value insert(OpBuilder &builder, Location location, Value value,
               Value into) const {
    MLIRContext *context = builder.getContext();
    return tensor::InsertSliceOp::create(
        builder, location, value, into,
        getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, shape),
        getAsIndexOpFoldResult(context, strides));
  }
};

/// Makes the parts of one convolution.
class PartsEmitter {
public:
  PartsEmitter(OpBuilder &builder, LinalgOp op,
               const TransposedConvolution &transposed)
      : builder(builder), op(op), transposed(transposed),
        location(op.getLoc()) {}

  Value emit();

private:
  Value padImage();
  Value makeInit(const Slice &slice);
  Value makeTaps(const Slice &taps);
  Value makePart(ArrayRef<const ConvolutionPart *> parts, Value image,
                 Value init);

  OpBuilder &builder;
  LinalgOp op;
  const TransposedConvolution &transposed;
  Location location;
};

} // namespace

/// The image, with zero padding for the pixels that some part reads.
Value PartsEmitter::padImage() {
  auto type = cast<RankedTensorType>(transposed.image.getType());
  SmallVector<int64_t> low(type.getRank(), 0), high = low;
  SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
  for (const SpreadSpace &space : transposed.spaces) {
    low[space.inImage] = space.low;
    high[space.inImage] = space.high;
    shape[space.inImage] += space.low + space.high;
  }
  if (type.getShape() == ArrayRef<int64_t>(shape))
    return transposed.image;
  Value zero = arith::ConstantOp::create(
      builder, location, builder.getZeroAttr(type.getElementType()));
  MLIRContext *context = builder.getContext();
  return tensor::PadOp::create(builder, location, type.clone(shape),
                               transposed.image,
                               getAsIndexOpFoldResult(context, low),
                               getAsIndexOpFoldResult(context, high), zero);
}

/// Whether the result of `producer` is the same for all pixels, so that it can
/// be computed for some of them alone.
static bool isSameInSpace(LinalgOp producer,
                          const TransposedConvolution &transposed) {
  if (!producer || producer->getNumResults() != 1 ||
      producer.getNumReductionLoops() != 0 || producer.hasIndexSemantics() ||
      !producer.hasPureTensorSemantics() ||
      producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0)))
    return false;
  AffineMap stored =
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  if (!stored.isPermutation())
    return false;
  for (OpOperand *input : producer.getDpsInputOperands())
    for (const SpreadSpace &space : transposed.spaces)
      if (producer.getMatchingIndexingMap(input).isFunctionOfDim(
              stored.getDimPosition(space.inResult)))
        return false;
  return true;
}

/// The initial value of the results of `slice`.
Value PartsEmitter::makeInit(const Slice &slice) {
  Value init = op.getDpsInits()[0];
  auto producer = init.getDefiningOp<LinalgOp>();
  if (!isSameInSpace(producer, transposed))
    return slice.extract(builder, location, init);
  auto type = cast<RankedTensorType>(init.getType()).clone(slice.shape);
  SmallVector<Value> operands = producer.getDpsInputs();
  operands.push_back(tensor::EmptyOp::create(builder, location, slice.shape,
                                             type.getElementType()));
  return clone(builder, producer.getOperation(), {type}, operands)
      ->getResult(0);
}

/// The filter positions `taps`. Reading every second position of each row would
/// be far slower than reading a row, so constants are copied at compile time.
Value PartsEmitter::makeTaps(const Slice &taps) {
  Value filter = op.getDpsInputs()[1];
  std::optional<Weights> weights = findWeights(filter);
  if (!weights)
    return taps.extract(builder, location, filter);
  SmallVector<AffineExpr> places;
  for (auto [offset, stride] : llvm::zip_equal(taps.offsets, taps.strides))
    places.push_back(builder.getAffineDimExpr(places.size()) * stride + offset);
  auto type = cast<RankedTensorType>(filter.getType()).clone(taps.shape);
  AffineMap map = AffineMap::get(taps.shape.size(), /*symbolCount=*/0, places,
                                 builder.getContext());
  return arith::ConstantOp::create(builder, weights->constant->getLoc(), type,
                                   copyWeights(*weights, type, map));
}

Value PartsEmitter::makePart(ArrayRef<const ConvolutionPart *> parts,
                             Value image, Value init) {
  Slice window(image), taps(op.getDpsInputs()[1]);
  for (auto [space, part] : llvm::zip_equal(transposed.spaces, parts)) {
    window.offsets[space.inImage] = part->pixel + space.low;
    window.shape[space.inImage] = part->count + part->taps - 1;
    taps.offsets[space.inFilter] = part->tap;
    taps.shape[space.inFilter] = part->taps;
    taps.strides[space.inFilter] = space.stride;
  }
  Value operands[] = {window.extract(builder, location, image), makeTaps(taps),
                      init};
  return clone(builder, op.getOperation(), {init.getType()}, operands)
      ->getResult(0);
}

Value PartsEmitter::emit() {
  Value image = padImage();
  auto type = cast<RankedTensorType>(op.getDpsInits()[0].getType());
  Value result = tensor::EmptyOp::create(builder, location, type.getShape(),
                                         type.getElementType());
  SmallVector<size_t> index(transposed.spaces.size(), 0);
  while (true) {
    Slice slice(result);
    SmallVector<const ConvolutionPart *> parts;
    for (auto [space, at] : llvm::zip_equal(transposed.spaces, index)) {
      const ConvolutionPart &part = space.parts[at];
      parts.push_back(&part);
      slice.offsets[space.inResult] = part.first;
      slice.shape[space.inResult] = part.count;
      slice.strides[space.inResult] = space.stride;
    }
    Value value = makeInit(slice);
    if (llvm::all_of(
            parts, [](const ConvolutionPart *part) { return part->taps != 0; }))
      value = makePart(parts, image, value);
    result = slice.insert(builder, location, value, result);
    size_t dim = 0;
    while (dim < index.size() &&
           ++index[dim] == transposed.spaces[dim].parts.size())
      index[dim++] = 0;
    if (dim == index.size())
      return result;
  }
}

namespace {

struct SplitTransposedConvolutionsPass
    : mlirprof::codegen::impl::SplitTransposedConvolutionsPassBase<
          SplitTransposedConvolutionsPass> {
  using SplitTransposedConvolutionsPassBase::
      SplitTransposedConvolutionsPassBase;

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) { ops.push_back(op); });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    for (LinalgOp op : ops) {
      std::optional<TransposedConvolution> transposed =
          findTransposedConvolution(op);
      if (!transposed)
        continue;
      choices.setSource(op);
      rewriter.setInsertionPoint(op);
      rewriter.replaceOp(op, PartsEmitter(rewriter, op, *transposed).emit());
    }
  }
};

} // namespace
