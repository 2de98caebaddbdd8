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
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

#include <variant>

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CHECKSIZESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// More bytes than any process can address.
static constexpr int64_t kMostBytes = int64_t(1) << 47;

/// Ops of a chain that are looked through: a model may have any number.
static constexpr unsigned kMostDepth = 1024;

namespace {

/// A dimension of an operand.
struct Dimension {
  Value value;
  unsigned dim = 0;
};

class SizeChecker {
public:
  explicit SizeChecker(func::FuncOp function);

  void check(Operation *op);

private:
  /// A dimension of a value, or the value itself as a number with dimension -1;
  /// a constant does not have a value.
  using Size = std::pair<Value, int64_t>;

  Size findNumber(OpFoldResult number);
  /// The size that stands for all that are known to be the same.
  Size find(Size size);
  Size find(Value value, unsigned dim) { return find(Size(value, dim)); }
  void join(const Size &a, const Size &b);
  void assume(cf::AssertOp assertion);
  bool isOfFunction(Size size);
  Value getValue(const Size &size);

  void compare(Size a, Size b, const Twine &message);
  void checkLoops(LinalgOp op);
  void checkReach(LinalgOp op, OpOperand &operand, unsigned dim);
  void checkCast(Value from, ShapedType to);
  void checkInsertion(tensor::InsertSliceOp insert);
  void checkExpansion(tensor::ExpandShapeOp expand);
  void checkConcatenation(tensor::ConcatOp concat);
  void checkCopy(memref::CopyOp copy);
  void checkAllocation();
  void assertProduct(ArrayRef<Size> sizes, int64_t most);

  func::FuncOp function;
  OpBuilder builder;
  Operation *op = nullptr;
  /// From a size to one that is the same.
  DenseMap<Size, Size> same;
  /// By the dynamic sizes of tensors that fit into memory, in order: the bytes
  /// of one number of each, at most.
  SmallVector<std::pair<SmallVector<Size>, int64_t>> fitting;
};

} // namespace

//===----------------------------------------------------------------------===//
// Where sizes come from
//===----------------------------------------------------------------------===//

static OpFoldResult getSize(OpBuilder &builder, Location location, Value value,
                            unsigned dim) {
  return isa<TensorType>(value.getType())
             ? tensor::getMixedSize(builder, location, value, dim)
             : memref::getMixedSize(builder, location, value, dim);
}

/// The dimension that has the size of dimension `dim` of `value`, or the
/// number.
static std::variant<std::monostate, Dimension, OpFoldResult>
findOrigin(Value value, unsigned dim) {
  using Origin = std::variant<std::monostate, Dimension, OpFoldResult>;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::monostate();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return Dimension{destination.getTiedOpOperand(cast<OpResult>(value))->get(),
                     dim};
  return llvm::TypeSwitch<Operation *, Origin>(op)
      .Case([&](tensor::EmptyOp empty) { return empty.getMixedSizes()[dim]; })
      .Case([&](memref::AllocOp alloc) { return alloc.getMixedSizes()[dim]; })
      .Case<tensor::CastOp, memref::CastOp>([&](Operation *cast) -> Origin {
        auto from = dyn_cast<ShapedType>(cast->getOperand(0).getType());
        if (!from.hasRank())
          return std::monostate();
        return Dimension{cast->getOperand(0), dim};
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return Dimension{insert.getDest(), dim};
      })
      .Case([&](tensor::InsertOp insert) {
        return Dimension{insert.getDest(), dim};
      })
      .Case([&](tensor::ExtractSliceOp slice) -> Origin {
        if (slice.getSourceType().getRank() != slice.getType().getRank())
          return std::monostate();
        return slice.getMixedSizes()[dim];
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return expand.getMixedOutputShape()[dim];
      })
      .Case([&](tensor::CollapseShapeOp collapse) -> Origin {
        ReassociationIndices group = collapse.getReassociationIndices()[dim];
        if (group.size() != 1)
          return std::monostate();
        return Dimension{collapse.getSrc(), unsigned(group.front())};
      })
      .Default([](Operation *) { return std::monostate(); });
}

SizeChecker::Size SizeChecker::findNumber(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return {Value(), *constant};
  Value value = cast<Value>(number);
  auto dim = value.getDefiningOp<tensor::DimOp>();
  if (std::optional<int64_t> index =
          dim ? dim.getConstantIndex() : std::nullopt)
    if (*index >= 0 && isa<RankedTensorType>(dim.getSource().getType()) &&
        *index < cast<RankedTensorType>(dim.getSource().getType()).getRank())
      return {dim.getSource(), *index};
  return {value, -1};
}

SizeChecker::Size SizeChecker::find(Size size) {
  for (unsigned depth = 0; depth < kMostDepth; ++depth) {
    if (!size.first || size.second < 0)
      break;
    int64_t fixed = cast<ShapedType>(size.first.getType())
                        .getDimSize(unsigned(size.second));
    if (!ShapedType::isDynamic(fixed))
      return {Value(), fixed};
    auto origin = findOrigin(size.first, unsigned(size.second));
    if (auto *other = std::get_if<Dimension>(&origin))
      size = {other->value, other->dim};
    else if (auto *number = std::get_if<OpFoldResult>(&origin))
      size = findNumber(*number);
    else
      break;
  }
  for (auto it = same.find(size); it != same.end(); it = same.find(size))
    size = it->second;
  return size;
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// Whether the size is known where the function begins.
bool SizeChecker::isOfFunction(Size size) {
  auto argument = dyn_cast_if_present<BlockArgument>(size.first);
  return !size.first ||
         (argument && argument.getOwner() == &function.getBody().front());
}

Value SizeChecker::getValue(const Size &size) {
  OpFoldResult result =
      !size.first ? OpFoldResult(builder.getIndexAttr(size.second))
      : size.second < 0
          ? OpFoldResult(size.first)
          : getSize(builder, op->getLoc(), size.first, unsigned(size.second));
  return getValueOrCreateConstantIndexOp(builder, op->getLoc(), result);
}

void SizeChecker::compare(Size a, Size b, const Twine &message) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  Block &entry = function.getBody().front();
  if (op->getBlock() == &entry && isOfFunction(a) && isOfFunction(b))
    builder.setInsertionPointToStart(&entry);
  else
    builder.setInsertionPoint(op);
  Value equal =
      arith::CmpIOp::create(builder, op->getLoc(), arith::CmpIPredicate::eq,
                            getValue(a), getValue(b));
  cf::AssertOp::create(builder, op->getLoc(), equal, message.str());
  join(a, b);
}

/// `a` and `b` are the same from here on.
void SizeChecker::join(const Size &a, const Size &b) {
  // Elsewhere the assertion may not have been reached.
  if (op->getBlock() != &function.getBody().front() || a == b)
    return;
  if (a.first)
    same[a] = b;
  else if (b.first)
    same[b] = a;
}

void SizeChecker::assume(cf::AssertOp assertion) {
  auto compare = assertion.getArg().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !compare.getLhs().getType().isIndex())
    return;
  join(find(findNumber(compare.getLhs())), find(findNumber(compare.getRhs())));
}

/// Positions that are more than the number of a loop, such as sums of two
/// loops, must stay inside.
void SizeChecker::checkReach(LinalgOp structured, OpOperand &operand,
                             unsigned dim) {
  AffineMap map = structured.getMatchingIndexingMap(&operand).getSubMap({dim});
  if (!isLinear(map))
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
      Size size = find(operand.get(), unsigned(dim));
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
  for (auto [operand, dim] : sums)
    if (isDynamic ||
        cast<ShapedType>(operand->get().getType()).isDynamicDim(dim))
      checkReach(structured, *operand, dim);
}

void SizeChecker::checkCast(Value from, ShapedType to) {
  auto type = dyn_cast<ShapedType>(from.getType());
  if (!type || !type.hasRank() || !to.hasRank())
    return;
  for (unsigned dim = 0; dim < to.getRank(); ++dim)
    if (!to.isDynamicDim(dim))
      compare(find(from, dim), {Value(), to.getDimSize(dim)},
              "dimension " + Twine(dim) + " does not have size " +
                  Twine(to.getDimSize(dim)));
}

void SizeChecker::checkInsertion(tensor::InsertSliceOp insert) {
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  unsigned dim = 0;
  for (auto [place, size] : llvm::enumerate(insert.getMixedSizes()))
    if (!dropped.test(place)) {
      compare(find(findNumber(size)), find(insert.getSource(), dim),
              "dimension " + Twine(dim) +
                  " of the source does not have the size of the slice");
      ++dim;
    }
}

void SizeChecker::checkExpansion(tensor::ExpandShapeOp expand) {
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    SmallVector<int64_t> dynamic = llvm::filter_to_vector(
        group, [&](int64_t i) { return !getConstantIntValue(sizes[i]); });
    if (dynamic.empty() && !expand.getSrcType().isDynamicDim(dim))
      continue;
    builder.setInsertionPoint(op);
    AffineExpr product = builder.getAffineConstantExpr(1);
    SmallVector<OpFoldResult> factors;
    for (int64_t i : group) {
      product = product * builder.getAffineSymbolExpr(factors.size());
      factors.push_back(sizes[i]);
    }
    if (group.size() == 1) {
      compare(find(expand.getSrc(), dim), find(findNumber(factors[0])),
              "dimension " + Twine(dim) + " does not have the expanded size");
      continue;
    }
    Value all = getValueOrCreateConstantIndexOp(
        builder, op->getLoc(),
        affine::makeComposedFoldedAffineApply(builder, op->getLoc(), product,
                                              factors));
    Value size = getValue(find(expand.getSrc(), dim));
    Value equal = arith::CmpIOp::create(builder, op->getLoc(),
                                        arith::CmpIPredicate::eq, all, size);
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
        compare(find(concat.getInputs().front(), dim), find(part, dim),
                "dimension " + Twine(dim) + " of the parts differs");
}

void SizeChecker::checkCopy(memref::CopyOp copy) {
  auto from = dyn_cast<MemRefType>(copy.getSource().getType());
  if (!from || !isa<MemRefType>(copy.getTarget().getType()))
    return;
  for (unsigned dim = 0; dim < from.getRank(); ++dim)
    compare(find(copy.getSource(), dim), find(copy.getTarget(), dim),
            "dimension " + Twine(dim) + " of the copied buffers differs");
}

static int64_t getElementBytes(ShapedType type) {
  return type.getElementType().isIntOrFloat()
             ? std::max(1u, type.getElementTypeBitWidth() / 8)
             : 8;
}

/// The bytes of `size` times as many elements; more than kMostBytes if they are
/// too many. A dimension that is empty counts as 1, so that the others are
/// checked.
static int64_t multiplyBytes(int64_t bytes, int64_t size) {
  if (size == 0)
    return bytes;
  bool fits =
      size > 0 && !llvm::MulOverflow(bytes, size, bytes) && bytes <= kMostBytes;
  return fits ? bytes : kMostBytes + 1;
}

/// The bytes of the static part of a shape; more than kMostBytes if they are
/// too many.
static int64_t getStaticBytes(ShapedType type) {
  int64_t bytes = getElementBytes(type);
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      bytes = multiplyBytes(bytes, size);
  return bytes;
}

/// Whether the product of `sizes`, without sign, is at most `most`.
void SizeChecker::assertProduct(ArrayRef<Size> sizes, int64_t most) {
  Location location = op->getLoc();
  Block &entry = function.getBody().front();
  bool isAtBegin =
      op->getBlock() == &entry &&
      llvm::all_of(sizes, [&](const Size &size) { return isOfFunction(size); });
  if (isAtBegin)
    builder.setInsertionPointToStart(&entry);
  else
    builder.setInsertionPoint(op);
  Type wide = builder.getI64Type();
  auto constant = [&](int64_t number) {
    return arith::ConstantIntOp::create(builder, location, number, 64);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     int64_t b) -> Value {
    return arith::CmpIOp::create(builder, location, predicate, a, constant(b));
  };
  Value product, fits;
  for (const Size &size : sizes) {
    Value factor =
        arith::IndexCastOp::create(builder, location, wide, getValue(size));
    if (!product) {
      product = factor;
      continue;
    }
    auto longer =
        arith::MulUIExtendedOp::create(builder, location, product, factor);
    product = longer.getLow();
    Value isShort = compare(arith::CmpIPredicate::eq, longer.getHigh(), 0);
    fits = fits ? arith::AndIOp::create(builder, location, fits, isShort)
                      .getResult()
                : isShort;
  }
  Value isLess = compare(arith::CmpIPredicate::ule, product, most);
  if (fits)
    isLess = arith::AndIOp::create(builder, location, fits, isLess);
  cf::AssertOp::create(builder, location, isLess,
                       "a size is negative, or the tensor is too large");
}

/// A new tensor or buffer must have sizes that are not negative, and fit into
/// memory: a product that overflows would be a buffer that is too small.
void SizeChecker::checkAllocation() {
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!type || !type.hasRank() ||
      (type.hasStaticShape() && (getStaticBytes(type) <= kMostBytes ||
                                 llvm::is_contained(type.getShape(), 0))))
    return;
  builder.setInsertionPoint(op);
  ReifiedRankedShapedTypeDims shapes;
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    shapes.push_back(alloc.getMixedSizes());
  else if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    shapes.push_back(alloca.getMixedSizes());
  else if (failed(reifyResultShapes(builder, op, shapes)))
    return;
  SmallVector<Size> sizes;
  int64_t bytes = getElementBytes(type);
  for (OpFoldResult number : shapes[0]) {
    Size size = find(findNumber(number));
    if (size.first)
      sizes.push_back(size);
    else
      bytes = multiplyBytes(bytes, size.second);
  }
  if (sizes.empty() && bytes <= kMostBytes)
    return;
  if (sizes.empty())
    sizes.push_back({Value(), 1});
  auto known = llvm::find_if(
      fitting, [&](const auto &entry) { return entry.first == sizes; });
  if (known != fitting.end() && known->second >= bytes)
    return;
  assertProduct(sizes, kMostBytes / bytes);
  if (op->getBlock() != &function.getBody().front())
    return;
  if (known != fitting.end())
    known->second = bytes;
  else
    fitting.push_back({sizes, bytes});
}

/// Arguments exist.
SizeChecker::SizeChecker(func::FuncOp function)
    : function(function), builder(function.getContext()) {
  for (Value argument : function.getArguments()) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (!type || !type.hasRank() || type.hasStaticShape())
      continue;
    SmallVector<Size> sizes;
    for (unsigned dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back({argument, dim});
    fitting.push_back({sizes, getStaticBytes(type)});
  }
}

void SizeChecker::check(Operation *checked) {
  op = checked;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](cf::AssertOp assertion) { assume(assertion); })
      .Case([&](LinalgOp structured) { checkLoops(structured); })
      .Case<tensor::CastOp, memref::CastOp>(
          [&](auto cast) { checkCast(cast.getSource(), cast.getType()); })
      .Case([&](tensor::InsertSliceOp insert) { checkInsertion(insert); })
      .Case([&](tensor::ExpandShapeOp expand) { checkExpansion(expand); })
      .Case([&](tensor::ConcatOp concat) { checkConcatenation(concat); })
      .Case([&](memref::CopyOp copy) { checkCopy(copy); });
  if (isa<tensor::EmptyOp, tensor::GenerateOp, tensor::PadOp, tensor::SplatOp,
          tensor::ConcatOp, bufferization::AllocTensorOp, memref::AllocOp,
          memref::AllocaOp>(op))
    checkAllocation();
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
