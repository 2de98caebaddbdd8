//===- TripCounts.cpp - Trip counts of loops ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TripCounts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

static bool isConstant(OpFoldResult value) {
  return getConstantIntValue(value).has_value();
}

static bool isOutside(Value value, Operation *op) {
  return !op->isAncestor(value.getParentRegion()->getParentOp());
}

bool LoopRanges::isStatic() const {
  return operands.empty() &&
         llvm::all_of(dimensions, [](const LoopRange &range) {
           return isConstant(range.lower) && isConstant(range.upper) &&
                  isConstant(range.step);
         });
}

bool LoopRanges::isDefinedOutside(Operation *op) const {
  auto isKnown = [&](OpFoldResult bound) {
    auto value = dyn_cast<Value>(bound);
    return isConstant(bound) || isOutside(value, op);
  };
  return llvm::all_of(operands,
                      [&](Value operand) { return isOutside(operand, op); }) &&
         llvm::all_of(dimensions, [&](const LoopRange &range) {
           return isKnown(range.lower) && isKnown(range.upper) &&
                  isKnown(range.step);
         });
}

/// For an affine loop with dynamic bounds, which are maps of operands.
static LoopRanges getAffineRanges(affine::AffineForOp loop) {
  LoopRanges ranges;
  llvm::append_range(ranges.operands, loop.getLowerBoundOperands());
  llvm::append_range(ranges.operands, loop.getUpperBoundOperands());
  return ranges;
}

static LoopRanges getTeamRanges(omp::LoopNestOp nest) {
  LoopRanges ranges;
  ranges.isInclusive = nest.getLoopInclusive();
  for (auto [lower, upper, step] :
       llvm::zip_equal(nest.getLoopLowerBounds(), nest.getLoopUpperBounds(),
                       nest.getLoopSteps()))
    ranges.dimensions.push_back({lower, upper, step});
  return ranges;
}

std::optional<LoopRanges> transforms::getLoopRanges(Operation *op) {
  if (auto wrapper = dyn_cast<omp::LoopWrapperInterface>(op)) {
    auto nest = dyn_cast_or_null<omp::LoopNestOp>(wrapper.getWrappedLoop());
    if (!nest)
      return std::nullopt;
    return getTeamRanges(nest);
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return std::nullopt;
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!lower || !upper || !steps) {
    if (auto affineLoop = dyn_cast<affine::AffineForOp>(op))
      return getAffineRanges(affineLoop);
    return std::nullopt;
  }
  LoopRanges ranges;
  if (auto simple = dyn_cast<scf::ForOp>(op))
    ranges.isUnsigned = simple.getUnsignedCmp();
  for (auto [from, to, step] : llvm::zip_equal(*lower, *upper, *steps))
    ranges.dimensions.push_back({from, to, step});
  return ranges;
}

namespace {
/// Emits arithmetic on i64.
class Words {
public:
  Words(OpBuilder &builder, Location location, bool isUnsigned)
      : builder(builder), location(location), isUnsigned(isUnsigned) {}

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, location, value, 64);
  }

  Value get(OpFoldResult bound) {
    if (std::optional<int64_t> known = getConstantIntValue(bound))
      return constant(*known);
    auto value = cast<Value>(bound);
    Type word = builder.getI64Type();
    if (value.getType() == word)
      return value;
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(builder, location, word, value);
    if (value.getType().getIntOrFloatBitWidth() > 64)
      return arith::TruncIOp::create(builder, location, word, value);
    if (isUnsigned)
      return arith::ExtUIOp::create(builder, location, word, value);
    return arith::ExtSIOp::create(builder, location, word, value);
  }

  template <typename Op>
  Value apply(Value a, Value b) {
    return builder.createOrFold<Op>(location, a, b);
  }

private:
  OpBuilder &builder;
  Location location;
  bool isUnsigned;
};
} // namespace

static Value createTripCount(Words &words, const LoopRange &range,
                             const LoopRanges &ranges) {
  Value lower = words.get(range.lower);
  Value upper = words.get(range.upper);
  if (ranges.isInclusive)
    upper = words.apply<arith::AddIOp>(upper, words.constant(1));
  Value larger = ranges.isUnsigned ? words.apply<arith::MaxUIOp>(lower, upper)
                                   : words.apply<arith::MaxSIOp>(lower, upper);
  Value length = words.apply<arith::SubIOp>(larger, lower);
  if (getConstantIntValue(range.step) == 1)
    return length;
  // Rounded up, using operations that every lowering supports.
  Value step = words.get(range.step);
  Value last = words.apply<arith::SubIOp>(step, words.constant(1));
  return words.apply<arith::DivUIOp>(words.apply<arith::AddIOp>(length, last),
                                     step);
}

SmallVector<Value> transforms::createTripCounts(OpBuilder &builder,
                                                Operation *loop,
                                                const LoopRanges &ranges) {
  LoopRanges all = ranges;
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(loop);
      affineLoop && all.dimensions.empty()) {
    Value lower = affine::AffineMaxOp::create(
        builder, loop->getLoc(), affineLoop.getLowerBoundMap(),
        affineLoop.getLowerBoundOperands());
    Value upper = affine::AffineMinOp::create(
        builder, loop->getLoc(), affineLoop.getUpperBoundMap(),
        affineLoop.getUpperBoundOperands());
    all.dimensions.push_back(
        {lower, upper, builder.getIndexAttr(affineLoop.getStepAsInt())});
  }
  Words words(builder, loop->getLoc(), ranges.isUnsigned);
  SmallVector<Value> counts;
  for (const LoopRange &range : all.dimensions)
    counts.push_back(createTripCount(words, range, all));
  return counts;
}
