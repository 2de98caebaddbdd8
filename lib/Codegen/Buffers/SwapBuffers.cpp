//===- SwapBuffers.cpp - Two buffers for what a loop carries --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that computes its next value from the current one, such as a recurrent
// layer, needs the buffers of both. Bufferization allocates one in each
// iteration, copies the next value there, and tracks at run time who frees it.
// This pass allocates both once: halves of one buffer that swap places. The
// loop carries the offset of the current half instead of a buffer.
//
//===----------------------------------------------------------------------===//

#include "BufferPlan.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SWAPBUFFERSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// A value that a loop carries in a new buffer in each iteration.
struct Carried {
  unsigned index = 0;
  /// In the body: the new buffer, and what fills it.
  memref::AllocOp alloc;
  memref::CopyOp copy;
};

/// Rewrites one value of a loop.
class Swap {
public:
  Swap(scf::ForOp loop, Carried given)
      : loop(loop), carried(given), type(given.alloc.getType()),
        half(int64_t(llvm::alignTo(uint64_t(getBufferBytes(type)),
                                   uint64_t(kBufferAlignment)))) {}

  /// Returns the loop that replaces the old one.
  scf::ForOp apply();

private:
  void allocate();
  void replaceBuffer(Value next);
  Value getHalf(OpBuilder &builder, Value offset);

  scf::ForOp loop;
  Carried carried;
  MemRefType type;
  int64_t half;
  Value both;
  Location location = loop.getLoc();
};

} // namespace

/// The alloc of `value`, if the loop is the last to use it, once, and all other
/// uses are in the loop's block.
static memref::AllocOp getOwnAlloc(Value value, scf::ForOp loop) {
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != loop->getBlock())
    return {};
  unsigned count = 0;
  for (Operation *user : alloc->getUsers()) {
    Operation *ancestor = loop->getBlock()->findAncestorOpInBlock(*user);
    // A view may be used later.
    bool isAccess =
        !user->hasTrait<OpTrait::IsTerminator>() &&
        llvm::none_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
    if (user == loop
            ? ++count > 1
            : !isAccess || !ancestor || !ancestor->isBeforeInBlock(loop))
      return {};
  }
  return alloc;
}

Value Swap::getHalf(OpBuilder &builder, Value offset) {
  return memref::ViewOp::create(builder, location, type, both, offset,
                                ValueRange());
}

/// Makes the buffer, whose first half has the value before the loop.
void Swap::allocate() {
  Value init = loop.getInitArgs()[carried.index];
  memref::AllocOp own = getOwnAlloc(init, loop);
  OpBuilder builder(own ? own.getOperation() : loop.getOperation());
  both = memref::AllocOp::create(
      builder, location, MemRefType::get({2 * half}, builder.getI8Type()),
      builder.getI64IntegerAttr(kBufferAlignment));
  Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  Value first = getHalf(builder, zero);
  if (!own) {
    memref::CopyOp::create(builder, location, init, first);
    return;
  }
  own.replaceAllUsesWith(first);
  own.erase();
}

/// Whether `op` overwrites all of `buffer` without reading it.
static bool overwrites(Operation *op, Value buffer) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copy.getTarget() == buffer && copy.getSource() != buffer;
  auto run = dyn_cast<dispatch::RunOp>(op);
  if (!run || llvm::is_contained(run.getInputs(), buffer))
    return false;
  for (auto [index, out] : llvm::enumerate(run.getOutputs()))
    if (out == buffer && run.isUpdated(unsigned(index)))
      return false;
  return true;
}

/// Whether the ops after `copy` leave its source as it is.
static bool isLastWrite(memref::CopyOp copy) {
  for (Operation *op = copy->getNextNode(); op; op = op->getNextNode()) {
    auto other = dyn_cast<memref::CopyOp>(op);
    bool isToNew = other && other.getTarget().getDefiningOp<memref::AllocOp>();
    if (!isToNew && !isa<memref::AllocOp>(op) && !isMemoryEffectFree(op))
      return false;
  }
  return true;
}

/// Whether the buffer that is copied at the end of each iteration could be its
/// target: it does not hold anything between iterations.
static bool isTemporary(memref::AllocOp source, memref::CopyOp copy) {
  Block *body = copy->getBlock();
  Operation *first = nullptr;
  for (Operation *user : source->getUsers()) {
    Operation *op = body->findAncestorOpInBlock(*user);
    if (!op || copy->isBeforeInBlock(op))
      return false;
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  return first != copy && isLastWrite(copy) &&
         (source->getBlock() == body || overwrites(first, source));
}

/// Lets the body compute in the half `next` what it leaves for the next
/// iteration.
void Swap::replaceBuffer(Value next) {
  auto source = carried.copy.getSource().getDefiningOp<memref::AllocOp>();
  bool isComputed =
      source && source.getType() == type && isTemporary(source, carried.copy);
  carried.alloc.replaceAllUsesWith(next);
  carried.alloc.erase();
  if (!isComputed)
    return;
  carried.copy.erase();
  source.replaceAllUsesWith(next);
  source.erase();
}

scf::ForOp Swap::apply() {
  allocate();
  OpBuilder builder(loop);
  Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  SmallVector<Value> inits(loop.getInitArgs());
  inits[carried.index] = zero;
  auto swapped =
      scf::ForOp::create(builder, location, loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits,
                         /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  swapped->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  swapped.getRegion().takeBody(loop.getRegion());
  // The offset takes the place of the buffer.
  BlockArgument offset = swapped.getRegionIterArg(carried.index);
  OpBuilder inside = OpBuilder::atBlockBegin(swapped.getBody());
  Value size = arith::ConstantIndexOp::create(inside, location, half);
  Value other = arith::SubIOp::create(inside, location, size, offset);
  Value current = getHalf(inside, offset), next = getHalf(inside, other);
  offset.replaceUsesWithIf(current, [&](OpOperand &use) {
    return use.getOwner() != current.getDefiningOp() &&
           use.getOwner() != other.getDefiningOp();
  });
  offset.setType(inside.getIndexType());
  replaceBuffer(next);
  swapped.getBody()->getTerminator()->setOperand(carried.index, other);
  builder.setInsertionPointAfter(swapped);
  Value last = getHalf(builder, swapped.getResult(carried.index));
  for (auto [index, result] : llvm::enumerate(loop.getResults()))
    result.replaceAllUsesWith(
        index == carried.index ? last : swapped.getResult(unsigned(index)));
  if (last.use_empty())
    last.getDefiningOp()->erase();
  loop.erase();
  return swapped;
}

/// A value of `loop` that a copy in the body leaves in a new buffer.
static std::optional<Carried> findCarried(scf::ForOp loop) {
  for (auto [index, yielded] : llvm::enumerate(loop.getYieldedValues())) {
    auto alloc = yielded.getDefiningOp<memref::AllocOp>();
    if (!alloc || alloc->getBlock() != loop.getBody() ||
        getBufferBytes(alloc.getType()) == 0 ||
        loop.getRegionIterArg(unsigned(index)).getType() != alloc.getType() ||
        !llvm::hasNItems(alloc->getUses(), 2))
      continue;
    for (Operation *user : alloc->getUsers())
      if (auto copy = dyn_cast<memref::CopyOp>(user))
        if (copy.getTarget() == alloc && copy->getBlock() == loop.getBody())
          return Carried{unsigned(index), alloc, copy};
  }
  return std::nullopt;
}

namespace {
struct SwapBuffersPass
    : mlirprof::codegen::impl::SwapBuffersPassBase<SwapBuffersPass> {
  using SwapBuffersPassBase::SwapBuffersPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    // Inner loops come first.
    for (scf::ForOp loop : loops)
      while (std::optional<Carried> carried = findCarried(loop))
        loop = Swap(loop, *carried).apply();
  }
};
} // namespace
