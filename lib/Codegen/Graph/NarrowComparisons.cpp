//===- NarrowComparisons.cpp - Comparing before widening ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends compare floats with constants of their own language, in double
// precision. If the narrow type has the constant, too, the comparison has the
// same result without the conversion, which halves the lanes of a vector.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_NARROWCOMPARISONSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// `value` in `type`, if that does not change it; null otherwise.
static Value narrow(OpBuilder &builder, Value value, FloatType type) {
  if (auto widened = value.getDefiningOp<arith::ExtFOp>())
    return widened.getIn().getType() == type ? widened.getIn() : Value();
  APFloat number(0.0);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return {};
  bool isChanged = false;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &isChanged);
  if (isChanged || number.isSignaling())
    return {};
  return arith::ConstantOp::create(builder, value.getLoc(),
                                   builder.getFloatAttr(type, number));
}

static void narrowOperands(arith::CmpFOp compare) {
  auto widened = compare.getLhs().getDefiningOp<arith::ExtFOp>();
  if (!widened)
    widened = compare.getRhs().getDefiningOp<arith::ExtFOp>();
  auto type =
      widened ? dyn_cast<FloatType>(widened.getIn().getType()) : FloatType();
  if (!type)
    return;
  OpBuilder builder(compare);
  Value lhs = narrow(builder, compare.getLhs(), type);
  Value rhs = lhs ? narrow(builder, compare.getRhs(), type) : Value();
  if (rhs)
    compare->setOperands({lhs, rhs});
}

namespace {

struct NarrowComparisonsPass
    : mlirprof::codegen::impl::NarrowComparisonsPassBase<
          NarrowComparisonsPass> {
  using NarrowComparisonsPassBase::NarrowComparisonsPassBase;

  void runOnOperation() override {
    getOperation().walk(narrowOperands);
    // Conversions without a use would still be counted as work.
    getOperation().walk([](Operation *op) {
      if (isa<arith::ExtFOp>(op) && op->use_empty())
        op->erase();
    });
  }
};

} // namespace
