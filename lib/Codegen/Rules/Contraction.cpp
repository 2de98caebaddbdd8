//===- Contraction.cpp - Sums of products ---------------------------------===//
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

/// How often the register kernel must use a loaded vector to hide its load
/// behind the arithmetic.
static constexpr int64_t mostRows = 8;

std::optional<unsigned> codegen::getProductRowDim(linalg::LinalgOp op,
                                                  const NestFacts &facts,
                                                  unsigned vectorDim) {
  std::optional<unsigned> row;
  for (unsigned dim : facts.parallelDims) {
    if (dim == vectorDim || facts.sizes[dim] == 1)
      continue;
    if (isReusedAlong(op, dim, vectorDim))
      row = dim;
  }
  return row;
}

SmallVector<unsigned> codegen::getProductOrder(linalg::LinalgOp op,
                                               const NestFacts &facts,
                                               unsigned vectorDim) {
  SmallVector<unsigned> batches, vectors, rows;
  for (unsigned dim : facts.parallelDims) {
    bool inAll = true, withVector = dim == vectorDim;
    for (OpOperand *input : getReadInputs(op)) {
      AffineMap map = op.getMatchingIndexingMap(input);
      inAll &= map.isFunctionOfDim(dim);
      withVector |= map.isFunctionOfDim(dim) && map.isFunctionOfDim(vectorDim);
    }
    (inAll ? batches : withVector ? vectors : rows).push_back(dim);
  }
  llvm::append_range(batches, vectors);
  llvm::append_range(batches, rows);
  return batches;
}

/// Removes rows, then vectors, from the tile until its accumulators, the
/// vectors of one operand, and an element of the other fit the registers.
static void fitRegisters(NestPlan &plan, int64_t rows,
                         const TargetModel &target) {
  constexpr int64_t enoughRows = 4;
  auto fits = [&] {
    return (plan.rowsPerStep + 1) * plan.vectorsPerStep + 1 <=
           int64_t(target.vectorRegisters);
  };
  if (fits())
    return;
  while (plan.rowsPerStep > enoughRows && !fits())
    --plan.rowsPerStep;
  while (plan.vectorsPerStep > 1 && !fits())
    --plan.vectorsPerStep;
  if (!ShapedType::isDynamic(rows))
    plan.rowsPerStep = getBalancedBlock(rows, plan.rowsPerStep);
}

static std::optional<NestPlan> planNest(linalg::LinalgOp op,
                                        const NestFacts &facts,
                                        const TargetModel &target) {
  if (!isProduct(op))
    return std::nullopt;
  if (facts.reductionDims.empty() || !facts.contiguousDim ||
      getReadInputs(op).size() != 2)
    return std::nullopt;
  NestPlan plan;
  plan.vectorDim = *facts.contiguousDim;
  if (!areCheap(op, plan.vectorDim))
    return std::nullopt;
  int64_t size = facts.sizes[plan.vectorDim];
  plan.lanes = getLanes(size, facts.elementBits, target);
  plan.rowDim = getProductRowDim(op, facts, plan.vectorDim);
  int64_t rows = plan.rowDim ? facts.sizes[*plan.rowDim] : 1;
  if (plan.rowDim) {
    int64_t most = getChosenRows(op).value_or(mostRows);
    plan.rowsPerStep =
        ShapedType::isDynamic(rows) ? most : std::min(rows, most);
  }
  plan.vectorsPerStep = getVectorsPerStep(
      size, plan.lanes, getProductVectors(op, plan.rowsPerStep));
  if (!getChosenRows(op) && !getChosenVectors(op))
    fitRegisters(plan, rows, target);
  plan.parallelOrder = getProductOrder(op, facts, plan.vectorDim);
  plan.reductionOrder = facts.reductionDims;
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

Rule rule::Contraction() {
  return {"Contraction", "sums of products: matrix products of any layout",
          planNest, apply};
}
