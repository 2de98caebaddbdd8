//===- Transpose.cpp - Ops that read across the order of their result -----===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Nest/Nest.h"
#include "Rules.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The loop along which all inputs that are scattered along `vectorDim` are
/// contiguous.
static std::optional<unsigned> getCrossDim(linalg::LinalgOp op,
                                           const NestFacts &facts) {
  std::optional<unsigned> cross;
  for (OpOperand *input : getReadInputs(op)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (isCheap(getAccess(map, *facts.contiguousDim)))
      continue;
    std::optional<unsigned> found;
    for (unsigned dim : facts.parallelDims)
      if (dim != *facts.contiguousDim &&
          getAccess(map, dim).kind == AccessKind::Contiguous)
        found = dim;
    if (!found || (cross && *cross != *found))
      return std::nullopt;
    cross = found;
  }
  return cross;
}

/// Whether the elements of the last dimension of the result go to places that
/// are apart: a vector would be taken to pieces again, one store for each.
static bool isScattered(linalg::LinalgOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(user);
    return insert && insert.getStaticStrides().back() != 1;
  });
}

static std::optional<NestPlan> planNest(linalg::LinalgOp op,
                                        const NestFacts &facts,
                                        const TargetModel &target) {
  if (!facts.reductionDims.empty() || !facts.contiguousDim || isScattered(op))
    return std::nullopt;
  std::optional<unsigned> cross = getCrossDim(op, facts);
  if (!cross)
    return std::nullopt;
  NestPlan plan;
  plan.vectorDim = *facts.contiguousDim;
  plan.rowDim = *cross;
  // A square block, with as many lanes as both loops have but at most 16, since
  // n log n shuffles transpose a block of n vectors.
  auto lanesOf = [&](unsigned dim) {
    int64_t size = facts.sizes[dim];
    int64_t most = std::min<int64_t>(
        16, getLanes(ShapedType::kDynamic, facts.elementBits, target));
    if (ShapedType::isDynamic(size))
      return most;
    return std::min(most,
                    int64_t(llvm::bit_floor(static_cast<uint64_t>(size))));
  };
  plan.lanes = std::min(lanesOf(plan.vectorDim), lanesOf(*cross));
  if (plan.lanes < 4)
    return std::nullopt;
  plan.rowsPerStep = plan.lanes;
  if (isTooMuchCode(countCopies(plan, facts, /*isReduced=*/false),
                    facts.bodyCost))
    return std::nullopt;
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (unsigned i = 0, e = stored.getNumResults(); i < e; ++i)
    plan.parallelOrder.push_back(stored.getDimPosition(i));
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

Rule rule::Transpose() {
  return {"Transpose", "ops that read across the order of their result",
          planNest, apply};
}
