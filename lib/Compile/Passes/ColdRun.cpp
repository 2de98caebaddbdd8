//===- ColdRun.cpp - Neighbouring ops that are to be small ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColdRun.h"
#include "mlir-prof/Compile/Choices.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlirprof;

bool mlirprof::isForSize(Operation *op) {
  return getChoice(op, choice::kCode, "for") == "size";
}

bool mlirprof::isMovable(Operation *op) {
  return isa<memref::AllocOp>(op) ||
         (op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
          isMemoryEffectFree(op));
}

bool mlirprof::isSmall(Operation *op) {
  return isMovable(op) ||
         isa<memref::CopyOp, memref::LoadOp, memref::StoreOp>(op);
}

void ColdRun::add(Operation *op) {
  ops.insert(waiting.begin(), waiting.end());
  waiting.clear();
  ops.insert(op);
  ++forSize;
}

bool ColdRun::dependsOn(Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition &&
           (ops.contains(definition) || waiting.contains(definition));
  });
}

SmallVector<OpSet> ColdRun::getParts() const {
  SmallVector<OpSet> parts(1);
  for (Operation *op : ops) {
    bool isUsedElsewhere = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !ops.contains(op->getBlock()->findAncestorOpInBlock(*user));
    });
    if (isUsedElsewhere)
      parts.emplace_back();
    else
      parts.back().insert(op);
  }
  llvm::erase_if(
      parts, [](const OpSet &part) { return llvm::none_of(part, isForSize); });
  return parts;
}

/// Where `value` is needed by `ops` only, the op that makes it; for a buffer
/// `dealloc` is where it is freed.
static Operation *getOwned(Value value, const OpSet &ops, Operation *&dealloc) {
  Operation *op = value.getDefiningOp();
  Block *block = ops.front()->getBlock();
  if (!op || op->getBlock() != block || ops.contains(op) || !isMovable(op))
    return nullptr;
  for (Operation *user : op->getUsers()) {
    bool isDealloc = isa<memref::AllocOp>(op) && isa<memref::DeallocOp>(user) &&
                     !dealloc && user->getBlock() == block;
    if (isDealloc)
      dealloc = user;
    else if (!ops.contains(block->findAncestorOpInBlock(*user)))
      return nullptr;
  }
  bool isLeft = isa<memref::AllocOp>(op) && !dealloc;
  return isLeft ? nullptr : op;
}

void mlirprof::addOwned(OpSet &ops) {
  SmallVector<Operation *> before, after;
  bool changes = true;
  while (changes) {
    changes = false;
    llvm::SetVector<Value> used;
    for (Operation *op : ops)
      op->walk([&](Operation *inner) {
        used.insert(inner->operand_begin(), inner->operand_end());
      });
    for (Value value : used) {
      Operation *dealloc = nullptr;
      Operation *owned = getOwned(value, ops, dealloc);
      if (!owned)
        continue;
      ops.insert(owned);
      before.push_back(owned);
      if (dealloc) {
        ops.insert(dealloc);
        after.push_back(dealloc);
      }
      changes = true;
    }
  }
  llvm::sort(before,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpSet ordered(before.begin(), before.end());
  for (Operation *op : ops)
    if (!llvm::is_contained(after, op))
      ordered.insert(op);
  ordered.insert(after.begin(), after.end());
  ops = std::move(ordered);
}
