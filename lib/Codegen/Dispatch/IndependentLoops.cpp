//===- IndependentLoops.cpp - Loops with independent iterations -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules mark the loops that they build. Others (copies, fills, ops without
// a rule) are recognized here: in one dimension of each buffer that a loop
// writes, all positions at which an iteration reads or writes it are the
// iteration's own, its number plus the same value.
//
//===----------------------------------------------------------------------===//

#include "PhasePlan.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {
/// A read or a write of one element or vector.
struct ElementAccess {
  Value buffer;
  SmallVector<Value> indices;
  /// The last dimensions, of which a range is accessed.
  unsigned ranges = 0;
  bool isWrite = false;
};

class LoopAccesses {
public:
  explicit LoopAccesses(scf::ForOp loop) : loop(loop) {}

  /// Whether the effects of all ops in the loop are known.
  bool collect();
  bool areApart() const;

private:
  bool add(Operation *op);
  template <typename OpT>
  void add(OpT op, Value buffer, bool isWrite);
  Value findRoot(Value buffer) const;
  bool areApart(Value root) const;
  std::optional<Value> getShift(Value index) const;

  mutable scf::ForOp loop;
  SmallVector<ElementAccess> accesses;
};
} // namespace

template <typename OpT>
void LoopAccesses::add(OpT op, Value buffer, bool isWrite) {
  unsigned ranges = 0;
  for (Type type : op->getOperandTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      ranges = std::max(ranges, unsigned(vector.getRank()));
  for (Type type : op->getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      ranges = std::max(ranges, unsigned(vector.getRank()));
  accesses.push_back(
      {buffer, SmallVector<Value>(op.getIndices()), ranges, isWrite});
}

bool LoopAccesses::add(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isMemoryEffectFree(op) ||
      isa<cf::AssertOp, memref::AllocOp, memref::AllocaOp, memref::DeallocOp>(
          op))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](memref::LoadOp load) {
        return add(load, load.getMemRef(), false), true;
      })
      .Case([&](memref::StoreOp store) {
        return add(store, store.getMemRef(), true), true;
      })
      .Case<vector::LoadOp, vector::MaskedLoadOp>(
          [&](auto load) { return add(load, load.getBase(), false), true; })
      .Case<vector::StoreOp, vector::MaskedStoreOp>(
          [&](auto store) { return add(store, store.getBase(), true), true; })
      .Default(false);
}

bool LoopAccesses::collect() {
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    return add(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// The allocation or the kernel's argument that `buffer` is a part of, or null.
Value LoopAccesses::findRoot(Value buffer) const {
  while (Operation *op = buffer.getDefiningOp()) {
    if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op))
      return buffer;
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp,
             memref::SubViewOp, memref::ViewOp>(op))
      return {};
    buffer = op->getOperand(0);
  }
  Operation *owner = cast<BlockArgument>(buffer).getOwner()->getParentOp();
  return isa<FunctionOpInterface>(owner) ? buffer : Value();
}

/// The value that `index` adds to the number of the iteration, null for none.
std::optional<Value> LoopAccesses::getShift(Value index) const {
  Value number = loop.getInductionVar();
  if (index == number)
    return Value();
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  for (auto [one, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                            std::pair(sum.getRhs(), sum.getLhs())})
    if (one == number && loop.isDefinedOutsideOfLoop(other))
      return other;
  return std::nullopt;
}

/// Whether iterations access `root`, which one of them writes, apart.
bool LoopAccesses::areApart(Value root) const {
  Value buffer;
  /// By dimension: what positions add to the iteration's number.
  SmallVector<std::optional<Value>> shifts;
  for (const ElementAccess &access : accesses) {
    if (findRoot(access.buffer) != root)
      continue;
    bool isFirst = !buffer;
    if (!isFirst && access.buffer != buffer)
      return false;
    buffer = access.buffer;
    size_t single = access.indices.size() -
                    std::min<size_t>(access.ranges, access.indices.size());
    if (isFirst)
      for (Value index : access.indices)
        shifts.push_back(getShift(index));
    for (size_t i = 0; i != shifts.size(); ++i)
      if (i >= single || shifts[i] != getShift(access.indices[i]))
        shifts[i] = std::nullopt;
  }
  return loop.isDefinedOutsideOfLoop(buffer) &&
         llvm::any_of(shifts, [](const auto &shift) { return bool(shift); });
}

bool LoopAccesses::areApart() const {
  llvm::SmallSetVector<Value, 4> written;
  for (const ElementAccess &access : accesses) {
    Value root = findRoot(access.buffer);
    if (!root)
      return false;
    // Others are memory of the iteration's own.
    if (access.isWrite && loop.isDefinedOutsideOfLoop(root))
      written.insert(root);
  }
  return llvm::all_of(written, [&](Value root) { return areApart(root); });
}

bool codegen::isIndependent(scf::ForOp loop) {
  if (loop.getNumResults() != 0)
    return false;
  if (loop->hasAttr(kParallelLoop))
    return true;
  LoopAccesses accesses(loop);
  return accesses.collect() && accesses.areApart();
}
