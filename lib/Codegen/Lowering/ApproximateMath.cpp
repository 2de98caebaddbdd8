//===- ApproximateMath.cpp - Polynomial approximations of functions -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses upstream's approximations if they are correct for all arguments. Those
// of sin and cos reduce their arguments by a multiple of pi in single
// precision, and that of cbrt does not handle infinity: these functions call
// the math library. The approximation of rsqrt is specific to one processor.
// Those of logarithms do not accept denormal arguments.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace mlirprof::codegen {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static bool isApproximated(StringRef name) {
  static const StringRef names[] = {
      math::AcosOp::getOperationName(), math::AsinOp::getOperationName(),
      math::AtanOp::getOperationName(), math::Atan2Op::getOperationName(),
      math::ErfOp::getOperationName(),  math::ErfcOp::getOperationName(),
      math::ExpOp::getOperationName(),  math::ExpM1Op::getOperationName(),
      math::LogOp::getOperationName(),  math::Log1pOp::getOperationName(),
      math::Log2Op::getOperationName(), math::TanhOp::getOperationName()};
  return llvm::is_contained(names, name);
}

static Value createConstant(OpBuilder &builder, Location location, Type type,
                            double value) {
  auto element = FloatAttr::get(getElementTypeOrSelf(type), value);
  TypedAttr attribute = element;
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(element));
  return arith::ConstantOp::create(builder, location, attribute);
}

/// Computes `op`, a logarithm, of a denormal x as the logarithm of 2^23 x minus
/// `part`, the logarithm of 2^23.
static void scaleDenormals(Operation *op, double part) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  Value argument = op->getOperand(0);
  Type type = argument.getType();
  auto constant = [&](double value) {
    return createConstant(builder, location, type, value);
  };
  Value isSmall =
      arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OLT,
                            argument, constant(0x1p-126));
  Value scaled =
      arith::MulFOp::create(builder, location, argument, constant(0x1p23));
  op->setOperand(
      0, arith::SelectOp::create(builder, location, isSmall, scaled, argument));
  Value less = arith::SelectOp::create(builder, location, isSmall,
                                       constant(part), constant(0));
  builder.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  auto difference = arith::SubFOp::create(builder, location, result, less);
  result.replaceAllUsesExcept(difference, difference);
}

/// Makes the angles of two zeros or infinities, and those whose quotient is
/// zero, those of C: the approximation needs the sign of the quotient.
static void takeExactAngles(math::Atan2Op op) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  Value y = op.getLhs(), x = op.getRhs();
  Type type = x.getType();
  auto constant = [&](double value) {
    return createConstant(builder, location, type, value);
  };
  auto copySign = [&](Value of, Value sign) -> Value {
    return math::CopySignOp::create(builder, location, of, sign);
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value a,
                     double b) -> Value {
    return arith::CmpFOp::create(builder, location, predicate, a, constant(b));
  };
  auto select = [&](Value condition, Value a, Value b) -> Value {
    return arith::SelectOp::create(builder, location, condition, a, b);
  };
  auto isInfinite = [&](Value value) {
    return compare(arith::CmpFPredicate::OEQ,
                   math::AbsFOp::create(builder, location, value), INFINITY);
  };
  Value areInfinite =
      arith::AndIOp::create(builder, location, isInfinite(x), isInfinite(y));
  Value signOfX = copySign(constant(1), x), signOfY = copySign(constant(1), y);
  op->setOperands(
      {select(areInfinite, signOfY, y), select(areInfinite, signOfX, x)});
  builder.setInsertionPointAfter(op);
  constexpr double pi = 3.14159265358979323846;
  Value angle = select(compare(arith::CmpFPredicate::OLT, signOfX, 0),
                       constant(pi), constant(0));
  Value isZero = compare(arith::CmpFPredicate::OEQ, y, 0);
  Value isNumber =
      arith::CmpFOp::create(builder, location, arith::CmpFPredicate::ORD, x, x);
  Value isExact = arith::OrIOp::create(
      builder, location,
      arith::AndIOp::create(builder, location, isZero, isNumber),
      compare(arith::CmpFPredicate::OEQ,
              arith::DivFOp::create(builder, location, y, x), 0));
  auto exact = select(isExact, copySign(angle, y), op.getResult())
                   .getDefiningOp<arith::SelectOp>();
  op.getResult().replaceAllUsesExcept(exact, exact);
}

namespace {

struct ApproximateMathPass
    : mlirprof::codegen::impl::ApproximateMathPassBase<ApproximateMathPass> {
  using ApproximateMathPassBase::ApproximateMathPassBase;

  void runOnOperation() override {
    bool succeeded = apply([](RewritePatternSet &patterns) {
      populateMathAlgebraicSimplificationPatterns(patterns);
      populateMathF32ExpansionPatterns(patterns, isApproximated);
    });
    SmallVector<math::Atan2Op> angles;
    getOperation().walk([&](math::Atan2Op op) {
      if (getElementTypeOrSelf(op.getType()).isF32())
        angles.push_back(op);
    });
    llvm::for_each(angles, takeExactAngles);
    getOperation().walk([](Operation *op) {
      constexpr double logOfTwo = 0.693147180559945309417;
      if (!isa<math::LogOp, math::Log2Op>(op) ||
          !getElementTypeOrSelf(op->getResult(0)).isF32())
        return;
      scaleDenormals(op, isa<math::LogOp>(op) ? 23 * logOfTwo : 23);
    });
    succeeded &= apply([](RewritePatternSet &patterns) {
      populateMathPolynomialApproximationPatterns(patterns, isApproximated);
    });
    if (!succeeded)
      signalPassFailure();
  }

private:
  bool apply(llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    return !failed(applyPatternsGreedily(getOperation(), std::move(patterns)));
  }
};

} // namespace
