//===- CheckSizes.cpp - Assertions about dynamic sizes --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of a structured op have the sizes of one operand each, and its
// other operands must fit them. The verifier tells for static sizes; a dynamic
// size may be any number. An assertion compares two sizes unless both are known
// to be the same: the size of one tensor, or sizes that were compared before.
//
// Sizes of arguments are compared where the function begins, so that what
// follows is not divided by checks.
//
//===----------------------------------------------------------------------===//

#include "../Loops/Places.h"
#include "AllocationSizes.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CHECKSIZESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {

class SizeChecker {
public:
  explicit SizeChecker(func::FuncOp function)
      : builder(function.getContext()), finder(function.getBody().front()),
        allocations(function, finder) {}

  void check(Operation *op);

private:
  void compare(Size a, Size b, const Twine &message);
  void checkLoops(LinalgOp op);
  void checkReach(LinalgOp op, OpOperand &operand, unsigned dim);
  void checkCast(Value from, ShapedType to);
  void checkInsertion(tensor::InsertSliceOp insert);
  template <typename ExpandOp>
  void checkExpansion(ExpandOp expand);
  void checkConcatenation(tensor::ConcatOp concat);
  void checkCopy(Value from, Value to);

  OpBuilder builder;
  SizeFinder finder;
  AllocationChecker allocations;
  Operation *op = nullptr;
};

} // namespace

void SizeChecker::compare(Size a, Size b, const Twine &message) {
  a = finder.find(a);
  b = finder.find(b);
  if (finder.areSame(a, b, op))
    return;
  Location location = op->getLoc();
  finder.setPlace(builder, op, {a, b});
  Value equal = arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::eq,
      getValue(builder, location, a), getValue(builder, location, b));
  cf::AssertOp::create(builder, location, equal, message.str());
  finder.join(a, b, op);
}

/// Positions that are more than the number of a loop, such as sums of two
/// loops, must stay inside.
void SizeChecker::checkReach(LinalgOp structured, OpOperand &operand,
                             unsigned dim) {
  AffineMap map = structured.getMatchingIndexingMap(&operand).getSubMap({dim});
  if (!isLinear(map) || llvm::is_contained(structured.getStaticLoopRanges(), 0))
    return;
  unsigned loops = map.getNumDims();
  SmallVector<int64_t> none(loops, 0);
  int64_t start = map.compose(ArrayRef<int64_t>(none)).front();
  builder.setInsertionPoint(op);
  Location location = op->getLoc();
  SmallVector<Range> ranges = structured.createLoopRanges(builder, location);
  AffineExpr most = builder.getAffineConstantExpr(start), least = most;
  SmallVector<OpFoldResult> sizes;
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    none[loop] = 1;
    int64_t step = map.compose(ArrayRef<int64_t>(none)).front() - start;
    none[loop] = 0;
    AffineExpr last = builder.getAffineDimExpr(loop) - 1;
    (step < 0 ? least : most) = (step < 0 ? least : most) + last * step;
    sizes.push_back(range.size);
  }
  auto evaluate = [&](AffineExpr expr) {
    return getValueOrCreateConstantIndexOp(
        builder, location,
        affine::makeComposedFoldedAffineApply(builder, location, expr, sizes));
  };
  Value size = getValueOrCreateConstantIndexOp(
      builder, location, getSize(builder, location, operand.get(), dim));
  Value begins = arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::sge, evaluate(least),
      arith::ConstantIndexOp::create(builder, location, 0));
  Value ends = arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::slt, evaluate(most), size);
  Value holds = arith::AndIOp::create(builder, location, begins, ends);
  // Without iterations nothing is read.
  for (OpFoldResult number : sizes) {
    if (getConstantIntValue(number))
      continue;
    Value isEmpty = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::eq, cast<Value>(number),
        arith::ConstantIndexOp::create(builder, location, 0));
    holds = arith::OrIOp::create(builder, location, holds, isEmpty);
  }
  cf::AssertOp::create(builder, location, holds,
                       "dimension " + std::to_string(dim) + " of operand " +
                           std::to_string(operand.getOperandNumber()) +
                           " is too small for the windows of the op");
}

void SizeChecker::checkLoops(LinalgOp structured) {
  // For each loop, the first operand's dimension that has its size.
  struct Place {
    Size size;
    unsigned operand = 0, dim = 0;
  };
  SmallVector<std::optional<Place>> places(structured.getNumLoops());
  SmallVector<std::pair<OpOperand *, unsigned>> sums;
  for (OpOperand &operand : structured->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type || !type.hasRank())
      continue;
    AffineMap map = structured.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop) {
        if (!isa<AffineConstantExpr>(expr) || type.isDynamicDim(dim))
          sums.push_back({&operand, dim});
        continue;
      }
      std::optional<Place> &first = places[loop.getPosition()];
      unsigned number = operand.getOperandNumber();
      Size size = finder.find(operand.get(), unsigned(dim));
      if (!first)
        first = Place{size, number, unsigned(dim)};
      compare(first->size, size,
              "dimension " + Twine(dim) + " of operand " + Twine(number) +
                  " differs from dimension " + Twine(first->dim) +
                  " of operand " + Twine(first->operand));
    }
  }
  bool isDynamic = llvm::any_of(places, [](const std::optional<Place> &place) {
    return place && place->size.first;
  });
  SmallVector<int64_t> loops = structured.getStaticLoopRanges();
  for (auto [operand, dim] : sums) {
    auto type = cast<ShapedType>(operand->get().getType());
    AffineExpr place =
        structured.getMatchingIndexingMap(operand).getResult(dim);
    // The verifier looks at the first and the last iteration only.
    if (isDynamic || type.isDynamicDim(dim) ||
        !fits(place, loops, type.getDimSize(dim)))
      checkReach(structured, *operand, dim);
  }
}

void SizeChecker::checkCast(Value from, ShapedType to) {
  auto type = dyn_cast<ShapedType>(from.getType());
  if (!type || !type.hasRank() || !to.hasRank())
    return;
  for (unsigned dim = 0; dim < to.getRank(); ++dim)
    if (!to.isDynamicDim(dim))
      compare(finder.find(from, dim), {Value(), to.getDimSize(dim)},
              "dimension " + Twine(dim) + " does not have size " +
                  Twine(to.getDimSize(dim)));
}

void SizeChecker::checkInsertion(tensor::InsertSliceOp insert) {
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  unsigned dim = 0;
  for (auto [place, size] : llvm::enumerate(insert.getMixedSizes()))
    if (!dropped.test(place)) {
      compare(finder.find(size), finder.find(insert.getSource(), dim),
              "dimension " + Twine(dim) +
                  " of the source does not have the size of the slice");
      ++dim;
    }
}

template <typename ExpandOp>
void SizeChecker::checkExpansion(ExpandOp expand) {
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    SmallVector<int64_t> dynamic = llvm::filter_to_vector(
        group, [&](int64_t i) { return !getConstantIntValue(sizes[i]); });
    if (dynamic.empty() && !expand.getSrcType().isDynamicDim(dim))
      continue;
    builder.setInsertionPoint(op);
    SmallVector<Size> factors;
    for (int64_t i : group)
      factors.push_back(finder.find(sizes[i]));
    if (group.size() == 1) {
      compare(finder.find(expand.getSrc(), dim), factors[0],
              "dimension " + Twine(dim) + " does not have the expanded size");
      continue;
    }
    Location location = op->getLoc();
    Product product = multiply(builder, location, factors);
    Value size = arith::IndexCastOp::create(
        builder, location, builder.getI64Type(),
        getValue(builder, location, finder.find(expand.getSrc(), dim)));
    Value equal = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::eq, product.number, size);
    if (product.fits)
      equal = arith::AndIOp::create(builder, location, equal, product.fits);
    cf::AssertOp::create(builder, op->getLoc(), equal,
                         "dimension " + std::to_string(dim) +
                             " does not have as many elements as the "
                             "dimensions it expands to");
  }
}

void SizeChecker::checkConcatenation(tensor::ConcatOp concat) {
  for (Value part : llvm::drop_begin(concat.getInputs()))
    for (unsigned dim = 0; dim < concat.getType().getRank(); ++dim)
      if (dim != concat.getDim())
        compare(finder.find(concat.getInputs().front(), dim),
                finder.find(part, dim),
                "dimension " + Twine(dim) + " of the parts differs");
}

void SizeChecker::checkCopy(Value from, Value to) {
  auto source = dyn_cast<ShapedType>(from.getType());
  auto target = dyn_cast<ShapedType>(to.getType());
  if (!source.hasRank() || !target.hasRank())
    return;
  for (unsigned dim = 0; dim < source.getRank(); ++dim)
    compare(finder.find(from, dim), finder.find(to, dim),
            "dimension " + Twine(dim) + " of the copied buffers differs");
}

void SizeChecker::check(Operation *checked) {
  op = checked;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](cf::AssertOp assertion) {
        // The model has it, or an earlier build added it.
        finder.assume(assertion);
        allocations.assume(assertion);
      })
      .Case([&](LinalgOp structured) { checkLoops(structured); })
      .Case<tensor::CastOp, memref::CastOp>(
          [&](auto cast) { checkCast(cast.getSource(), cast.getType()); })
      .Case([&](tensor::InsertSliceOp insert) { checkInsertion(insert); })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>(
          [&](auto expand) { checkExpansion(expand); })
      .Case([&](tensor::ConcatOp concat) { checkConcatenation(concat); })
      .Case([&](memref::CopyOp copy) {
        checkCopy(copy.getSource(), copy.getTarget());
      })
      .Case([&](bufferization::MaterializeInDestinationOp copy) {
        checkCopy(copy.getSource(), copy.getDest());
      });
  allocations.check(op);
}

namespace {

struct CheckSizesPass
    : mlirprof::codegen::impl::CheckSizesPassBase<CheckSizesPass> {
  using CheckSizesPassBase::CheckSizesPassBase;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    SizeChecker checker(getOperation());
    for (Operation *op : ops)
      checker.check(op);
  }
};

} // namespace
