//===- CheckAccesses.cpp - Assertions about indices -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index that comes from data may be any number. Each access whose indices
// are not known to lie in its tensor or buffer gets an assertion:
//
//   %in = arith.cmpi ult, %i, %c10 : index
//   cf.assert %in, "index is out of range for dimension 0 of size 10"
//   %v = tensor.extract %t[%i] : tensor<10xf32>
//
// Ranges of integers prove most accesses of static sizes, and upstream's bounds
// of values those of dynamic sizes.
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CHECKACCESSESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// The elements from `begin`, `count` of them `step` apart, that an op accesses
/// in one dimension.
struct Extent {
  OpFoldResult begin, count, step;
};

/// The part of a tensor or buffer that an op accesses, by dimension.
struct Access {
  Value source;
  SmallVector<Extent> extents;
};

class AccessChecker {
public:
  explicit AccessChecker(func::FuncOp function)
      : builder(function.getContext()) {}

  void check(Operation *op);

private:
  std::optional<Access> findAccess(Operation *op);
  Access getElement(Value source, ValueRange indices,
                    ArrayRef<int64_t> counts = {});
  Access getMapped(Value source, AffineMap map, ValueRange operands);
  Access getSlice(OffsetSizeAndStrideOpInterface slice, Value source);
  void check(const Access &access, unsigned dim);
  void checkDimension(Value source, Value dim);
  bool isKnown(const Access &access, unsigned dim);
  Value build(const Access &access, unsigned dim);
  ConstantIntRanges findRange(OpFoldResult number);
  Value getValue(OpFoldResult number);

  OpBuilder builder;
  RangeFinder ranges;
  Operation *op = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// `counts` are those of the last dimensions.
Access AccessChecker::getElement(Value source, ValueRange indices,
                                 ArrayRef<int64_t> counts) {
  Access access = {source, {}};
  size_t single = indices.size() - std::min(indices.size(), counts.size());
  for (auto [dim, index] : llvm::enumerate(indices)) {
    int64_t count = dim < single ? 1 : counts[dim - single];
    access.extents.push_back(
        {index, builder.getIndexAttr(count), builder.getIndexAttr(1)});
  }
  return access;
}

Access AccessChecker::getMapped(Value source, AffineMap map,
                                ValueRange operands) {
  Access access = {source, {}};
  builder.setInsertionPoint(op);
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    OpFoldResult index = affine::makeComposedFoldedAffineApply(
        builder, op->getLoc(), map.getSubMap({dim}),
        getAsOpFoldResult(operands));
    access.extents.push_back(
        {index, builder.getIndexAttr(1), builder.getIndexAttr(1)});
  }
  return access;
}

Access AccessChecker::getSlice(OffsetSizeAndStrideOpInterface slice,
                               Value source) {
  Access access = {source, {}};
  for (auto [begin, count, step] :
       llvm::zip_equal(slice.getMixedOffsets(), slice.getMixedSizes(),
                       slice.getMixedStrides()))
    access.extents.push_back({begin, count, step});
  return access;
}

std::optional<Access> AccessChecker::findAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case([&](tensor::ExtractOp extract) {
        return getElement(extract.getTensor(), extract.getIndices());
      })
      .Case([&](tensor::InsertOp insert) {
        return getElement(insert.getDest(), insert.getIndices());
      })
      .Case<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp>(
          [&](auto load) {
            return getElement(load.getMemref(), load.getIndices());
          })
      .Case<affine::AffineLoadOp, affine::AffineStoreOp>([&](auto load) {
        return getMapped(load.getMemref(), load.getAffineMap(),
                         load.getMapOperands());
      })
      .Case<vector::LoadOp, vector::StoreOp>([&](auto load) {
        return getElement(load.getBase(), load.getIndices(),
                          load.getVectorType().getShape());
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return getSlice(slice, slice.getSource());
      })
      .Case([&](tensor::InsertSliceOp slice) {
        return getSlice(slice, slice.getDest());
      })
      .Case([&](memref::SubViewOp slice) {
        return getSlice(slice, slice.getSource());
      })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Known accesses
//===----------------------------------------------------------------------===//

ConstantIntRanges AccessChecker::findRange(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return ConstantIntRanges::constant(
        APInt(IndexType::kInternalStorageBitWidth, *constant));
  return ranges.find(cast<Value>(number));
}

/// Whether `index`, not negative, is known to be less than a dynamic size.
static bool isLess(Value index, Value source, unsigned dim) {
  using Bounds = ValueBoundsConstraintSet;
  return Bounds::compare(index, Bounds::LT, {source, int64_t(dim)});
}

bool AccessChecker::isKnown(const Access &access, unsigned dim) {
  const Extent &extent = access.extents[dim];
  ConstantIntRanges begin = findRange(extent.begin);
  ConstantIntRanges count = findRange(extent.count);
  std::optional<int64_t> step = getConstantIntValue(extent.step);
  if (!step || *step < 1 || begin.smin().isNegative() ||
      count.smin().isNegative())
    return false;
  int64_t size = cast<ShapedType>(access.source.getType()).getDimSize(dim);
  std::optional<int64_t> fixed = getConstantIntValue(extent.count);
  if (ShapedType::isDynamic(size))
    return fixed == 1 && isa<Value>(extent.begin) &&
           isLess(cast<Value>(extent.begin), access.source, dim);
  // An empty slice may begin behind the last element.
  APInt end = count.smax().isZero() ? begin.smax() : begin.smax() + 1;
  bool overflows = false;
  if (count.smax().sgt(1)) {
    APInt last =
        (count.smax() - 1).smul_ov(APInt(end.getBitWidth(), *step), overflows);
    bool overflowsToo = false;
    end = end.sadd_ov(last, overflowsToo);
    overflows |= overflowsToo;
  }
  return !overflows && end.sle(size) && !end.isNegative();
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

Value AccessChecker::getValue(OpFoldResult number) {
  return getValueOrCreateConstantIndexOp(builder, op->getLoc(), number);
}

/// Whether the access is inside, as i1. Numbers are compared without sign, so
/// that negative ones are too large.
Value AccessChecker::build(const Access &access, unsigned dim) {
  Location location = op->getLoc();
  const Extent &extent = access.extents[dim];
  bool isTensor = isa<TensorType>(access.source.getType());
  Value size = getValue(
      isTensor ? tensor::getMixedSize(builder, location, access.source, dim)
               : memref::getMixedSize(builder, location, access.source, dim));
  Value begin = getValue(extent.begin);
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(builder, location, predicate, a, b);
  };
  if (getConstantIntValue(extent.count) == 1)
    return compare(arith::CmpIPredicate::ult, begin, size);
  // begin <= size and, unless it is empty, (count - 1) <= (size - 1 - begin)
  // / step. A step that is not positive is refused.
  Value one = getValue(builder.getIndexAttr(1)),
        zero = getValue(builder.getIndexAttr(0)),
        count = getValue(extent.count), step = getValue(extent.step);
  Value isPositive = compare(arith::CmpIPredicate::sgt, step, zero);
  Value isEmpty = compare(arith::CmpIPredicate::eq, count, zero);
  Value begins = compare(arith::CmpIPredicate::ule, begin, size);
  Value rest = arith::SubIOp::create(builder, location, size, begin);
  Value divisor = arith::MaxSIOp::create(builder, location, step, one);
  Value places = arith::CeilDivUIOp::create(builder, location, rest, divisor);
  Value fits = compare(arith::CmpIPredicate::ule, count, places);
  Value fitsOrEmpty = arith::OrIOp::create(builder, location, fits, isEmpty);
  Value both = arith::AndIOp::create(builder, location, begins, fitsOrEmpty);
  return arith::AndIOp::create(builder, location, both, isPositive);
}

static std::string describe(const Access &access, unsigned dim) {
  int64_t size = cast<ShapedType>(access.source.getType()).getDimSize(dim);
  const Extent &extent = access.extents[dim];
  std::string text = getConstantIntValue(extent.count) == 1
                         ? "index is out of range"
                         : "slice is out of range";
  text += " for dimension " + std::to_string(dim);
  if (!ShapedType::isDynamic(size))
    text += " of size " + std::to_string(size);
  return text;
}

void AccessChecker::check(const Access &access, unsigned dim) {
  if (isKnown(access, dim))
    return;
  builder.setInsertionPoint(op);
  Value isInside = build(access, dim);
  cf::AssertOp::create(builder, op->getLoc(), isInside, describe(access, dim));
  int64_t size = cast<ShapedType>(access.source.getType()).getDimSize(dim);
  auto begin = dyn_cast<Value>(access.extents[dim].begin);
  // Other accesses at this index may be, too.
  if (begin && !ShapedType::isDynamic(size) && size > 0 &&
      begin.getParentBlock() == op->getBlock() &&
      getConstantIntValue(access.extents[dim].count) == 1)
    ranges.assumeInside(begin, size);
}

void AccessChecker::check(Operation *accessing) {
  op = accessing;
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    ranges.assume(assertion);
    return;
  }
  if (isa<tensor::DimOp, memref::DimOp>(op))
    checkDimension(op->getOperand(0), op->getOperand(1));
  std::optional<Access> access = findAccess(op);
  if (!access || !cast<ShapedType>(access->source.getType()).hasRank())
    return;
  for (unsigned dim = 0; dim < access->extents.size(); ++dim)
    check(*access, dim);
}

/// The dimension whose size is asked for must exist.
void AccessChecker::checkDimension(Value source, Value dim) {
  auto type = cast<ShapedType>(source.getType());
  if (!type.hasRank())
    return;
  ConstantIntRanges range = ranges.find(dim);
  if (!range.smin().isNegative() && range.smax().slt(type.getRank()))
    return;
  builder.setInsertionPoint(op);
  Value exists = arith::CmpIOp::create(
      builder, op->getLoc(), arith::CmpIPredicate::ult, dim,
      getValue(builder.getIndexAttr(type.getRank())));
  cf::AssertOp::create(builder, op->getLoc(), exists,
                       "there is no dimension of this number");
}

/// A model may claim wrongly that its arithmetic does not overflow, or that no
/// bit is lost.
static void dropClaims(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto exact) { exact.setIsExact(false); });
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (flags && (flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap()))
    op->setAttr(flags.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    op->getContext(), arith::IntegerOverflowFlags::none));
}

namespace {

struct CheckAccessesPass
    : mlirprof::codegen::impl::CheckAccessesPassBase<CheckAccessesPass> {
  using CheckAccessesPassBase::CheckAccessesPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      dropClaims(op);
      ops.push_back(op);
    });
    AccessChecker checker(getOperation());
    for (Operation *op : ops)
      checker.check(op);
  }
};

} // namespace
