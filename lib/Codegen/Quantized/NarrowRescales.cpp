//===- NarrowRescales.cpp - Scales of integers in 32 bits -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tosa.rescale multiplies a number v by m / 2^s, in 64 bits, and rounds:
//
//   (v * m + 2^(s-1)) >> s                         once
//   (v * m + 2^(s-1) +- 2^30) >> s   for s > 31    twice, the sign is that of v
//
// The high half of a product of 32 bits is an instruction of most machines. If
// v << a stays in 32 bits, the same number is, with r = s - 31,
//
//   s <= 31, a = 32 - s:   q = ((v << a) * m + 2^31) >> 32
//   s > 31, once:          ((v << 1) * m >> 32) + 2^(r-1)) >> r
//   s > 31, twice:         q = ((v << 1) * m + 2^31) >> 32
//                          (q + (q >> 31) + 2^(r-1)) >> r
//
// For the last one: floor divisions by 2^31 and by 2^r follow each other. For
// v >= 0, q >= 0 and the numbers are equal. For v < 0, the first division of
// v * m - 2^30 is q - 1; if q is 0, the second rounds both q and q - 1 to 0.
//
//===----------------------------------------------------------------------===//

#include "IntegerRanges.h"
#include "QuantizedOps.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/SmallCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_NARROWRESCALESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// A tosa.rescale whose numbers are known to stay in 32 bits.
struct Scale {
  std::vector<int64_t> factors, shifts;
  int64_t from = 0, to = 0;
  /// Whether all shifts are by more than 31 bits; else there is only one.
  bool isLong = false;
  bool roundsTwice = false;

  bool hasOneFactor() const { return llvm::all_equal(factors); }
  bool hasOneShift() const { return llvm::all_equal(shifts); }
};

} // namespace

/// The bits by which a second division of a long shift is by most: the rounding
/// term and the zero point stay in 32 bits.
static constexpr int64_t kMostRest = 22;
static constexpr int64_t kMostPoint = 255;

static bool isSignedWord(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isInteger(8) || type.isInteger(16) || type.isInteger(32);
}

static bool fits(const Scale &scale, int64_t distance) {
  if (scale.isLong)
    return distance < (int64_t(1) << 30) && std::abs(scale.to) <= kMostPoint &&
           *llvm::max_element(scale.shifts) <= 31 + kMostRest;
  int64_t shift = scale.shifts.front();
  return scale.hasOneShift() && shift >= 2 &&
         distance < (int64_t(1) << (shift - 1));
}

static std::optional<Scale> findScale(tosa::RescaleOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getOutput().getType());
  if (!type || !type.hasStaticShape() || type.getRank() == 0 ||
      op.getInput().getType().getShape() != type.getShape() ||
      !op.getScale32() || op.getInputUnsigned() || op.getOutputUnsigned() ||
      !isSignedWord(op.getInput()) || !isSignedWord(op.getOutput()) ||
      op.getRoundingMode() == tosa::RoundingMode::INEXACT_ROUND)
    return std::nullopt;
  std::optional<std::vector<int64_t>> factors = getIntegers(op.getMultiplier());
  std::optional<std::vector<int64_t>> shifts = getIntegers(op.getShift());
  std::optional<int64_t> from = getOnlyInteger(op.getInputZp()),
                         to = getOnlyInteger(op.getOutputZp());
  if (!factors || !shifts || !from || !to || factors->empty() ||
      shifts->empty() || *llvm::min_element(*factors) < 0)
    return std::nullopt;
  Scale scale{std::move(*factors), std::move(*shifts), *from, *to};
  scale.isLong = *llvm::min_element(scale.shifts) > 31;
  scale.roundsTwice = op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  if (!fits(scale, getIntegerRange(op.getInput()).getDistance(scale.from)))
    return std::nullopt;
  return scale;
}

namespace {

/// Emits the body for one number.
class ScaleBody {
public:
  ScaleBody(OpBuilder &builder, Location location, const Scale &scale)
      : builder(location, builder), scale(scale) {}

  /// The scaled `number`, which is clamped to the range of `type`.
  Value emit(Value number, Value factor, Value rest, Type type);

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, builder.getI32Type(), value);
  }
  Value constant64(int64_t value) {
    return arith::ConstantIntOp::create(builder, builder.getI64Type(), value);
  }
  template <typename OpT>
  Value make(Value left, Value right) {
    return OpT::create(builder, left, right);
  }
  Value widen(Value value, Type type) {
    return value.getType() == type
               ? value
               : Value(arith::ExtSIOp::create(builder, type, value));
  }
  Value multiplyHigh(Value left, Value right, bool rounds);
  Value divide(Value quotient, Value rest);

  ImplicitLocOpBuilder builder;
  const Scale &scale;
};

} // namespace

/// The high half of a product, rounded up from a half or down.
Value ScaleBody::multiplyHigh(Value left, Value right, bool rounds) {
  Type wide = builder.getI64Type();
  Value product = make<arith::MulIOp>(widen(left, wide), widen(right, wide));
  if (rounds)
    product = make<arith::AddIOp>(product, constant64(int64_t(1) << 31));
  Value high = make<arith::ShRSIOp>(product, constant64(32));
  return arith::TruncIOp::create(builder, builder.getI32Type(), high);
}

/// The rounded quotient of the second division, plus the zero point: before the
/// division, that is one constant, (1 + 2 * point) * 2^(r-1).
Value ScaleBody::divide(Value quotient, Value rest) {
  if (scale.roundsTwice)
    quotient = make<arith::AddIOp>(
        quotient, make<arith::ShRSIOp>(quotient, constant(31)));
  Value twice = make<arith::ShLIOp>(constant(1 + 2 * scale.to), rest);
  Value term = make<arith::ShRSIOp>(twice, constant(1));
  return make<arith::ShRSIOp>(make<arith::AddIOp>(quotient, term), rest);
}

Value ScaleBody::emit(Value number, Value factor, Value rest, Type type) {
  number = widen(number, builder.getI32Type());
  if (scale.from != 0)
    number = make<arith::SubIOp>(number, constant(scale.from));
  int64_t shift = scale.isLong ? 1 : 32 - scale.shifts.front();
  number = make<arith::ShLIOp>(number, constant(shift));
  Value result = multiplyHigh(number, factor,
                              /*rounds=*/!scale.isLong || scale.roundsTwice);
  if (scale.isLong)
    result = divide(result, rest);
  else if (scale.to != 0)
    result = make<arith::AddIOp>(result, constant(scale.to));
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 32)
    return result;
  result = make<arith::MaxSIOp>(result, constant(llvm::minIntN(width)));
  result = make<arith::MinSIOp>(result, constant(llvm::maxIntN(width)));
  return arith::TruncIOp::create(builder, type, result);
}

/// A constant of `numbers`, one for each channel. Where `staysTensor`, patterns
/// do not replace it by a number if all are equal.
template <typename T>
static Value makeNumbers(OpBuilder &builder, Location location,
                         ArrayRef<int64_t> numbers, bool staysTensor) {
  SmallVector<T> elements(numbers.begin(), numbers.end());
  auto type = RankedTensorType::get({int64_t(elements.size())},
                                    builder.getIntegerType(8 * sizeof(T)));
  ElementsAttr value = DenseElementsAttr::get(type, ArrayRef<T>(elements));
  if (staysTensor)
    value = DenseResourceElementsAttr::get(
        type, "numbers",
        HeapAsmResourceBlob::allocateAndCopyInferAlign(ArrayRef<T>(elements)));
  return arith::ConstantOp::create(builder, location,
                                   cast<TypedAttr>(Attribute(value)));
}

static void narrow(tosa::RescaleOp op, const Scale &scale) {
  OpBuilder builder(op);
  // In small code, all scales by channel are one kernel's.
  bool isSmall = op->getParentOfType<func::FuncOp>()->hasAttr(kSmallCode);
  Location location = op.getLoc();
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap channels = identity.getMinorSubMap(1);
  SmallVector<Value> inputs = {op.getInput()};
  SmallVector<AffineMap> maps = {identity};
  if (!scale.hasOneFactor()) {
    inputs.push_back(
        makeNumbers<int32_t>(builder, location, scale.factors, isSmall));
    maps.push_back(channels);
  }
  bool readsRest =
      scale.isLong && (isSmall ? !scale.hasOneFactor() : !scale.hasOneShift());
  if (readsRest) {
    SmallVector<int64_t> rests;
    for (int64_t shift : scale.shifts)
      rests.push_back(shift - 31);
    // Equal shifts are listed once.
    if (scale.hasOneShift())
      rests.resize(scale.factors.size(), rests.front());
    inputs.push_back(makeNumbers<int8_t>(builder, location, rests, isSmall));
    maps.push_back(channels);
  }
  maps.push_back(identity);
  Value empty = tensor::EmptyOp::create(builder, location, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto makeBody = [&](OpBuilder &body, Location where, ValueRange values) {
    Type word = body.getI32Type();
    auto makeWord = [&](int64_t number) -> Value {
      return arith::ConstantIntOp::create(body, where, word, number);
    };
    unsigned next = 1;
    Value factor =
        scale.hasOneFactor() ? makeWord(scale.factors.front()) : values[next++];
    Value rest;
    if (readsRest)
      rest = arith::ExtUIOp::create(body, where, word, values[next++]);
    else if (scale.isLong)
      rest = makeWord(scale.shifts.front() - 31);
    Value result = ScaleBody(body, where, scale)
                       .emit(values[0], factor, rest, type.getElementType());
    linalg::YieldOp::create(body, where, result);
  };
  auto made =
      linalg::GenericOp::create(builder, location, TypeRange{type}, inputs,
                                ValueRange{empty}, maps, iterators, makeBody);
  op.getOutput().replaceAllUsesWith(made.getResult(0));
  op.erase();
}

namespace {

struct NarrowRescalesPass
    : mlirprof::codegen::impl::NarrowRescalesPassBase<NarrowRescalesPass> {
  using NarrowRescalesPassBase::NarrowRescalesPassBase;

  void runOnOperation() override {
    // They need the rescales.
    lowerQuantizedResizes(getOperation());
    mergeSumScales(getOperation());
    // Ranges are read from ops that are not replaced yet.
    SmallVector<std::pair<tosa::RescaleOp, Scale>> found;
    getOperation()->walk([&](tosa::RescaleOp op) {
      if (std::optional<Scale> scale = findScale(op))
        found.emplace_back(op, std::move(*scale));
    });
    for (auto &[op, scale] : found)
      narrow(op, scale);
  }
};

} // namespace
