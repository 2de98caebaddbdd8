//===- Reduction.cpp - Sums, maxima and other reductions ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Nest/Nest.h"
#include "Rules.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Loops with fewer iterations are not worth vectorizing.
static constexpr int64_t minLanes = 4;

static bool isLong(int64_t size, int64_t least) {
  return ShapedType::isDynamic(size) || size >= least;
}

/// A reduction along which the inputs are contiguous.
static std::optional<unsigned> getInnerReduction(linalg::LinalgOp op,
                                                 const NestFacts &facts) {
  for (unsigned dim : llvm::reverse(facts.reductionDims)) {
    bool isContiguous = llvm::any_of(getReadInputs(op), [&](OpOperand *input) {
      return getAccess(op.getMatchingIndexingMap(input), dim).kind ==
             AccessKind::Contiguous;
    });
    if (isContiguous && areCheap(op, dim) && isReorderable(op, dim) &&
        isLong(facts.sizes[dim], minLanes))
      return dim;
  }
  return std::nullopt;
}

static NestPlan planOuter(linalg::LinalgOp op, const NestFacts &facts,
                          const TargetModel &target) {
  NestPlan plan;
  plan.vectorDim = *facts.contiguousDim;
  int64_t size = facts.sizes[plan.vectorDim];
  plan.lanes = getLanes(size, facts.elementBits, target);
  int64_t most = facts.bodySize * op.getNumDpsInits() <= 4 ? 4 : 2;
  plan.vectorsPerStep =
      getVectorsPerStep(size, plan.lanes, getChosenVectors(op).value_or(most));
  plan.reductionOrder = facts.reductionDims;
  return plan;
}

static NestPlan planInner(linalg::LinalgOp op, unsigned dim,
                          const NestFacts &facts, const TargetModel &target) {
  NestPlan plan;
  plan.vectorDim = dim;
  int64_t size = facts.sizes[dim];
  plan.lanes = getLanes(size, facts.elementBits, target);
  int64_t most = getChosenVectors(op).value_or(facts.bodySize <= 8 ? 4 : 2);
  plan.vectorsPerStep = getVectorsPerStep(size, plan.lanes, most);
  for (unsigned other : facts.reductionDims)
    if (other != dim)
      plan.reductionOrder.push_back(other);
  plan.reductionOrder.push_back(dim);
  // Short rows: several at a time, so that they do not wait for each other.
  int64_t rows = getChosenRows(op).value_or(most / plan.vectorsPerStep);
  if (rows > 1 && !facts.parallelDims.empty()) {
    unsigned last = facts.parallelDims.back();
    if (isLong(facts.sizes[last], rows)) {
      plan.rowDim = last;
      plan.rowsPerStep = rows;
    }
  }
  return plan;
}

static std::optional<NestPlan> planNest(linalg::LinalgOp op,
                                        const NestFacts &facts,
                                        const TargetModel &target) {
  if (facts.reductionDims.empty())
    return std::nullopt;
  bool canBeOuter = facts.contiguousDim && areCheap(op, *facts.contiguousDim) &&
                    isLong(facts.sizes[*facts.contiguousDim], 2);
  std::optional<unsigned> inner = getInnerReduction(op, facts);
  // Along the result, lanes need not be added up at the end.
  bool preferOuter =
      canBeOuter &&
      (!inner || isLong(facts.sizes[*facts.contiguousDim], 2 * minLanes));
  if (!preferOuter && !inner)
    return std::nullopt;
  NestPlan plan = preferOuter ? planOuter(op, facts, target)
                              : planInner(op, *inner, facts, target);
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (unsigned i = 0, e = stored.getNumResults(); i < e; ++i)
    plan.parallelOrder.push_back(stored.getDimPosition(i));
  limitCode(plan, facts);
  return plan;
}

static LogicalResult apply(RewriterBase &rewriter, linalg::LinalgOp op,
                           const NestFacts &facts, const TargetModel &target) {
  std::optional<NestPlan> plan = planNest(op, facts, target);
  if (!plan)
    return failure();
  emitNest(rewriter, op, getEpilogues(op, facts, *plan), *plan);
  return success();
}

Rule rule::Reduction() {
  return {"Reduction", "sums, maxima and the like", planNest, apply};
}
