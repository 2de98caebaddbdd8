//===- Expansion.cpp - Putting layers back --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expansion.h"
#include "Shift.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
/// Two alike pieces of code, one after the other, of which others follow.
class Expansion {
public:
  Expansion(Block &block, const Copies &copies,
            codegen::ConstantScope &constants)
      : block(block), copies(copies), scope(constants),
        shift(copies, constants), sequence(block) {}

  LogicalResult run();

private:
  using Locations = SmallVector<LocationAttr>;

  size_t getMiddle() const { return begin + length; }
  size_t getEnd() const { return begin + 2 * length; }
  ArrayRef<Operation *> getPiece(size_t from) const {
    return sequence.getOps().slice(from, length);
  }
  bool areReadShared();
  bool choosePieces();
  bool findLast();
  bool dependsOnPieces(Operation *earlier, Operation *later);
  bool isInOrder();
  void findNext();
  LogicalResult findLocations();
  LogicalResult addPiece(unsigned by);
  LogicalResult addOps(unsigned by, IRMapping &mapping);
  LogicalResult shiftLocations(Operation *op, size_t index, unsigned by);
  FailureOr<Value> getConstant(arith::ConstantOp constant, unsigned by);
  LogicalResult connect(Operation *op);
  void eraseReplaced();
  void placeConstants();

  Block &block;
  const Copies &copies;
  codegen::ConstantScope &scope;
  Shift shift;
  Sequence sequence;
  /// Where the first piece begins, and the ops of each.
  size_t begin = 0, length = 0;
  /// The end of the ops that are like those of the second piece.
  size_t runEnd = 0;
  /// The last of the copies to which the second piece belongs.
  unsigned last = 0;
  /// For each op of the pieces, and the ops in it.
  std::vector<std::pair<Locations, Locations>> locations;
  /// The ops of the newest piece.
  SmallVector<Operation *> newest;
  /// The constants of others, by those of the second piece.
  DenseMap<std::pair<Operation *, unsigned>, Value> shifted;
  /// New constants that go to the others of their kind.
  std::vector<std::pair<size_t, Operation *>> loose;
};
} // namespace

static void visitOperands(Operation *op,
                          llvm::function_ref<void(OpOperand &)> visit) {
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      visit(operand);
  });
}

static SmallVector<Value> getAllOperands(Operation *op) {
  SmallVector<Value> operands;
  visitOperands(op,
                [&](OpOperand &operand) { operands.push_back(operand.get()); });
  return operands;
}

/// The locations of `op`, of the ops in it, and of their blocks' arguments.
static void getLocations(Operation *op,
                         SmallVectorImpl<LocationAttr> &locations) {
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    locations.push_back(inner->getLoc());
    for (Region &region : inner->getRegions())
      for (BlockArgument argument : region.getArguments())
        locations.push_back(argument.getLoc());
  });
}

/// Replaces each of them by the result of `get`, in the same order.
static void setLocations(Operation *op,
                         llvm::function_ref<LocationAttr(LocationAttr)> get) {
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    inner->setLoc(get(inner->getLoc()));
    for (Region &region : inner->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setLoc(get(argument.getLoc()));
  });
}

//===----------------------------------------------------------------------===//
// The pieces
//===----------------------------------------------------------------------===//

/// Whether no pass decided by values that are not the same in all copies.
bool Expansion::areReadShared() {
  return llvm::all_of(scope.getRead(), [&](Copies::Entry *entry) {
    FailureOr<CopyRange> range = shift.getRange(entry);
    return succeeded(range) && range->isEmpty();
  });
}

/// Whether the second piece is of later copies than the last one that a
/// function without layers has besides its last.
bool Expansion::findLast() {
  CopyRange range;
  for (auto [earlier, later] :
       llvm::zip_equal(getPiece(begin), getPiece(getMiddle()))) {
    for (auto [a, b] :
         llvm::zip_equal(getAllOperands(earlier), getAllOperands(later))) {
      Attribute one = compile::getConstant(a), other = compile::getConstant(b);
      if (!other)
        continue;
      FailureOr<CopyRange> ofWeight = CopyRange();
      if (one != other)
        ofWeight = shift.getRange(other);
      if (failed(ofWeight))
        return false;
      range.add(*ofWeight);
    }
    range.add(shift.getRange(later->getLoc()));
  }
  last = range.last;
  return !range.isEmpty() && last + 1 < kKeptCopies;
}

bool Expansion::choosePieces() {
  std::optional<Run> run =
      findRun(sequence, /*fewest=*/2,
              [&](Attribute a, Attribute b) { return shift.follows(a, b); });
  if (!run)
    return false;
  length = run->length;
  runEnd = run->likeEnd;
  // The last ones are nearest to the layers that are missing.
  for (begin = run->likeEnd - 2 * length;; --begin) {
    if (findLast())
      return true;
    if (begin == run->begin)
      return false;
  }
}

/// Whether two ops of the pieces, other than constants, use values of before
/// both pieces, or the later one those of the pieces that correspond.
bool Expansion::dependsOnPieces(Operation *earlier, Operation *later) {
  return llvm::all_of(
      llvm::zip_equal(getAllOperands(earlier), getAllOperands(later)),
      [&](auto pair) {
        auto [a, b] = pair;
        std::optional<size_t> place = sequence.find(b);
        return !place || (a == b ? *place < begin : *place >= begin);
      });
}

/// Whether the weights of ops before the second piece's end are of copies up to
/// its own, and those of later ops of its own and later ones.
bool Expansion::isInOrder() {
  for (auto [place, op] : llvm::enumerate(sequence.getOps())) {
    if (place >= begin && place < getEnd())
      continue;
    for (Value operand : getAllOperands(op)) {
      Attribute constant = compile::getConstant(operand);
      FailureOr<CopyRange> range =
          constant ? shift.getRange(constant) : CopyRange();
      if (failed(range))
        return false;
      if (!range->isEmpty() &&
          (place < begin ? range->last >= last : range->first < last))
        return false;
    }
  }
  return true;
}

/// Ops behind the pieces may have made constants of a layer that is back in its
/// place then.
void Expansion::findNext() {
  for (size_t place = getEnd(); place < std::min(runEnd, getEnd() + length);
       ++place)
    for (auto [earlier, later] :
         llvm::zip_equal(getAllOperands(sequence.getOps()[place - length]),
                         getAllOperands(sequence.getOps()[place]))) {
      auto a = dyn_cast_or_null<DenseResourceElementsAttr>(
               compile::getConstant(earlier)),
           b = dyn_cast_or_null<DenseResourceElementsAttr>(
               compile::getConstant(later));
      FailureOr<CopyRange> range = b ? shift.getRange(b) : CopyRange();
      if (a && succeeded(range) && range->last + 1 < kKeptCopies &&
          shift.follows(a, b))
        shift.setNext(a, b);
    }
}

LogicalResult Expansion::findLocations() {
  for (auto [earlier, later] :
       llvm::zip_equal(getPiece(begin), getPiece(getMiddle()))) {
    if (!dependsOnPieces(earlier, later))
      return failure();
    auto &[before, after] = locations.emplace_back();
    getLocations(earlier, before);
    getLocations(later, after);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The copies
//===----------------------------------------------------------------------===//

FailureOr<Value> Expansion::getConstant(arith::ConstantOp constant,
                                        unsigned by) {
  auto value = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  if (!value)
    return constant.getResult();
  Value &known = shifted[{constant, by}];
  if (known)
    return known;
  FailureOr<DenseResourceElementsAttr> other = shift.shift(value, by);
  if (failed(other))
    return failure();
  if (*other == value)
    return known = constant.getResult();
  FailureOr<LocationAttr> location =
      shift.shiftFrom(shift.getRange(value)->first, constant.getLoc(), by);
  if (failed(location))
    return failure();
  OpBuilder builder(constant.getContext());
  builder.setInsertionPointAfter(constant);
  auto made = arith::ConstantOp::create(builder, *location, *other);
  if (auto label = copies.findWeight(value.getRawHandle().getResource()))
    loose.push_back(
        {copies.getPlace(copies.getNumber(label->copy, by), label->slot),
         made});
  return known = made.getResult();
}

LogicalResult Expansion::shiftLocations(Operation *op, size_t index,
                                        unsigned by) {
  const auto &[before, after] = locations[index];
  size_t next = 0;
  bool isShifted = true;
  setLocations(op, [&, &before = before, &after = after](LocationAttr) {
    FailureOr<LocationAttr> other = shift.shift(before[next], after[next], by);
    isShifted &= succeeded(other);
    LocationAttr old = after[next++];
    return succeeded(other) ? *other : old;
  });
  return success(isShifted);
}

LogicalResult Expansion::addOps(unsigned by, IRMapping &mapping) {
  Operation *behind = by == 1 ? sequence.getOps()[getEnd() - 1] : newest.back();
  OpBuilder builder(behind->getContext());
  builder.setInsertionPointAfter(behind);
  Operation *from = sequence.getOps()[getMiddle() - 1]->getNextNode();
  Operation *to = sequence.getOps()[getEnd() - 1];
  newest.clear();
  // The first copies follow the piece.
  SmallVector<Operation *> ops;
  for (Operation *op = from; op != to; op = op->getNextNode())
    ops.push_back(op);
  ops.push_back(to);
  for (Operation *op : ops) {
    if (!op->hasTrait<OpTrait::ConstantLike>()) {
      newest.push_back(builder.clone(*op, mapping));
      if (failed(shiftLocations(newest.back(), newest.size() - 1, by)))
        return failure();
      continue;
    }
    auto constant = dyn_cast<arith::ConstantOp>(op);
    Operation *clone = builder.clone(*op, mapping);
    if (!constant)
      continue;
    FailureOr<CopyRange> range = shift.getRange(constant.getValue());
    if (failed(range))
      return failure();
    FailureOr<LocationAttr> location = shift.shiftFrom(
        range->isEmpty() ? last : range->first, op->getLoc(), by);
    if (failed(location))
      return failure();
    clone->setLoc(*location);
    shifted[{op, by}] = clone->getResult(0);
    if (auto value = dyn_cast<DenseResourceElementsAttr>(constant.getValue())) {
      FailureOr<DenseResourceElementsAttr> other = shift.shift(value, by);
      if (failed(other))
        return failure();
      cast<arith::ConstantOp>(clone).setValueAttr(*other);
    }
  }
  return success();
}

LogicalResult Expansion::addPiece(unsigned by) {
  IRMapping mapping;
  ArrayRef<Operation *> previous =
      by == 1 ? getPiece(getMiddle()) : ArrayRef(newest);
  for (auto [op, other] : llvm::zip_equal(getPiece(begin), previous))
    mapping.map(op->getResults(), other->getResults());
  Operation *from = sequence.getOps()[getMiddle() - 1];
  Operation *end = sequence.getOps()[getEnd() - 1];
  for (Operation *op : getPiece(getMiddle()))
    for (Value operand : getAllOperands(op)) {
      auto constant = operand.getDefiningOp<arith::ConstantOp>();
      if (!constant || constant->getBlock() != &block ||
          (from->isBeforeInBlock(constant) && constant->isBeforeInBlock(end)))
        continue;
      FailureOr<Value> other = getConstant(constant, by);
      if (failed(other))
        return failure();
      mapping.map(operand, *other);
    }
  return addOps(by, mapping);
}

/// Makes `op`, which is behind the pieces, use the last piece in the place of
/// the second one.
LogicalResult Expansion::connect(Operation *op) {
  unsigned by = copies.getRemoved();
  bool isConnected = true;
  visitOperands(op, [&](OpOperand &operand) {
    Value value = operand.get();
    if (std::optional<size_t> place = sequence.find(value)) {
      isConnected &= *place < begin || *place >= getMiddle();
      if (*place >= getMiddle() && *place < getEnd())
        operand.set(newest[*place - getMiddle()]->getResult(
            cast<OpResult>(value).getResultNumber()));
    } else if (auto constant = value.getDefiningOp<arith::ConstantOp>();
               constant && constant->getBlock() == &block) {
      FailureOr<Value> other = getConstant(constant, by);
      isConnected &= succeeded(other);
      if (succeeded(other))
        operand.set(*other);
    }
  });
  setLocations(op, [&](LocationAttr location) {
    FailureOr<LocationAttr> other = shift.shiftFrom(last, location, by);
    isConnected &= succeeded(other);
    return succeeded(other) ? *other : location;
  });
  return success(isConnected);
}

/// Puts new constants among those of the model in the order that they had, or
/// in the opposite one, to which passes turn it.
void Expansion::placeConstants() {
  using Placed = std::pair<size_t, Operation *>;
  std::vector<Placed> old;
  DenseSet<Operation *> added;
  for (auto [place, op] : loose)
    added.insert(op);
  for (auto constant : block.getOps<arith::ConstantOp>()) {
    auto value = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (!value || added.contains(constant) || constant->use_empty())
      continue;
    if (auto label = copies.findWeight(value.getRawHandle().getResource()))
      old.push_back(
          {copies.getPlace(copies.getNumber(label->copy, 0), label->slot),
           constant});
  }
  if (old.empty())
    return;
  bool isOpposite = old.back().first < old.front().first;
  auto isBefore = [&](const Placed &a, const Placed &b) {
    return isOpposite ? b.first < a.first : a.first < b.first;
  };
  if (!llvm::is_sorted(old, isBefore))
    return;
  llvm::sort(loose, isBefore);
  for (const Placed &placed : loose) {
    auto next = llvm::upper_bound(old, placed, isBefore);
    if (next != old.end()) {
      placed.second->moveBefore(next->second);
      continue;
    }
    placed.second->moveAfter(old.back().second);
    old.push_back(placed);
  }
}

/// Erases constants in whose place all users have others.
void Expansion::eraseReplaced() {
  SetVector<Operation *> replaced;
  for (const auto &[key, value] : shifted)
    if (key.first->use_empty())
      replaced.insert(key.first);
  for (Operation *op : replaced)
    op->erase();
}

LogicalResult Expansion::run() {
  if (sequence.size() == 0 || !areReadShared() || !choosePieces() ||
      !isInOrder() || failed(findLocations()))
    return failure();
  findNext();
  for (unsigned by = 1; by <= copies.getRemoved(); ++by)
    if (failed(addPiece(by)))
      return failure();
  for (Operation *op : sequence.getOps().drop_front(getEnd()))
    if (failed(connect(op)))
      return failure();
  if (failed(connect(block.getTerminator())))
    return failure();
  eraseReplaced();
  placeConstants();
  return success();
}

LogicalResult compile::expandCopies(Block &block, const Copies &copies,
                                    codegen::ConstantScope &constants) {
  return Expansion(block, copies, constants).run();
}
