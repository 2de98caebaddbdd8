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

namespace {

struct ApproximateMathPass
    : mlirprof::codegen::impl::ApproximateMathPassBase<ApproximateMathPass> {
  using ApproximateMathPassBase::ApproximateMathPassBase;

  void runOnOperation() override {
    bool succeeded = apply([](RewritePatternSet &patterns) {
      populateMathAlgebraicSimplificationPatterns(patterns);
      populateMathF32ExpansionPatterns(patterns, isApproximated);
    });
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
