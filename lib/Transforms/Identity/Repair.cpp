//===- Repair.cpp - Identities for ops that lost theirs -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Repair.h"

#include "mlir-prof/Transforms/Identity.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

IdentityScan::IdentityScan(Operation *root, ScanKind kind,
                           prof::IdentityTable &identities)
    : root(root), identities(identities) {
  prof::IdentityNeed needsIdentity;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isKnown = identities.has(op->getLoc());
    if (!isKnown)
      findNewFunction(op);
    else if (op->hasTrait<OpTrait::ConstantLike>())
      return constants.push_back(op);
    // Most ops.
    if ((kind == ScanKind::LostOnly && isKnown) || !needsIdentity(op))
      return;
    ++ops;
    if (!isKnown)
      lost.push_back(op);
    else
      llvm::append_range(nodes, identities.get(op->getLoc()).owners);
  });
  llvm::sort(nodes);
  nodes.erase(llvm::unique(nodes), nodes.end());
}

bool IdentityScan::isSource(Operation *op) {
  return op && !open.contains(op) && prof::needsIdentity(op) &&
         identities.has(op->getLoc());
}

bool IdentityScan::take(Operation *op, Operation *source) {
  if (!isSource(source))
    return false;
  op->setLoc(source->getLoc());
  return true;
}

bool IdentityScan::takeFromConstants(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *constant = operand.getDefiningOp();
    // Unrelated ops share scalar constants.
    if (!constant || !isa<VectorType>(operand.getType()) ||
        !constant->hasTrait<OpTrait::ConstantLike>() ||
        !identities.has(constant->getLoc()))
      continue;
    op->setLoc(constant->getLoc());
    return true;
  }
  return false;
}

bool IdentityScan::takeFromUsers(Operation *op) {
  // A value's use as a result of the function or the loop does not indicate its
  // origin.
  for (Operation *user : op->getUsers())
    if (!user->hasTrait<OpTrait::IsTerminator>() && take(op, user))
      return true;
  return false;
}

bool IdentityScan::takeFromOperands(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return take(op, operand.getDefiningOp());
  });
}

bool IdentityScan::takeFromNeighbors(Operation *op) {
  Operation *next = op->getNextNode();
  bool isLast = next && next->hasTrait<OpTrait::IsTerminator>();
  if ((!isLast && take(op, next)) || take(op, op->getPrevNode()) ||
      take(op, next))
    return true;
  // In a block graph the neighbors are in other blocks.
  for (Block *block : op->getSuccessors())
    if (!block->empty() && take(op, &block->front()))
      return true;
  if (op->getBlock() && op == &op->getBlock()->front())
    for (Block *block : op->getBlock()->getPredecessors())
      if (!block->empty() && take(op, &block->back()))
        return true;
  return false;
}

template <typename Range>
bool IdentityScan::sweep(Range ops,
                         llvm::function_ref<bool(Operation *)> rule) {
  bool helped = false;
  for (Operation *op : ops)
    if (open.contains(op) && rule(op)) {
      open.erase(op);
      helped = true;
    }
  return helped;
}

bool IdentityScan::sweepAll() {
  // One sweep repairs chains of lost ops: users come later, operands and
  // parents earlier.
  bool helped = sweep(ArrayRef(lost), [&](Operation *op) {
    return take(op, op->getParentOp());
  });
  helped |= sweep(llvm::reverse(lost),
                  [&](Operation *op) { return takeFromUsers(op); });
  helped |= sweep(ArrayRef(lost),
                  [&](Operation *op) { return takeFromOperands(op); });
  if (helped)
    return true;
  auto takeFromNeighbor = [&](Operation *op) { return takeFromNeighbors(op); };
  helped = sweep(llvm::reverse(lost), takeFromNeighbor);
  return sweep(ArrayRef(lost), takeFromNeighbor) || helped;
}

/// Notes `op`, which does not have an identity, if it is a function that a pass
/// has created.
void IdentityScan::findNewFunction(Operation *op) {
  if (op->getNumRegions() == 0)
    return;
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function && !function.isExternal())
    newFunctions[function.getNameAttr()] = op;
}

/// One round: gives new functions the identities of the ops that refer to them.
/// A function that only new functions refer to must wait for these.
bool IdentityScan::repairFunctions() {
  llvm::MapVector<Operation *, llvm::SetVector<Location>> mentions;
  root->walk([&](Operation *op) {
    if (op == root || isa<FunctionOpInterface>(op) ||
        !identities.has(op->getLoc()))
      return;
    for (NamedAttribute attribute : op->getAttrs())
      if (auto name = dyn_cast<FlatSymbolRefAttr>(attribute.getValue()))
        if (Operation *function = newFunctions.lookup(name.getAttr()))
          if (mentions[function].size() < prof::kMaxIdentities)
            mentions[function].insert(op->getLoc());
  });
  for (auto &[function, locations] : mentions) {
    function->setLoc(
        FusedLoc::get(root->getContext(), locations.getArrayRef()));
    newFunctions.erase(cast<FunctionOpInterface>(function).getNameAttr());
    // Ops in it belong to it, not to their neighbors.
    function->walk([&, &function = function](Operation *op) {
      if (open.contains(op)) {
        op->setLoc(function->getLoc());
        open.erase(op);
      }
    });
  }
  return !mentions.empty();
}

uint64_t IdentityScan::repair() {
  uint64_t before = lost.size();
  open.insert(lost.begin(), lost.end());
  // A constant with an identity was created by the last pass for an op that it
  // replaced, and so were its users: the store of a vectorized linalg.fill.
  sweep(ArrayRef(lost), [&](Operation *op) { return takeFromConstants(op); });
  for (Operation *constant : constants)
    constant->setLoc(identities.remove(constant->getLoc()));
  // Each round advances by at least one block, or call; only contrived code
  // needs this many.
  constexpr unsigned kRounds = 64;
  for (unsigned round = 0; round != kRounds && !newFunctions.empty(); ++round)
    if (!repairFunctions())
      break;
  for (unsigned round = 0; round != kRounds && !open.empty(); ++round)
    if (!sweepAll())
      break;
  sweep(ArrayRef(lost), [&](Operation *op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!function || !identities.has(function->getLoc()))
      return false;
    op->setLoc(function->getLoc());
    return true;
  });
  llvm::erase_if(lost, [&](Operation *op) { return !open.contains(op); });
  return before - lost.size();
}

uint64_t transforms::repairIdentities(Operation *root) {
  prof::IdentityTable identities;
  return IdentityScan(root, ScanKind::LostOnly, identities).repair();
}
