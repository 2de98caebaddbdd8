//===- SettleBuffers.cpp - One place for chosen buffers -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SETTLEBUFFERSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// A copy of `source` to a settled buffer.
using Copy = std::pair<Value, Value>;

namespace {
struct SettleBuffersPass
    : mlirprof::codegen::impl::SettleBuffersPassBase<SettleBuffersPass> {
  using SettleBuffersPassBase::SettleBuffersPassBase;

  void runOnOperation() override;

private:
  FailureOr<Value> addBuffer(Value chosen);
  void copyAll(ArrayRef<Copy> copies, Operation *before);
  LogicalResult settleBranch(scf::IfOp op);
  LogicalResult settleLoop(scf::ForOp op);
  LogicalResult settleLoop(scf::WhileOp op);
};
} // namespace

/// A buffer for the values that `chosen` may be.
FailureOr<Value> SettleBuffersPass::addBuffer(Value chosen) {
  auto type = cast<MemRefType>(chosen.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return emitError(chosen.getLoc())
           << "a branch or loop chooses a buffer of type " << type
           << ", which does not have a place of known size";
  func::FuncOp function = getOperation();
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  return memref::AllocOp::create(builder, chosen.getLoc(), type).getResult();
}

static Value getBase(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// All at the same time: a source that another copy overwrites is saved first.
void SettleBuffersPass::copyAll(ArrayRef<Copy> copies, Operation *before) {
  OpBuilder builder(before);
  SmallVector<Copy> last;
  for (const Copy &copy : copies) {
    auto [source, target] = copy;
    if (source == target)
      continue;
    Value base = getBase(source);
    bool isOverwritten = llvm::any_of(copies, [&](const Copy &other) {
      return other.second == base && other.first != other.second;
    });
    if (isOverwritten) {
      Value saved = *addBuffer(target);
      memref::CopyOp::create(builder, before->getLoc(), source, saved);
      source = saved;
    }
    last.push_back({source, target});
  }
  for (auto [source, target] : last)
    memref::CopyOp::create(builder, before->getLoc(), source, target);
}

static bool isBuffer(Value value) { return isa<MemRefType>(value.getType()); }

LogicalResult SettleBuffersPass::settleBranch(scf::IfOp op) {
  SmallVector<Copy> copies[2];
  for (OpResult result : op.getResults()) {
    if (!isBuffer(result))
      continue;
    FailureOr<Value> buffer = addBuffer(result);
    if (failed(buffer))
      return failure();
    for (unsigned i = 0; i != 2; ++i)
      copies[i].push_back({op->getRegion(i).front().getTerminator()->getOperand(
                               result.getResultNumber()),
                           *buffer});
    result.replaceAllUsesWith(*buffer);
  }
  for (unsigned i = 0; i != 2; ++i)
    if (!copies[i].empty())
      copyAll(copies[i], op->getRegion(i).front().getTerminator());
  return success();
}

LogicalResult SettleBuffersPass::settleLoop(scf::ForOp op) {
  SmallVector<Copy> first;
  SmallVector<std::pair<unsigned, Value>> settled;
  for (auto [index, argument] : llvm::enumerate(op.getRegionIterArgs())) {
    if (!isBuffer(argument))
      continue;
    FailureOr<Value> buffer = addBuffer(argument);
    if (failed(buffer))
      return failure();
    first.push_back({op.getInitArgs()[index], *buffer});
    settled.push_back({unsigned(index), *buffer});
    argument.replaceAllUsesWith(*buffer);
    op.getResult(unsigned(index)).replaceAllUsesWith(*buffer);
  }
  copyAll(first, op);
  SmallVector<Copy> next;
  for (auto [index, buffer] : settled)
    next.push_back({op.getYieldedValues()[index], buffer});
  copyAll(next, op.getBody()->getTerminator());
  return success();
}

LogicalResult SettleBuffersPass::settleLoop(scf::WhileOp op) {
  SmallVector<Copy> first, passed;
  SmallVector<std::pair<unsigned, Value>> settled;
  for (auto [index, argument] : llvm::enumerate(op.getBeforeArguments())) {
    if (!isBuffer(argument))
      continue;
    FailureOr<Value> buffer = addBuffer(argument);
    if (failed(buffer))
      return failure();
    first.push_back({op.getInits()[index], *buffer});
    settled.push_back({unsigned(index), *buffer});
    argument.replaceAllUsesWith(*buffer);
  }
  copyAll(first, op);
  scf::ConditionOp condition = op.getConditionOp();
  for (auto [index, argument] : llvm::enumerate(op.getAfterArguments())) {
    if (!isBuffer(argument))
      continue;
    Value source = condition.getArgs()[index];
    bool isSettled = llvm::any_of(
        settled, [&](const auto &entry) { return entry.second == source; });
    FailureOr<Value> buffer =
        isSettled ? FailureOr<Value>(source) : addBuffer(argument);
    if (failed(buffer))
      return failure();
    passed.push_back({source, *buffer});
    argument.replaceAllUsesWith(*buffer);
    op.getResult(unsigned(index)).replaceAllUsesWith(*buffer);
  }
  copyAll(passed, condition);
  SmallVector<Copy> next;
  for (auto [index, buffer] : settled)
    next.push_back({op.getYieldOp().getOperand(index), buffer});
  copyAll(next, op.getYieldOp());
  return success();
}

/// Memory that callers pass is not freed; nor is it asked whether it is to be.
static void removeDeallocations(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isa<memref::DeallocOp>(op) || isOpTriviallyDead(op))
      op->erase();
}

void SettleBuffersPass::runOnOperation() {
  if (getOperation().isExternal())
    return;
  WalkResult result = getOperation().walk([&](Operation *op) {
    LogicalResult settled = success();
    if (auto branch = dyn_cast<scf::IfOp>(op))
      settled = settleBranch(branch);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      settled = settleLoop(loop);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      settled = settleLoop(loop);
    return failed(settled) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return signalPassFailure();
  removeDeallocations(getOperation());
}
