//===- StaticWeight.cpp - Static cost of ops at any level -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StaticWeight.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

/// The assumed size of a loop or dimension whose size is unknown.
static constexpr uint64_t kUnknownTrips = 8;
static constexpr uint64_t kLimit = uint64_t(1) << 40;

static uint64_t multiply(uint64_t left, uint64_t right) {
  return std::min(llvm::SaturatingMultiply(left, right), kLimit);
}

static uint64_t countElements(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return 1;
  uint64_t count = 1;
  for (int64_t size : shaped.getShape())
    count = multiply(count, ShapedType::isDynamic(size) ? kUnknownTrips
                                                        : uint64_t(size));
  return count;
}

static bool costsNothing(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<ViewLikeOpInterface>(op) ||
      isa<UnrealizedConversionCastOp>(op))
    return true;
  // For example tensor.empty and ub.poison.
  return op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op);
}

/// The work of all points of the iteration space.
static uint64_t getLinalgWeight(linalg::LinalgOp op) {
  uint64_t points = 1;
  for (int64_t range : op.getStaticLoopRanges())
    points = multiply(points, ShapedType::isDynamic(range) ? kUnknownTrips
                                                           : uint64_t(range));
  Block *body = op.getBlock();
  return multiply(points, body ? body->getOperations().size() : 1);
}

/// Work of one execution of `op` without the ops in its regions.
static uint64_t getOwnWeight(Operation *op) {
  if (costsNothing(op))
    return 0;
  uint64_t weight = 1;
  // A returned memref was allocated or looked up, not computed.
  for (Type type : op->getResultTypes())
    if (!isa<BaseMemRefType>(type))
      weight = std::max(weight, countElements(type));
  // The target of memref.copy and similar ops is not a result.
  if (op->getNumResults() == 0 && op->getName().stripDialect() == "copy")
    for (Type type : op->getOperandTypes())
      weight = std::max(weight, countElements(type));
  return weight;
}

static uint64_t getTrips(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return 1;
  std::optional<APInt> trips = loop.getStaticTripCount();
  return trips ? trips->getLimitedValue(kLimit) : kUnknownTrips;
}

unsigned StaticWeight::getLoopDepth(Operation *op) {
  Region *region = op->getParentRegion();
  if (!region || region->hasOneBlock() || !op->getBlock())
    return 0;
  if (known.insert(region).second) {
    DominanceInfo dominance(region->getParentOp());
    CFGLoopInfo loops(dominance.getDomTree(region));
    for (Block &block : *region)
      loopDepths[&block] = loops.getLoopDepth(&block);
  }
  return loopDepths.lookup(op->getBlock());
}

uint64_t StaticWeight::addParts(Operation *op) const {
  uint64_t sum = getOwnWeight(op);
  uint64_t parts = 0;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      parts = std::min(parts + weights.lookup(&nested), kLimit);
  return std::min(sum + multiply(parts, getTrips(op)), kLimit);
}

uint64_t StaticWeight::get(Operation *op) {
  SmallVector<Operation *> pending;
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (weights.contains(nested))
      return WalkResult::skip();
    pending.push_back(nested);
    return isa<linalg::LinalgOp>(nested) ? WalkResult::skip()
                                         : WalkResult::advance();
  });
  // In reverse order, nested ops come before the ops that contain them.
  for (Operation *nested : llvm::reverse(pending)) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(nested);
    weights[nested] = linalgOp ? getLinalgWeight(linalgOp) : addParts(nested);
  }
  uint64_t weight = weights.lookup(op);
  for (unsigned depth = std::min(getLoopDepth(op), 13u); depth != 0; --depth)
    weight = multiply(weight, kUnknownTrips);
  return weight;
}
