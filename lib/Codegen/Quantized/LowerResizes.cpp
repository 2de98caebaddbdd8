//===- LowerResizes.cpp - Resizing integers with a scale ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerRanges.h"
#include "QuantizedOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlirprof;

/// Bits behind the point of a place.
static constexpr unsigned kPlaceBits = 10;

namespace {
/// How places of the result become places of the input, in one dimension.
struct Scaling {
  /// The last element of the input.
  int64_t last = 0;
  /// The distance of neighbors in units of 2^-10, and the place of the first.
  int64_t step = 0, first = 0;
};

/// A resize, and the rescale after it.
struct ResizePair {
  tosa::ResizeOp resize;
  tosa::RescaleOp rescale;
  Scaling height, width;
};

/// The two neighbors of a place, and how much each of them counts.
struct Neighbors {
  Value lower, upper, lowerWeight, upperWeight;
};
} // namespace

/// The scaling by `denominator` / `numerator`, if `offset` is what TensorFlow
/// Lite has: the centers of the first elements, or of their pixels, coincide.
static std::optional<Scaling> getScaling(int64_t size, int64_t numerator,
                                         int64_t denominator, int64_t offset) {
  Scaling scaling;
  scaling.last = size - 1;
  scaling.step = ((denominator << kPlaceBits) + numerator / 2) / numerator;
  if (offset == 0)
    return scaling;
  if (2 * offset != denominator - numerator)
    return std::nullopt;
  scaling.first = scaling.step / 2 - (1 << (kPlaceBits - 1));
  return scaling;
}

/// Whether `rescale` divides by `divisor` and does nothing else.
static bool isDivision(tosa::RescaleOp rescale, int64_t divisor) {
  std::optional<int64_t> multiplier =
                             codegen::getOnlyInteger(rescale.getMultiplier()),
                         shift = codegen::getOnlyInteger(rescale.getShift()),
                         inputZero =
                             codegen::getOnlyInteger(rescale.getInputZp()),
                         outputZero =
                             codegen::getOnlyInteger(rescale.getOutputZp());
  if (!multiplier || !shift || *shift < 0 || *shift > 62 || inputZero != 0 ||
      outputZero != 0 || rescale.getInputUnsigned() ||
      rescale.getOutputUnsigned())
    return false;
  // As exactly as the multiplier's bits allow.
  double ratio = double(*multiplier) * double(divisor) / double(1LL << *shift);
  double accuracy = rescale.getScale32() ? 0x1p-29 : 0x1p-13;
  return std::abs(ratio - 1) <= accuracy;
}

/// `resize` and its rescale, if they are alike in TensorFlow Lite.
static std::optional<ResizePair> getPair(tosa::ResizeOp resize) {
  auto input = dyn_cast<RankedTensorType>(resize.getInput().getType());
  SmallVector<int64_t> scale, offset;
  if (resize.getMode() != tosa::ResizeMode::BILINEAR || !input ||
      !input.getElementType().isSignlessInteger() ||
      input.getElementTypeBitWidth() > 16 ||
      ShapedType::isDynamicShape(input.getShape().slice(1, 2)) ||
      !tosa::getConstShapeValues(resize.getScale().getDefiningOp(), scale) ||
      !tosa::getConstShapeValues(resize.getOffset().getDefiningOp(), offset) ||
      !resize->hasOneUse())
    return std::nullopt;
  auto rescale = dyn_cast<tosa::RescaleOp>(*resize->user_begin());
  if (!rescale ||
      getElementTypeOrSelf(rescale.getType()) != input.getElementType() ||
      !cast<ShapedType>(rescale.getType()).hasStaticShape() ||
      !isDivision(rescale, scale[0] * scale[2]))
    return std::nullopt;
  auto height = getScaling(input.getDimSize(1), scale[0], scale[1], offset[0]);
  auto width = getScaling(input.getDimSize(2), scale[2], scale[3], offset[1]);
  if (!height || !width)
    return std::nullopt;
  return ResizePair{resize, rescale, *height, *width};
}

/// The neighbors of element `dimension` of the result, in integers of `type`.
static Neighbors findNeighbors(ImplicitLocOpBuilder &builder, Type type,
                               unsigned dimension, const Scaling &scaling) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, type, value);
  };
  auto clamp = [&](Value value) -> Value {
    Value least = arith::MaxSIOp::create(builder, value, constant(0));
    return arith::MinSIOp::create(builder, least, constant(scaling.last));
  };
  auto toIndex = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, builder.getIndexType(), value);
  };
  Value bits = constant(kPlaceBits), one = constant(1 << kPlaceBits);
  Value number = arith::IndexCastOp::create(
      builder, type, linalg::IndexOp::create(builder, dimension));
  Value place = arith::AddIOp::create(
      builder, arith::MulIOp::create(builder, number, constant(scaling.step)),
      constant(scaling.first));
  Value next =
      arith::AddIOp::create(builder, place, constant((1 << kPlaceBits) - 1));
  Value lower = clamp(arith::ShRSIOp::create(builder, place, bits));
  Value upper = clamp(arith::ShRSIOp::create(builder, next, bits));
  Value upperWeight = arith::SubIOp::create(
      builder, place, arith::ShLIOp::create(builder, lower, bits));
  Value lowerWeight = arith::SubIOp::create(builder, one, upperWeight);
  return {toIndex(lower), toIndex(upper), lowerWeight, upperWeight};
}

/// `sum` in units of 2^-20, rounded to an integer, halves away from zero.
static Value roundPlaces(ImplicitLocOpBuilder &builder, Value sum) {
  Type type = sum.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, type, value);
  };
  // -1 for negative numbers.
  Value sign = arith::ShRSIOp::create(
      builder, sum, constant(type.getIntOrFloatBitWidth() - 1));
  Value half = constant(1 << (2 * kPlaceBits - 1));
  Value biased = arith::AddIOp::create(
      builder, arith::AddIOp::create(builder, sum, half), sign);
  return arith::ShRSIOp::create(builder, biased, constant(2 * kPlaceBits));
}

/// The element of the result at the current indices.
static Value interpolate(ImplicitLocOpBuilder &builder, ResizePair pair) {
  Value input = pair.resize.getInput();
  Type element = getElementTypeOrSelf(input.getType());
  // Weights have 11 bits and a sign.
  Type wide =
      builder.getIntegerType(element.getIntOrFloatBitWidth() > 8 ? 64 : 32);
  Neighbors y = findNeighbors(builder, wide, 1, pair.height);
  Neighbors x = findNeighbors(builder, wide, 2, pair.width);
  Value batch = linalg::IndexOp::create(builder, 0);
  Value channel = linalg::IndexOp::create(builder, 3);
  auto weigh = [&](Value row, Value column, Value weight) -> Value {
    Value number = tensor::ExtractOp::create(
        builder, input, ValueRange{batch, row, column, channel});
    Value extended = arith::ExtSIOp::create(builder, wide, number);
    return arith::MulIOp::create(builder, extended, weight);
  };
  auto addRow = [&](Value row, Value weight) -> Value {
    Value sum =
        arith::AddIOp::create(builder, weigh(row, x.lower, x.lowerWeight),
                              weigh(row, x.upper, x.upperWeight));
    return arith::MulIOp::create(builder, sum, weight);
  };
  Value sum = arith::AddIOp::create(builder, addRow(y.lower, y.lowerWeight),
                                    addRow(y.upper, y.upperWeight));
  return arith::TruncIOp::create(builder, element, roundPlaces(builder, sum));
}

static void lowerPair(ResizePair pair) {
  OpBuilder builder(pair.rescale);
  auto type = cast<RankedTensorType>(pair.rescale.getType());
  Location location =
      builder.getFusedLoc({pair.resize.getLoc(), pair.rescale.getLoc()});
  Value empty = tensor::EmptyOp::create(builder, location, type.getShape(),
                                        type.getElementType());
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      builder, location, type, ValueRange(), empty, map, loops,
      [&](OpBuilder &inner, Location, ValueRange) {
        ImplicitLocOpBuilder body(location, inner);
        linalg::YieldOp::create(body, interpolate(body, pair));
      });
  pair.rescale->replaceAllUsesWith(op);
  pair.rescale.erase();
  pair.resize.erase();
}

void codegen::lowerQuantizedResizes(Operation *root) {
  SmallVector<ResizePair> pairs;
  root->walk([&](tosa::ResizeOp op) {
    if (auto pair = getPair(op))
      pairs.push_back(*pair);
  });
  for (ResizePair pair : pairs)
    lowerPair(pair);
}
