//===- Ranges.cpp - Ranges of integers in a model -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Ops of a chain that are looked through: a model may have any number.
static constexpr unsigned kMostDepth = 64;

static ConstantIntRanges getAll(Value value) {
  return ConstantIntRanges::maxRange(
      ConstantIntRanges::getStorageBitwidth(value.getType()));
}

/// The numbers of [0, most] as those of a type of `width` bits.
static ConstantIntRanges getUpTo(unsigned width, int64_t most) {
  return ConstantIntRanges::fromSigned(APInt::getZero(width),
                                       APInt(width, most));
}

/// The range of the number of an iteration, if `value` is one.
std::optional<ConstantIntRanges> RangeFinder::inferLoop(Value value) {
  constexpr unsigned width = IndexType::kInternalStorageBitWidth;
  if (auto index = value.getDefiningOp<linalg::IndexOp>()) {
    auto op = dyn_cast<linalg::LinalgOp>(index->getParentOp());
    int64_t size =
        op ? op.getStaticLoopRanges()[index.getDim()] : ShapedType::kDynamic;
    // The body does not run without iterations.
    bool isKnown = !ShapedType::isDynamic(size) && size > 0;
    return getUpTo(width, isKnown ? size - 1 : INT64_MAX);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast_or_null<LoopLikeOpInterface>(
                             argument.getOwner()->getParentOp())
                       : LoopLikeOpInterface();
  // Bounds of unsigned numbers are other ones.
  if (auto counted = dyn_cast_or_null<scf::ForOp>(loop.getOperation()))
    if (counted.getUnsignedCmp())
      return std::nullopt;
  auto numbers = loop ? loop.getLoopInductionVars() : std::nullopt;
  auto lower = loop ? loop.getLoopLowerBounds() : std::nullopt;
  auto upper = loop ? loop.getLoopUpperBounds() : std::nullopt;
  auto steps = loop ? loop.getLoopSteps() : std::nullopt;
  if (!numbers || !lower || !upper || !steps || !value.getType().isIndex())
    return std::nullopt;
  auto bound = [&](OpFoldResult of) {
    if (std::optional<int64_t> number = getConstantIntValue(of))
      return ConstantIntRanges::constant(APInt(width, *number));
    auto dynamic = dyn_cast<Value>(of);
    return dynamic ? find(dynamic) : ConstantIntRanges::maxRange(width);
  };
  for (auto [number, begin, end, step] :
       llvm::zip_equal(*numbers, *lower, *upper, *steps)) {
    std::optional<int64_t> forward = getConstantIntValue(step);
    if (number != value || !forward || *forward <= 0)
      continue;
    APInt least = bound(begin).smin(), most = bound(end).smax();
    if (most.isMinSignedValue() || (most - 1).slt(least))
      return std::nullopt;
    // A step beyond the largest integer ends at negative ones.
    bool overflows = false;
    (void)(most - 1).sadd_ov(APInt(width, *forward), overflows);
    if (overflows)
      return std::nullopt;
    return ConstantIntRanges::fromSigned(least, most - 1);
  }
  return std::nullopt;
}

ConstantIntRanges RangeFinder::infer(Value value) {
  if (std::optional<ConstantIntRanges> loop = inferLoop(value))
    return *loop;
  auto op = value.getDefiningOp<InferIntRangeInterface>();
  if (!op || op->getNumRegions() != 0 || depth == kMostDepth)
    return getAll(value);
  ++depth;
  SmallVector<IntegerValueRange> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        ConstantIntRanges::getStorageBitwidth(operand.getType()) != 0
            ? IntegerValueRange(find(operand))
            : IntegerValueRange::getMaxRange(operand));
  --depth;
  ConstantIntRanges result = getAll(value);
  op.inferResultRangesFromOptional(
      operands, [&](Value of, const IntegerValueRange &range) {
        if (of == value && !range.isUninitialized())
          result = range.getValue();
      });
  return result;
}

ConstantIntRanges RangeFinder::find(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  ConstantIntRanges range = infer(value);
  known.try_emplace(value, range);
  return range;
}

void RangeFinder::narrow(Value value, const ConstantIntRanges &range) {
  ConstantIntRanges both = find(value).intersection(range);
  known.erase(value);
  known.try_emplace(value, both);
}

/// The numbers x with `x predicate y` for some y in `other`.
static ConstantIntRanges getSatisfying(arith::CmpIPredicate predicate,
                                       const ConstantIntRanges &other) {
  unsigned width = other.smin().getBitWidth();
  APInt least = APInt::getSignedMinValue(width),
        most = APInt::getSignedMaxValue(width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return other;
  case arith::CmpIPredicate::slt:
    if (!other.smax().isMinSignedValue())
      return ConstantIntRanges::fromSigned(least, other.smax() - 1);
    break;
  case arith::CmpIPredicate::sle:
    return ConstantIntRanges::fromSigned(least, other.smax());
  case arith::CmpIPredicate::sgt:
    if (!other.smin().isMaxSignedValue())
      return ConstantIntRanges::fromSigned(other.smin() + 1, most);
    break;
  case arith::CmpIPredicate::sge:
    return ConstantIntRanges::fromSigned(other.smin(), most);
  case arith::CmpIPredicate::ult:
    if (!other.umax().isZero())
      return ConstantIntRanges::fromUnsigned(APInt::getZero(width),
                                             other.umax() - 1);
    break;
  case arith::CmpIPredicate::ule:
    return ConstantIntRanges::fromUnsigned(APInt::getZero(width), other.umax());
  default:
    break;
  }
  return ConstantIntRanges::maxRange(width);
}

/// Values of other blocks are not narrowed: they are used elsewhere, too.
void RangeFinder::assume(Value condition, Block *block) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>();
      both && depth < kMostDepth) {
    ++depth;
    assume(both.getLhs(), block);
    assume(both.getRhs(), block);
    --depth;
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getLhs().getParentBlock() != block ||
      ConstantIntRanges::getStorageBitwidth(compare.getLhs().getType()) == 0)
    return;
  narrow(compare.getLhs(),
         getSatisfying(compare.getPredicate(), find(compare.getRhs())));
}

void RangeFinder::assume(cf::AssertOp assertion) {
  assume(assertion.getArg(), assertion->getBlock());
}

void RangeFinder::assumeInside(Value number, int64_t size) {
  narrow(number,
         getUpTo(ConstantIntRanges::getStorageBitwidth(number.getType()),
                 size - 1));
}
