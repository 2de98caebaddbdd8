//===- RoundToBFloat.cpp - Rounding wide floats to bf16 once --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No processor rounds f64 to bf16 directly. LLVM calls a function of the
// compiler runtime (__truncdfbf2), which many runtimes do not have. Upstream's
// expansion goes through f32 and rounds twice: 1 + 2^-8 + 2^-40 is just above
// the midpoint of two bf16 numbers, is rounded to the midpoint in f32, and then
// to the smaller number.
//
// Here the step to f32 rounds to odd: a number that is not exact in f32 is
// rounded to the neighbor whose last bit is 1. Such a number is never a
// midpoint, and lies on the same side of every midpoint as the original number,
// because f32 has more than two bits more than bf16 (Boldo and Melquiond,
// "Emulation of a FMA and correctly rounded sums: proved algorithms using
// rounding to odd", IEEE Transactions on Computers 57, 2008).
//
//   %r = arith.truncf %x : f64 to bf16
//
// becomes
//
//   %f = arith.truncf %x : f64 to f32             // to nearest
//   %y = arith.extf %f : f32 to f64
//   %b = arith.bitcast %f : f32 to i32
//
// If |%y| < |%x|, the other neighbor is one further from 0, otherwise one
// nearer. It is selected if %y is neither %x nor NaN and the last bit of %b is
// 0:
//
//   %o = arith.select (|%y| < |%x|), %b + 1, %b - 1
//   %s = arith.select (%y != %x and %b is even), %o, %b
//   %r = arith.truncf (arith.bitcast %s : i32 to f32) : f32 to bf16
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_ROUNDTOBFLOATPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// `like` with another element type; null if it is neither a number nor a
/// vector.
static Type withElement(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return isa<FloatType>(like) ? element : Type();
}

static Value makeInteger(OpBuilder &builder, Location location, Type type,
                         int64_t value) {
  TypedAttr attribute = builder.getI32IntegerAttr(int32_t(value));
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(builder, location, type, attribute);
}

/// `wide`, which has more bits than f32, rounded to odd in f32.
static Value roundToOdd(OpBuilder &builder, Location location, Value wide) {
  Type type = wide.getType();
  Type single = withElement(type, builder.getF32Type()),
       bitType = withElement(type, builder.getI32Type());
  Value near = arith::TruncFOp::create(builder, location, single, wide);
  Value back = arith::ExtFOp::create(builder, location, type, near);
  Value bits = arith::BitcastOp::create(builder, location, bitType, near);
  Value one = makeInteger(builder, location, bitType, 1),
        zero = makeInteger(builder, location, bitType, 0);
  Value isNearer =
      arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OLT,
                            math::AbsFOp::create(builder, location, back),
                            math::AbsFOp::create(builder, location, wide));
  Value other = arith::SelectOp::create(
      builder, location, isNearer,
      arith::AddIOp::create(builder, location, bits, one),
      arith::SubIOp::create(builder, location, bits, one));
  Value isInexact = arith::CmpFOp::create(
      builder, location, arith::CmpFPredicate::ONE, back, wide);
  Value last = arith::AndIOp::create(builder, location, bits, one);
  Value isEven = arith::CmpIOp::create(builder, location,
                                       arith::CmpIPredicate::eq, last, zero);
  Value isOther = arith::AndIOp::create(builder, location, isInexact, isEven);
  Value odd = arith::SelectOp::create(builder, location, isOther, other, bits);
  return arith::BitcastOp::create(builder, location, single, odd);
}

/// Whether `op` rounds to the nearest bf16 from more than f32.
static bool isWideToBFloat(arith::TruncFOp op) {
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(op.getIn().getType()));
  std::optional<arith::RoundingMode> mode = op.getRoundingmode();
  return from && from.getWidth() > 32 &&
         getElementTypeOrSelf(op.getType()).isBF16() &&
         withElement(op.getType(), op.getType()) &&
         (!mode || *mode == arith::RoundingMode::to_nearest_even);
}

namespace {

struct RoundToBFloatPass
    : mlirprof::codegen::impl::RoundToBFloatPassBase<RoundToBFloatPass> {
  using RoundToBFloatPassBase::RoundToBFloatPassBase;

  void runOnOperation() override {
    SmallVector<arith::TruncFOp> found;
    getOperation()->walk([&](arith::TruncFOp op) {
      if (isWideToBFloat(op))
        found.push_back(op);
    });
    for (arith::TruncFOp op : found) {
      OpBuilder builder(op);
      op.getInMutable().set(roundToOdd(builder, op.getLoc(), op.getIn()));
    }
  }
};

} // namespace
