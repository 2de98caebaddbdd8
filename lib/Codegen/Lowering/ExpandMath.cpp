//===- ExpandMath.cpp - Math ops that upstream does not lower -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream lowers math.isnan and math.isfinite, but not the other
// classification ops. It expands math.clampf with the bounds swapped.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// `number` as a constant of `type`, a float or a vector of floats.
static Value makeConstant(OpBuilder &builder, Location location, Type type,
                          const llvm::APFloat &number) {
  TypedAttr attribute = FloatAttr::get(getElementTypeOrSelf(type), number);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(builder, location, type, attribute);
}

/// The result of `op`, math.isinf or math.isnormal.
static Value classify(OpBuilder &builder, Operation *op) {
  Location location = op->getLoc();
  Type type = op->getOperand(0).getType();
  const llvm::fltSemantics &semantics =
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
  Value size = math::AbsFOp::create(builder, location, op->getOperand(0));
  auto compare = [&](arith::CmpFPredicate predicate,
                     const llvm::APFloat &number) -> Value {
    return arith::CmpFOp::create(builder, location, predicate, size,
                                 makeConstant(builder, location, type, number));
  };
  llvm::APFloat infinity = llvm::APFloat::getInf(semantics);
  if (isa<math::IsInfOp>(op))
    return compare(arith::CmpFPredicate::OEQ, infinity);
  // Both comparisons are false for NaN.
  Value isLarge = compare(arith::CmpFPredicate::OGE,
                          llvm::APFloat::getSmallestNormalized(semantics));
  Value isFinite = compare(arith::CmpFPredicate::OLT, infinity);
  return arith::AndIOp::create(builder, location, isLarge, isFinite);
}

/// The result of `op`, computed by ops that have a lowering.
static Value expand(OpBuilder &builder, Operation *op) {
  auto clamp = dyn_cast<math::ClampFOp>(op);
  if (!clamp)
    return classify(builder, op);
  arith::FastMathFlagsAttr flags = clamp.getFastmathAttr();
  Value above =
      arith::MaximumFOp::create(builder, op->getLoc(), clamp.getValue(),
                                clamp.getMin(), flags.getValue());
  return arith::MinimumFOp::create(builder, op->getLoc(), above, clamp.getMax(),
                                   flags.getValue());
}

namespace {

struct ExpandMathPass
    : mlirprof::codegen::impl::ExpandMathPassBase<ExpandMathPass> {
  using ExpandMathPassBase::ExpandMathPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isa<math::ClampFOp, math::IsInfOp, math::IsNormalOp>(op))
        found.push_back(op);
    });
    for (Operation *op : found) {
      OpBuilder builder(op);
      op->getResult(0).replaceAllUsesWith(expand(builder, op));
      op->erase();
    }
  }
};

} // namespace
