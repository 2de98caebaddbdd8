//===- FoldZeroPoints.cpp - Convolutions without zero points --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quantized convolution adds products of weights with numbers from which a
// zero point is subtracted. With constant weights, the sum of the weights times
// the zero point is a part of the bias,
//
//   sum (x - z) * w + b  =  sum x * w + (b - z * sum w),
//
// if pixels outside of the image are z. Products of bytes are left, for which
// machines have instructions.
//
//===----------------------------------------------------------------------===//

#include "IntegerRanges.h"
#include "LowerConvolutions.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_FOLDZEROPOINTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The sums of the weights of each of `filters` filters. In those of a
/// depthwise convolution, the filters are the innermost dimensions.
static std::vector<uint32_t> sumWeights(ArrayRef<int64_t> weights,
                                        int64_t filters, bool isDepthwise) {
  // Like the convolution, sums wrap around.
  std::vector<uint32_t> sums(filters, 0);
  int64_t size = weights.size() / filters;
  for (auto [index, weight] : llvm::enumerate(weights))
    sums[isDepthwise ? index % filters : index / size] += uint32_t(weight);
  return sums;
}

/// A constant of `type` with the bias of `op` and the part of its zero point;
/// null if one of them is not constant.
template <typename ConvolutionT>
static DenseElementsAttr foldBias(ConvolutionT op, RankedTensorType type,
                                  int64_t point, bool isDepthwise) {
  std::optional<std::vector<int64_t>> weights = getIntegers(op.getWeight());
  std::optional<std::vector<int64_t>> bias = getIntegers(op.getBias());
  int64_t filters = type.getDimSize(0);
  if (!weights || !bias || filters == 0 ||
      (bias->size() != 1 && bias->size() != size_t(filters)))
    return {};
  if (weights->size() == 1)
    weights->resize(
        cast<RankedTensorType>(op.getWeight().getType()).getNumElements(),
        weights->front());
  SmallVector<int32_t> folded;
  for (auto [index, sum] :
       llvm::enumerate(sumWeights(*weights, filters, isDepthwise)))
    folded.push_back(int32_t(uint32_t((*bias)[bias->size() == 1 ? 0 : index]) -
                             uint32_t(point) * sum));
  return DenseElementsAttr::get(type, ArrayRef<int32_t>(folded));
}

/// The image of `op` with its padding, which consists of `point`.
template <typename ConvolutionT>
static Value padImage(ImplicitLocOpBuilder &builder, ConvolutionT op) {
  ArrayRef<int64_t> pad = op.getPad();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  if (llvm::all_of(pad, [](int64_t size) { return size == 0; }))
    return op.getInput();
  SmallVector<int64_t> shape(type.getShape());
  shape[1] += pad[0] + pad[1];
  shape[2] += pad[2] + pad[3];
  Value sizes = tosa::getTosaConstShape(
      builder, {0, 0, pad[0], pad[1], pad[2], pad[3], 0, 0});
  return tosa::PadOp::create(builder, type.clone(shape), op.getInput(), sizes,
                             op.getInputZp());
}

/// Whether `op` multiplies bytes, the weights without a zero point, and adds in
/// 32 bits.
template <typename ConvolutionT>
static bool multipliesBytes(ConvolutionT op) {
  auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto weights = dyn_cast<RankedTensorType>(op.getWeight().getType());
  auto result = dyn_cast<RankedTensorType>(op.getOutput().getType());
  return image && weights && result && image.hasStaticShape() &&
         weights.hasStaticShape() && result.hasStaticShape() &&
         image.getElementType().isInteger(8) &&
         weights.getElementType().isInteger(8) &&
         result.getElementType().isInteger(32) &&
         getOnlyInteger(op.getWeightZp()) == 0;
}

template <typename ConvolutionT>
static void foldZeroPoint(ConvolutionT op, bool isDepthwise) {
  std::optional<int64_t> point = getOnlyInteger(op.getInputZp());
  if (!multipliesBytes(op) || !point || *point == 0)
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  auto type = RankedTensorType::get(
      {cast<RankedTensorType>(op.getOutput().getType()).getShape().back()},
      builder.getI32Type());
  DenseElementsAttr bias = foldBias(op, type, *point, isDepthwise);
  if (!bias)
    return;
  op.getInputMutable().assign(padImage(builder, op));
  op.setPad({0, 0, 0, 0});
  auto points = cast<RankedTensorType>(op.getInputZp().getType());
  op.getBiasMutable().assign(
      tosa::ConstOp::create(builder, type, bias).getResult());
  op.getInputZpMutable().assign(
      tosa::ConstOp::create(
          builder, points,
          DenseElementsAttr::get(points, builder.getI8IntegerAttr(0)))
          .getResult());
}

/// Whether `op` neither has a zero point nor padding.
template <typename ConvolutionT>
static bool isPlain(ConvolutionT op) {
  return getOnlyInteger(op.getInputZp()) == 0 &&
         llvm::all_of(op.getPad(), [](int64_t size) { return size == 0; });
}

namespace {

struct FoldZeroPointsPass
    : mlirprof::codegen::impl::FoldZeroPointsPassBase<FoldZeroPointsPass> {
  using FoldZeroPointsPassBase::FoldZeroPointsPassBase;

  void runOnOperation() override {
    getOperation()->walk([](tosa::Conv2DOp op) {
      foldZeroPoint(op, /*isDepthwise=*/false);
      if (multipliesBytes(op) && isPlain(op))
        lowerByRows(op);
    });
    getOperation()->walk([](tosa::DepthwiseConv2DOp op) {
      foldZeroPoint(op, /*isDepthwise=*/true);
      if (multipliesBytes(op) && isPlain(op))
        lowerDepthwise(op);
    });
  }
};

} // namespace
