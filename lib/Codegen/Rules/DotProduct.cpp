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
#include "Window.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Registers for each vector of accumulators.
static int64_t countRegisters(const NestPlan &plan, const DotProduct &dot) {
  return std::max<int64_t>(1, plan.lanes * dot.getColumnLanes() /
                                  dot.registerLanes);
}

/// Vectors per step for many rows: as few steps as possible, and of those that
/// are as few, the narrower one, which leaves registers for rows.
static int64_t chooseVectors(int64_t columns, int64_t lanes,
                             const TargetModel &target) {
  if (target.vectorRegisters < 32)
    return 2;
  if (ShapedType::isDynamic(columns))
    return 3;
  int64_t whole = columns / lanes;
  auto countSteps = [&](int64_t vectors) {
    return whole / vectors + whole % vectors;
  };
  return countSteps(4) < countSteps(3) ? 4 : 3;
}

/// Rows and vectors that fill the registers: rows x vectors accumulators, the
/// vectors of one operand, a word of the other and the constant that flips
/// signs.
static void fillRegisters(NestPlan &plan, linalg::LinalgOp op,
                          const NestFacts &facts, const TargetModel &target) {
  constexpr int64_t mostRows = 8;
  int64_t registers = target.vectorRegisters;
  int64_t each = countRegisters(plan, *plan.dot);
  int64_t rows = plan.rowDim ? facts.sizes[*plan.rowDim] : 1;
  bool areFew = !ShapedType::isDynamic(rows) && rows < 4;
  int64_t most =
      areFew ? 4
             : chooseVectors(facts.sizes[plan.vectorDim], plan.lanes, target);
  int64_t vectors = std::max<int64_t>(1, most / each);
  plan.vectorsPerStep =
      getVectorsPerStep(facts.sizes[plan.vectorDim], plan.lanes,
                        getChosenVectors(op).value_or(vectors));
  if (!plan.rowDim)
    return;
  int64_t columns = plan.vectorsPerStep * each;
  int64_t fitting = (registers - 2 - columns) / columns;
  std::optional<int64_t> chosen = getChosenRows(op);
  plan.rowsPerStep =
      chosen
          ? (ShapedType::isDynamic(rows) ? *chosen : std::min(rows, *chosen))
          : getBalancedBlock(rows, std::clamp<int64_t>(fitting, 1, mostRows));
}

/// The loops of a product of weights and of words that all lanes share.
static void planProduct(NestPlan &plan, linalg::LinalgOp op,
                        const NestFacts &facts, const TargetModel &target) {
  fillRegisters(plan, op, facts, target);
  plan.parallelOrder = getProductOrder(op, facts, plan.vectorDim);
  for (unsigned dim : facts.reductionDims)
    if (dim != plan.dot->groupDim)
      plan.reductionOrder.push_back(dim);
  plan.reductionOrder.push_back(plan.dot->groupDim);
}

/// The loops of a depthwise convolution. A column of the image is put into
/// groups by a few shuffles, which all filter positions that read it share if
/// they are unrolled: rows accumulators, the columns that they read, and a
/// vector of the filter fill three quarters of the registers. Vectors come
/// innermost, so that the image is read in memory order.
static void planLanes(NestPlan &plan, linalg::LinalgOp op,
                      const NestFacts &facts, const TargetModel &target) {
  constexpr int64_t mostUnrolled = 512;
  std::optional<Window> window =
      findWindow(op, facts, plan.rowDim, plan.dot->broadcast);
  if (window && window->dim == plan.dot->groupDim)
    window.reset();
  int64_t taps = window ? window->taps : 1;
  auto fits = [&](int64_t rows) {
    int64_t columns = window ? window->countPixels(rows) : 1;
    return rows + columns + 2 <= int64_t(target.vectorRegisters) * 3 / 4 &&
           rows * taps * facts.sizes[plan.dot->groupDim] <= mostUnrolled;
  };
  int64_t most = 1;
  while (most < 16 && fits(most + 1))
    ++most;
  if (plan.rowDim)
    plan.rowsPerStep = getRowBlock(facts.sizes[*plan.rowDim], most);
  for (unsigned dim : facts.parallelDims)
    if (dim != plan.vectorDim)
      plan.parallelOrder.push_back(dim);
  plan.parallelOrder.push_back(plan.vectorDim);
  for (unsigned dim : facts.reductionDims)
    if (dim != plan.dot->groupDim && !(window && dim == window->dim))
      plan.reductionOrder.push_back(dim);
  if (window) {
    plan.reductionOrder.push_back(window->dim);
    if (fits(plan.rowsPerStep))
      plan.unrolled.push_back(window->dim);
  }
  plan.reductionOrder.push_back(plan.dot->groupDim);
  plan.unrolled.push_back(plan.dot->groupDim);
}

static std::optional<NestPlan> planNest(linalg::LinalgOp op,
                                        const NestFacts &facts,
                                        const TargetModel &target) {
  std::optional<DotProduct> dot = findDotProduct(op, facts, target);
  if (!dot)
    return std::nullopt;
  NestPlan plan;
  plan.dot = dot;
  plan.vectorDim = *facts.contiguousDim;
  plan.lanes = getDotLanes(facts.sizes[plan.vectorDim], target);
  plan.rowDim = getProductRowDim(op, facts, plan.vectorDim);
  if (dot->isPerLane)
    planLanes(plan, op, facts, target);
  else
    planProduct(plan, op, facts, target);
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
