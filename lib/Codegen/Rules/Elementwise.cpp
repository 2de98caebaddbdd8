//===- Elementwise.cpp - Ops without reductions ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Nest/Nest.h"
#include "Rules.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The loops in the order of the result's dimensions.
static SmallVector<unsigned> getStorageOrder(linalg::LinalgOp op) {
  SmallVector<unsigned> order;
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (unsigned i = 0, e = stored.getNumResults(); i < e; ++i)
    order.push_back(stored.getDimPosition(i));
  return order;
}

static std::optional<NestPlan> planNest(linalg::LinalgOp op,
                                        const NestFacts &facts,
                                        const TargetModel &target) {
  if (!facts.reductionDims.empty() || !facts.contiguousDim)
    return std::nullopt;
  // Collecting elements one by one costs more than vectorizing little
  // arithmetic saves.
  unsigned collected = 0;
  for (OpOperand *input : getReadInputs(op))
    collected += !isCheap(
        getAccess(op.getMatchingIndexingMap(input), *facts.contiguousDim));
  if (collected && facts.bodySize < 4 * collected)
    return std::nullopt;
  NestPlan plan;
  plan.vectorDim = *facts.contiguousDim;
  int64_t size = facts.sizes[plan.vectorDim];
  plan.lanes = getLanes(size, facts.elementBits, target);
  int64_t most = facts.bodySize <= 4 ? 4 : facts.bodySize <= 16 ? 2 : 1;
  plan.vectorsPerStep =
      collected ? 1
                : getVectorsPerStep(size, plan.lanes,
                                    getChosenVectors(op).value_or(most));
  plan.parallelOrder = getStorageOrder(op);
  limitCode(plan, facts);
  return plan;
}

static LogicalResult apply(RewriterBase &rewriter, linalg::LinalgOp op,
                           const NestFacts &facts, const TargetModel &target) {
  std::optional<NestPlan> plan = planNest(op, facts, target);
  if (!plan)
    return failure();
  emitNest(rewriter, op, {}, *plan);
  return success();
}

Rule rule::Elementwise() {
  return {"Elementwise", "ops without reductions", planNest, apply};
}
