//===- Convolution.cpp - Convolutions of any layout -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Nest/Nest.h"
#include "Rules.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static unsigned countParallel(AffineMap map, const NestFacts &facts) {
  return llvm::count_if(facts.parallelDims,
                        [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// The input with the fewest parallel loops: weights.
static AffineMap getFilter(linalg::LinalgOp op, const NestFacts &facts) {
  AffineMap filter;
  for (OpOperand *input : getReadInputs(op)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!filter || countParallel(map, facts) < countParallel(filter, facts))
      filter = map;
  }
  return filter;
}

/// The loop to unroll into rows: one on which some input does not depend, so
/// that this input is loaded once for all rows.
static std::optional<unsigned>
getRowDim(linalg::LinalgOp op, const NestFacts &facts, unsigned vectorDim) {
  std::optional<unsigned> best;
  for (unsigned dim : facts.parallelDims) {
    if (dim == vectorDim || facts.sizes[dim] == 1)
      continue;
    auto rank = [&](unsigned d) {
      return ShapedType::isDynamic(facts.sizes[d])
                 ? int64_t(8)
                 : std::min<int64_t>(facts.sizes[d], 8);
    };
    if (isReusedAlong(op, dim, vectorDim) &&
        (!best || rank(dim) >= rank(*best)))
      best = dim;
  }
  return best;
}

/// Batches outermost, then the loops of the filter, so that a block of it stays
/// in the cache while the image passes. If the image is as contiguous along the
/// vectors as the filter (depthwise, channels last), each vector of the filter
/// has its own image, and keeping the filter does not gain anything: vectors
/// come innermost, so that the image is read in memory order.
static SmallVector<unsigned>
getLoopOrder(linalg::LinalgOp op, const NestFacts &facts, unsigned vectorDim) {
  AffineMap filter = getFilter(op, facts);
  bool isAlongAll = llvm::all_of(getReadInputs(op), [&](OpOperand *input) {
    return getAccess(op.getMatchingIndexingMap(input), vectorDim).kind ==
           AccessKind::Contiguous;
  });
  SmallVector<unsigned> batches, filters, others, vectors;
  for (unsigned dim : facts.parallelDims) {
    bool isPlain = llvm::all_of(getReadInputs(op), [&](OpOperand *input) {
      return llvm::all_of(
          op.getMatchingIndexingMap(input).getResults(), [&](AffineExpr expr) {
            return isa<AffineDimExpr>(expr) || !expr.isFunctionOfDim(dim);
          });
    });
    if (isAlongAll && dim == vectorDim)
      vectors.push_back(dim);
    else if (filter.isFunctionOfDim(dim))
      filters.push_back(dim);
    else
      (isPlain ? batches : others).push_back(dim);
  }
  llvm::append_range(batches, filters);
  llvm::append_range(batches, others);
  llvm::append_range(batches, vectors);
  return batches;
}

/// Rows and vectors as chosen, or that fill the registers: rows x vectors
/// accumulators, the vectors of one operand and an element of the other.
static void fillRegisters(NestPlan &plan, linalg::LinalgOp op,
                          const NestFacts &facts, const TargetModel &target) {
  int64_t registers = target.vectorRegisters;
  int64_t size = facts.sizes[plan.vectorDim];
  int64_t rows = plan.rowDim ? facts.sizes[*plan.rowDim] : 1;
  bool fewRows = !ShapedType::isDynamic(rows) && rows < 8;
  int64_t most =
      fewRows ? std::clamp<int64_t>((registers - 1) / (rows + 1), 1, 4) : 2;
  if (std::optional<int64_t> chosen = getChosenVectors(op))
    most = *chosen;
  plan.vectorsPerStep = getVectorsPerStep(size, plan.lanes, most);
  if (!plan.rowDim)
    return;
  if (std::optional<int64_t> chosen = getChosenRows(op)) {
    plan.rowsPerStep =
        ShapedType::isDynamic(rows) ? *chosen : std::min(rows, *chosen);
    return;
  }
  int64_t mostRows =
      (registers - 2 - plan.vectorsPerStep) / plan.vectorsPerStep;
  plan.rowsPerStep =
      getBalancedBlock(rows, std::clamp<int64_t>(mostRows, 1, 16));
}

static std::optional<NestPlan> planNest(linalg::LinalgOp op,
                                        const NestFacts &facts,
                                        const TargetModel &target) {
  if (facts.reductionDims.empty() || !facts.contiguousDim ||
      getReadInputs(op).size() < 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  NestPlan plan;
  plan.vectorDim = *facts.contiguousDim;
  if (!areCheap(op, plan.vectorDim))
    return std::nullopt;
  plan.lanes = getLanes(facts.sizes[plan.vectorDim], facts.elementBits, target);
  plan.rowDim = getRowDim(op, facts, plan.vectorDim);
  if (!plan.rowDim && !isa<linalg::ConvolutionOpInterface>(op.getOperation()))
    return std::nullopt;
  fillRegisters(plan, op, facts, target);
  plan.parallelOrder = getLoopOrder(op, facts, plan.vectorDim);
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

Rule rule::Convolution() {
  return {"Convolution", "convolutions and poolings of any layout", planNest,
          apply};
}
