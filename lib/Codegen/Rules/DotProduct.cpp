//===- DotProduct.cpp - Products of bytes and of bf16 ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix products and convolutions with grouped weights (GroupWeights.cpp), by
// the instructions of Nest/DotProduct.h. An op whose constant weights can be
// grouped has the same plan, but the rule does not apply before they are.
//
//===----------------------------------------------------------------------===//

#include "../Nest/Nest.h"
#include "Rules.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Rows and vectors that fill the registers: rows x vectors accumulators, the
/// vectors of one operand, a word of the other and the constant that flips
/// signs.
static void fillRegisters(NestPlan &plan, linalg::LinalgOp op,
                          const NestFacts &facts, const TargetModel &target) {
  constexpr int64_t mostRows = 8;
  int64_t registers = target.vectorRegisters;
  int64_t rows = plan.rowDim ? facts.sizes[*plan.rowDim] : 1;
  bool areFew = !ShapedType::isDynamic(rows) && rows < 4;
  int64_t vectors = areFew ? 4 : registers < 32 ? 2 : 3;
  plan.vectorsPerStep =
      getVectorsPerStep(facts.sizes[plan.vectorDim], plan.lanes,
                        getChosenVectors(op).value_or(vectors));
  if (!plan.rowDim)
    return;
  int64_t fitting = (registers - 2 - plan.vectorsPerStep) / plan.vectorsPerStep;
  std::optional<int64_t> chosen = getChosenRows(op);
  plan.rowsPerStep =
      chosen
          ? (ShapedType::isDynamic(rows) ? *chosen : std::min(rows, *chosen))
          : getBalancedBlock(rows, std::clamp<int64_t>(fitting, 1, mostRows));
}

static std::optional<NestPlan> planNest(linalg::LinalgOp op,
                                        const NestFacts &facts,
                                        const TargetModel &target) {
  std::optional<DotProduct> dot = findDotProduct(op, facts, target);
  if (!dot)
    return std::nullopt;
  NestPlan plan;
  plan.vectorDim = *facts.contiguousDim;
  plan.lanes = getDotLanes(facts.sizes[plan.vectorDim], target);
  plan.rowDim = getProductRowDim(op, facts, plan.vectorDim);
  fillRegisters(plan, op, facts, target);
  plan.parallelOrder = getProductOrder(op, facts, plan.vectorDim);
  for (unsigned dim : facts.reductionDims)
    if (dim != dot->groupDim)
      plan.reductionOrder.push_back(dim);
  plan.reductionOrder.push_back(dot->groupDim);
  plan.dot = dot;
  limitCode(plan, facts);
  return plan;
}

static LogicalResult apply(RewriterBase &rewriter, linalg::LinalgOp op,
                           const NestFacts &facts, const TargetModel &target) {
  std::optional<NestPlan> plan = planNest(op, facts, target);
  if (!plan || plan->dot->panel == 0)
    return failure();
  emitNest(rewriter, op, getEpilogues(op, facts, *plan), *plan);
  return success();
}

Rule rule::DotProduct() {
  return {"DotProduct",
          "products of bytes and bf16 that are added up in groups", planNest,
          apply};
}
