//===- MergeSumScales.cpp - Sums of integers with a scale -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerRanges.h"
#include "QuantizedOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlirprof;

namespace {
/// multiplier / 2^shift.
struct Scale {
  int64_t multiplier = 0, shift = 0;
};
} // namespace

/// The scale of `op`, if all elements have the same one, of 31 bits.
static std::optional<Scale> getScale(tosa::RescaleOp op) {
  auto multiplier = codegen::getOnlyInteger(op.getMultiplier()),
       shift = codegen::getOnlyInteger(op.getShift());
  if (!multiplier || !shift || *multiplier <= 0 || !op.getScale32() ||
      op.getInputUnsigned() || op.getOutputUnsigned())
    return std::nullopt;
  return Scale{*multiplier, *shift};
}

static void setScale(tosa::RescaleOp op, Scale scale) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  auto constant = [&](Value old, int64_t number) -> Value {
    auto type = cast<RankedTensorType>(old.getType());
    auto value = DenseElementsAttr::get(
        type, builder.getIntegerAttr(type.getElementType(), number));
    return tosa::ConstOp::create(builder, type, value);
  };
  op.getMultiplierMutable().assign(
      constant(op.getMultiplier(), scale.multiplier));
  op.getShiftMutable().assign(constant(op.getShift(), scale.shift));
}

/// The quotient of the scales from whose multipliers `first` and `last` come,
/// as TensorFlow Lite rounds it.
static Scale multiply(Scale first, Scale last) {
  constexpr int bits = 31;
  // The multiplier of `last` has more bits than the scale whose inverse it is.
  float input = float(first.multiplier),
        output = float(1.0 / double(last.multiplier));
  int exponent;
  double mantissa = std::frexp(double(input) / double(output), &exponent);
  int64_t multiplier = std::llround(std::ldexp(mantissa, bits));
  if (multiplier == int64_t(1) << bits) {
    multiplier /= 2;
    ++exponent;
  }
  return {multiplier, bits - exponent + first.shift + last.shift};
}

/// The rescale at the end of the sums that begin with `value`.
static tosa::RescaleOp findEnd(Value value) {
  bool hasSum = false;
  while (value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (auto end = dyn_cast<tosa::RescaleOp>(user))
      return hasSum ? end : tosa::RescaleOp();
    if (!isa<tosa::ReduceSumOp>(user))
      break;
    hasSum = true;
    value = user->getResult(0);
  }
  return {};
}

/// Moves the scale of `begin`, if sums come between it and another one.
static void mergeScale(tosa::RescaleOp begin) {
  constexpr Scale one = {1 << 30, 30};
  constexpr int64_t leastShift = 2, mostShift = 62;
  tosa::RescaleOp end = findEnd(begin.getResult());
  std::optional<Scale> first = getScale(begin),
                       last = end ? getScale(end) : std::nullopt;
  if (!first || !last || !getElementTypeOrSelf(begin.getInput()).isInteger(8) ||
      !getElementTypeOrSelf(begin.getType()).isInteger(32) ||
      !getElementTypeOrSelf(end.getType()).isInteger(8) ||
      codegen::getOnlyInteger(begin.getOutputZp()) != 0 ||
      codegen::getOnlyInteger(end.getInputZp()) != 0)
    return;
  // A power of two is exact where it is.
  if (llvm::isPowerOf2_64(uint64_t(first->multiplier)))
    return;
  Scale product = multiply(*first, *last);
  if (product.shift < leastShift || product.shift > mostShift)
    return;
  setScale(begin, one);
  setScale(end, product);
}

void codegen::mergeSumScales(Operation *root) { root->walk(mergeScale); }
