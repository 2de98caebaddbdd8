//===- EliminateEmptyTensors.cpp - Places for results ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs before bufferization, which checks for each read whether any write to a
// possibly equal buffer comes in between. Ops of one shape share an empty
// tensor as their destination, and thus reuse a buffer once it is free. With
// many ops the number of pairs becomes too large, so only neighbors share.
//
// For the analysis, a read of an empty tensor depends on no write, and the body
// of a loop reads only what the loop starts from. So it would let two arguments
// that start from the same empty tensor share a buffer, though the body writes
// both. They get tensors of their own.
//
// Upstream's empty-tensor elimination repeats that analysis, so it runs only
// where it can have an effect.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_ELIMINATEEMPTYTENSORSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Limit on the ops that share an empty tensor, counting the tensor ops nested
/// in them: the analysis is cubic in the number of writes to one place, and an
/// op that rules turned into loops writes often.
static constexpr unsigned kMostUsers = 32;
static constexpr size_t kMostAccesses = 64;

static size_t countAccesses(Operation *user) {
  size_t count = 0;
  user->walk([&](Operation *op) {
    count += llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
  });
  return count;
}

/// The first of `ops`, at least one, that may share an empty tensor.
static ArrayRef<Operation *> takeGroup(ArrayRef<Operation *> ops) {
  size_t accesses = 0, count = 0;
  for (Operation *op : ops.take_front(kMostUsers)) {
    accesses += countAccesses(op);
    if (count != 0 && accesses > kMostAccesses)
      break;
    ++count;
  }
  return ops.take_front(count);
}

/// Gives groups of neighboring users of `empty` an empty tensor each.
static void limitUsers(tensor::EmptyOp empty) {
  Block *block = empty->getBlock();
  llvm::SetVector<Operation *> users;
  for (Operation *user : empty->getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    // The user is in a block behind a branch.
    if (!ancestor)
      return;
    users.insert(ancestor);
  }
  SmallVector<Operation *> ordered = users.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  ArrayRef<Operation *> left(ordered);
  for (left = left.drop_front(takeGroup(left).size()); !left.empty();) {
    ArrayRef<Operation *> group = takeGroup(left);
    left = left.drop_front(group.size());
    llvm::SmallPtrSet<Operation *, kMostUsers> members(group.begin(),
                                                       group.end());
    OpBuilder builder(group.front());
    Value clone = builder.clone(*empty)->getResult(0);
    empty.getResult().replaceUsesWithIf(clone, [&](OpOperand &use) {
      return members.contains(block->findAncestorOpInBlock(*use.getOwner()));
    });
  }
}

static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, tensor::ReshapeOp>(op);
}

/// The ops that make `value` from a tensor without content, last first; none if
/// it has content.
static SmallVector<Operation *> getUnwritten(Value value) {
  SmallVector<Operation *> chain;
  for (Operation *op = value.getDefiningOp(); op;
       op = op->getOperand(0).getDefiningOp()) {
    chain.push_back(op);
    auto alloc = dyn_cast<bufferization::AllocTensorOp>(op);
    if (isa<tensor::EmptyOp>(op) || (alloc && !alloc.getCopy()))
      return chain;
    if (!isView(op))
      break;
  }
  return {};
}

/// Whether `loop` or its body uses `tensor` or a view of it, but by `init`.
static bool isSharedIn(Operation *loop, Value tensor, const OpOperand &init) {
  return llvm::any_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return (&use != &init && loop->isAncestor(user)) ||
           (isView(user) && isSharedIn(loop, user->getResult(0), init));
  });
}

/// Gives inits of `loop` that are without content tensors of their own.
static void separateInits(LoopLikeOpInterface loop) {
  for (OpOperand &init : loop.getInitsMutable()) {
    SmallVector<Operation *> chain = getUnwritten(init.get());
    if (chain.empty() || !isSharedIn(loop, chain.back()->getResult(0), init))
      continue;
    OpBuilder builder(loop);
    IRMapping clones;
    for (Operation *op : llvm::reverse(chain))
      builder.clone(*op, clones);
    init.set(clones.lookup(init.get()));
  }
}

/// The values from which `value` may be computed in the same buffer; none if
/// they are unknown.
static std::optional<SmallVector<Value>> getOrigins(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    return init ? SmallVector<Value>{init->get()} : SmallVector<Value>();
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    OpOperand *init = loop.getTiedLoopInit(result);
    OpOperand *yielded =
        loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(result));
    if (init && yielded)
      return SmallVector<Value>{init->get(), yielded->get()};
    return std::nullopt;
  }
  if (auto styled = dyn_cast<DestinationStyleOpInterface>(op))
    return SmallVector<Value>{styled.getTiedOpOperand(result)->get()};
  if (op->getNumRegions() != 0)
    return std::nullopt;
  SmallVector<Value> tensors;
  llvm::copy_if(
      op->getOperands(), std::back_inserter(tensors),
      [](Value operand) { return isa<TensorType>(operand.getType()); });
  return tensors;
}

/// Whether `source` may be computed in the place of an empty tensor.
static bool mayBeEmpty(Value source) {
  SmallVector<Value> values{source};
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (value.getDefiningOp<tensor::EmptyOp>())
      return true;
    std::optional<SmallVector<Value>> origins = getOrigins(value);
    if (!origins)
      return true;
    values.append(*origins);
  }
  return false;
}

/// Whether a value computed in the place of an empty tensor is later inserted
/// into another one.
static bool canEliminate(ModuleOp module) {
  WalkResult result = module.walk([](SubsetInsertionOpInterface op) {
    Value source = op.getSourceOperand().get();
    return isa<TensorType>(source.getType()) && mayBeEmpty(source)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {

struct EliminateEmptyTensorsPass
    : mlirprof::codegen::impl::EliminateEmptyTensorsPassBase<
          EliminateEmptyTensorsPass> {
  using EliminateEmptyTensorsPassBase::EliminateEmptyTensorsPassBase;

  void runOnOperation() override {
    SmallVector<tensor::EmptyOp> empties;
    getOperation().walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    llvm::for_each(empties, limitUsers);
    getOperation().walk(separateInits);
    if (!canEliminate(getOperation()))
      return;
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(bufferization::createEmptyTensorEliminationPass());
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }
};

} // namespace
