//===- HoistAssertions.cpp - Assertions before the ops they are in --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An embedding copies a row for each token, and its body asserts for each
// element of the row that the token is in the table. The assertion depends on
// the loop over tokens only. It becomes a loop of its own before the op:
//
//   %all = scf.for %i = %c0 to %tokens step %c1 iter_args(%so_far = %true) {
//     ...
//     %both = arith.andi %so_far, %in : i1
//     scf.yield %both : i1
//   }
//   cf.assert %all, "index is out of range"
//
// so that the copy has a body without branches, which vectors can compute. An
// assertion that depends on all loops stays where it is.
//
//===----------------------------------------------------------------------===//

#include "../Loops/Places.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_HOISTASSERTIONSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::GenericOp;

namespace {

/// Moves the assertions out of the body of one op.
class Hoister {
public:
  explicit Hoister(GenericOp op) : op(op), builder(op) {}
  void run();

private:
  bool canCompute(Value value);
  bool saves(const llvm::SmallBitVector &loops);
  void hoist(cf::AssertOp assertion, const llvm::SmallBitVector &loops);
  Value countRuns(const llvm::SmallBitVector &loops, ArrayRef<Range> ranges);
  Value compute(OpBuilder &inner, Value value, IRMapping &mapping);
  Value readInput(OpBuilder &inner, BlockArgument argument);

  GenericOp op;
  OpBuilder builder;
  /// The number of the iteration by loop; null for a loop that the assertion
  /// does not depend on.
  SmallVector<Value> numbers;
};

} // namespace

/// Whether `value` can be computed before the op: from inputs and indices.
bool Hoister::canCompute(Value value) {
  SmallVector<Value> left = {value};
  DenseSet<Value> seen;
  while (!left.empty()) {
    Value next = left.pop_back_val();
    if (!op->isAncestor(next.getParentBlock()->getParentOp()) ||
        !seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getArgNumber() >= op.getNumDpsInputs())
        return false;
      continue;
    }
    Operation *inner = next.getDefiningOp();
    if (inner->getNumRegions() != 0 || !isMemoryEffectFree(inner))
      return false;
    llvm::append_range(left, inner->getOperands());
  }
  return true;
}

/// Whether fewer iterations are enough for an assertion that depends on `loops`
/// than the op has.
bool Hoister::saves(const llvm::SmallBitVector &loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  // The body of an op without iterations does not run.
  if (llvm::is_contained(sizes, 0))
    return false;
  return llvm::any_of(llvm::enumerate(sizes), [&](auto size) {
    return !loops.test(size.index()) && size.value() != 1;
  });
}

/// The element of an input at the place of the iteration.
Value Hoister::readInput(OpBuilder &inner, BlockArgument argument) {
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!isa<RankedTensorType>(operand->get().getType()))
    return operand->get();
  Location location = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<OpFoldResult> places;
  for (Value number : numbers)
    places.push_back(number ? OpFoldResult(number)
                            : OpFoldResult(inner.getIndexAttr(0)));
  SmallVector<Value> indices;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
    indices.push_back(getValueOrCreateConstantIndexOp(
        inner, location,
        affine::makeComposedFoldedAffineApply(inner, location,
                                              map.getSubMap({dim}), places)));
  return tensor::ExtractOp::create(inner, location, operand->get(), indices);
}

/// A copy of `value` outside of the body.
Value Hoister::compute(OpBuilder &inner, Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (!op->isAncestor(value.getParentBlock()->getParentOp()))
    return value;
  Value result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    result = readInput(inner, argument);
  } else if (auto index = value.getDefiningOp<linalg::IndexOp>()) {
    result = numbers[index.getDim()];
  } else {
    Operation *made = value.getDefiningOp();
    for (Value operand : made->getOperands())
      mapping.map(operand, compute(inner, operand, mapping));
    Operation *copy = inner.clone(*made, mapping);
    copy->setLoc(op.getLoc());
    result = copy->getResult(cast<OpResult>(value).getResultNumber());
  }
  mapping.map(value, result);
  return result;
}

/// The number of times that the loops of an assertion run, 1 or 0: the body of
/// an op does not run if another of its loops is empty. Null if none of those
/// can be.
Value Hoister::countRuns(const llvm::SmallBitVector &loops,
                         ArrayRef<Range> ranges) {
  Location location = op.getLoc();
  Value count;
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    auto size = dyn_cast<Value>(range.size);
    if (loops.test(loop) || !size || getConstantIntValue(size))
      continue;
    if (!count)
      count = arith::ConstantIndexOp::create(builder, location, 1);
    count = arith::MinUIOp::create(builder, location, count, size);
  }
  return count;
}

void Hoister::hoist(cf::AssertOp assertion, const llvm::SmallBitVector &loops) {
  Location location = op.getLoc();
  builder.setInsertionPoint(op);
  auto structured = cast<linalg::LinalgOp>(op.getOperation());
  SmallVector<Range> ranges = structured.createLoopRanges(builder, location);
  SmallVector<Value> ends;
  Value runs = countRuns(loops, ranges);
  if (runs)
    ends.push_back(runs);
  for (unsigned loop : loops.set_bits())
    ends.push_back(
        getValueOrCreateConstantIndexOp(builder, location, ranges[loop].size));
  SmallVector<Value> begins(
      ends.size(), arith::ConstantIndexOp::create(builder, location, 0));
  SmallVector<Value> steps(
      ends.size(), arith::ConstantIndexOp::create(builder, location, 1));
  Value holds = arith::ConstantIntOp::create(builder, location, 1, 1);
  auto build = [&](OpBuilder &inner, Location, ValueRange iteration,
                   ValueRange state) -> scf::ValueVector {
    numbers.assign(op.getNumLoops(), Value());
    for (auto [loop, number] :
         llvm::zip_equal(loops.set_bits(), iteration.drop_front(runs ? 1 : 0)))
      numbers[loop] = number;
    IRMapping mapping;
    Value now = compute(inner, assertion.getArg(), mapping);
    return {arith::AndIOp::create(inner, location, state[0], now)};
  };
  scf::LoopNest nest =
      scf::buildLoopNest(builder, location, begins, ends, steps, holds, build);
  cf::AssertOp::create(builder, location, nest.results[0],
                       assertion.getMsgAttr());
  assertion.erase();
}

void Hoister::run() {
  if (!op.hasPureTensorSemantics())
    return;
  SmallVector<cf::AssertOp> assertions(op.getBody()->getOps<cf::AssertOp>());
  for (cf::AssertOp assertion : assertions) {
    if (!canCompute(assertion.getArg()))
      return;
    llvm::SmallBitVector loops = findLoops(op, assertion.getArg());
    // The assertions after one that stays may rely on it.
    if (!saves(loops))
      return;
    hoist(assertion, loops);
  }
}

namespace {

struct HoistAssertionsPass
    : mlirprof::codegen::impl::HoistAssertionsPassBase<HoistAssertionsPass> {
  using HoistAssertionsPassBase::HoistAssertionsPassBase;

  void runOnOperation() override {
    SmallVector<GenericOp> ops;
    getOperation().walk([&](GenericOp op) { ops.push_back(op); });
    for (GenericOp op : ops)
      Hoister(op).run();
  }
};

} // namespace
