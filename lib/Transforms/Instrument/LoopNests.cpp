//===- LoopNests.cpp - Depth and height of loops --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNests.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

/// The number of loop levels of `op` itself.
static unsigned getOwnLevels(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.getNumLoops();
  if (!isLoop(op))
    return 0;
  if (auto wrapper = dyn_cast<omp::LoopWrapperInterface>(op)) {
    auto nest = dyn_cast_or_null<omp::LoopNestOp>(wrapper.getWrappedLoop());
    return nest ? nest.getNumLoops() : 1;
  }
  // A parallel loop has one level per dimension.
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::optional<SmallVector<Value>> counters;
  if (loop)
    counters = loop.getLoopInductionVars();
  return counters && !counters->empty() ? counters->size() : 1;
}

bool transforms::isLoop(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.getNumLoops() > 0;
  if (isa<omp::LoopWrapperInterface>(op))
    return !isa_and_nonnull<omp::LoopWrapperInterface>(op->getParentOp());
  return isa<LoopLikeOpInterface>(op);
}

bool transforms::isParallelLoop(Operation *op) {
  return isa<scf::ParallelOp, scf::ForallOp, affine::AffineParallelOp>(op);
}

LoopNests::LoopNests(Operation *function) : function(function) {
  DenseMap<Operation *, unsigned> nested;
  DenseMap<Operation *, unsigned> children;
  function->walk([&](Operation *op) {
    if (op == function || !isLoop(op))
      return;
    LoopFacts &own = facts[op];
    own.isInnermost = nested.lookup(op) == 0;
    own.height = nested.lookup(op) + getOwnLevels(op) - 1;
    Operation *parent = getParentLoop(op);
    unsigned &levels = nested[parent ? parent : function];
    levels = std::max(levels, own.height + 1);
    ++children[parent];
  });
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto found = facts.find(op);
    if (found == facts.end())
      return;
    Operation *parent = getParentLoop(op);
    found->second.depth =
        parent ? facts.lookup(parent).depth + getOwnLevels(parent) : 0;
    found->second.hasSibling = children.lookup(parent) > 1;
  });
  facts[function].height = nested.lookup(function);
}

Operation *LoopNests::getParentLoop(Operation *op) const {
  for (Operation *parent = op->getParentOp(); parent && parent != function;
       parent = parent->getParentOp())
    if (isLoop(parent))
      return parent;
  return nullptr;
}

LoopFacts LoopNests::get(Operation *op) const {
  auto found = facts.find(op);
  if (found != facts.end())
    return found->second;
  LoopFacts result;
  if (Operation *parent = getParentLoop(op))
    result.depth = facts.lookup(parent).depth + getOwnLevels(parent);
  op->walk([&](Operation *inner) {
    auto loop = facts.find(inner);
    if (loop != facts.end())
      result.height =
          std::max(result.height,
                   loop->second.depth + loop->second.height + 1 - result.depth);
  });
  return result;
}
