//===- CheckDivisions.cpp - Divisions of integers -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors treat a division by zero in different ways, and LLVM may treat it
// as code that does not run. An assertion makes it an error everywhere. The
// quotient of the least integer and -1 does not fit, and some processors trap:
// such a division is computed as a negation, which wraps, as frameworks do. The
// same holds for the elements of vectors. A negative power of zero is a
// division by zero, too.
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CHECKDIVISIONSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static bool isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp, index::DivSOp, index::RemSOp,
             index::FloorDivSOp, index::CeilDivSOp>(op);
}

static bool isRemainder(Operation *op) {
  return isa<arith::RemSIOp, index::RemSOp>(op);
}

/// Whether `op` divides integers, or vectors of them; those of tensors are
/// bodies of structured ops.
static bool isDivision(Operation *op) {
  return (isSignedDivision(op) ||
          isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, index::DivUOp,
              index::RemUOp, index::CeilDivUOp>(op)) &&
         !isa<TensorType>(op->getResult(0).getType());
}

static bool isPower(Operation *op) {
  return isa<math::IPowIOp>(op) && !isa<TensorType>(op->getResult(0).getType());
}

/// Whether `divisor` is another number where it would be `number`: front ends
/// select one.
static bool isReplaced(Value divisor, int64_t number) {
  auto select = divisor.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>()
                        : arith::CmpIOp();
  APInt other, replacement;
  return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
         compare.getLhs() == select.getFalseValue() &&
         matchPattern(compare.getRhs(), m_ConstantInt(&other)) &&
         other.getSExtValue() == number &&
         matchPattern(select.getTrueValue(), m_ConstantInt(&replacement)) &&
         replacement.getSExtValue() != number;
}

namespace {

class DivisionChecker {
public:
  explicit DivisionChecker(func::FuncOp function)
      : rewriter(function.getContext()) {}

  void check(Operation *op);

private:
  bool mayBe(Value divisor, int64_t number);
  void assertAll(Value holds, Location location, StringRef message);
  void assertNotZero(Operation *op);
  void assertPower(Operation *op);
  void wrap(Operation *op);
  Value createConstant(Operation *op, int64_t number);

  IRRewriter rewriter;
  RangeFinder ranges;
};

} // namespace

bool DivisionChecker::mayBe(Value divisor, int64_t number) {
  ConstantIntRanges range = ranges.find(divisor);
  return range.smin().sle(number) && range.smax().sge(number) &&
         !isReplaced(divisor, number);
}

Value DivisionChecker::createConstant(Operation *op, int64_t number) {
  Type type = op->getResult(0).getType();
  TypedAttr value = rewriter.getIntegerAttr(getElementTypeOrSelf(type), number);
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(rewriter, op->getLoc(), value);
}

/// Asserts that `holds`, a number or all of a vector, is true.
void DivisionChecker::assertAll(Value holds, Location location,
                                StringRef message) {
  if (auto type = dyn_cast<VectorType>(holds.getType())) {
    auto row = VectorType::get({type.getNumElements()}, type.getElementType(),
                               {type.isScalable()});
    if (type != row)
      holds = vector::ShapeCastOp::create(rewriter, location, row, holds);
    holds = vector::ReductionOp::create(rewriter, location,
                                        vector::CombiningKind::AND, holds);
  }
  cf::AssertOp::create(rewriter, location, holds, message);
}

void DivisionChecker::assertNotZero(Operation *op) {
  Value divisor = op->getOperand(1);
  Value isGood =
      arith::CmpIOp::create(rewriter, op->getLoc(), arith::CmpIPredicate::ne,
                            divisor, createConstant(op, 0));
  assertAll(isGood, op->getLoc(), "division by zero");
}

void DivisionChecker::assertPower(Operation *op) {
  Value base = op->getOperand(0), exponent = op->getOperand(1);
  if (!mayBe(base, 0) || !ranges.find(exponent).smin().isNegative())
    return;
  Location location = op->getLoc();
  Value zero = createConstant(op, 0);
  Value isNotZero = arith::CmpIOp::create(rewriter, location,
                                          arith::CmpIPredicate::ne, base, zero);
  Value isNotNegative = arith::CmpIOp::create(
      rewriter, location, arith::CmpIPredicate::sge, exponent, zero);
  Value isGood =
      arith::OrIOp::create(rewriter, location, isNotZero, isNotNegative);
  assertAll(isGood, location, "division by zero: a negative power of zero");
}

/// Divides by 1 instead of -1, and negates the quotient.
void DivisionChecker::wrap(Operation *op) {
  Location location = op->getLoc();
  Value divisor = op->getOperand(1);
  Value isMinusOne =
      arith::CmpIOp::create(rewriter, location, arith::CmpIPredicate::eq,
                            divisor, createConstant(op, -1));
  op->setOperand(1, arith::SelectOp::create(rewriter, location, isMinusOne,
                                            createConstant(op, 1), divisor));
  if (isRemainder(op))
    return;
  rewriter.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  auto negated =
      arith::SubIOp::create(rewriter, location, createConstant(op, 0), result);
  auto either =
      arith::SelectOp::create(rewriter, location, isMinusOne, negated, result);
  result.replaceUsesWithIf(either, [&](OpOperand &use) {
    return use.getOwner() != negated && use.getOwner() != either;
  });
}

void DivisionChecker::check(Operation *op) {
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    ranges.assume(assertion);
    return;
  }
  rewriter.setInsertionPoint(op);
  if (isPower(op))
    assertPower(op);
  if (!isDivision(op))
    return;
  Value divisor = op->getOperand(1), dividend = op->getOperand(0);
  if (mayBe(divisor, 0))
    assertNotZero(op);
  bool mayBeLeast = ranges.find(dividend).smin().isMinSignedValue();
  if (isSignedDivision(op) && mayBeLeast && mayBe(divisor, -1))
    wrap(op);
}

/// Gives ops that divide a body of their own, in which there may be checks.
static void generalize(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op.getOperation()) &&
        llvm::any_of(*op.getBlock(), [](Operation &inner) {
          return isDivision(&inner) || isPower(&inner);
        }))
      ops.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

namespace {

struct CheckDivisionsPass
    : mlirprof::codegen::impl::CheckDivisionsPassBase<CheckDivisionsPass> {
  using CheckDivisionsPassBase::CheckDivisionsPassBase;

  void runOnOperation() override {
    generalize(getOperation());
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { ops.push_back(op); });
    DivisionChecker checker(getOperation());
    for (Operation *op : ops)
      checker.check(op);
  }
};

} // namespace
