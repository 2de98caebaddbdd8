//===- Convolution.cpp - Convolutions of any layout -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Buffers/BufferPlan.h"
#include "../Nest/JoinedGroups.h"
#include "../Nest/Nest.h"
#include "Rules.h"
#include "Window.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

#include <numeric>

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
/// come innermost, so that the image is read in memory order. The same holds if
/// several groups share a vector, unless each group is alone.
static SmallVector<unsigned> getLoopOrder(linalg::LinalgOp op,
                                          const NestFacts &facts,
                                          unsigned vectorDim,
                                          bool isGroupAlone) {
  AffineMap filter = getFilter(op, facts);
  bool isAlongAll = llvm::all_of(getReadInputs(op), [&](OpOperand *input) {
    Access access = getAccess(op.getMatchingIndexingMap(input), vectorDim);
    return access.kind == AccessKind::Contiguous ||
           (access.kind == AccessKind::Grouped && !isGroupAlone);
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

/// The iterations of the row loop that use what an input has for one of them:
/// those of a group, or all.
static int64_t countRows(linalg::LinalgOp op, const NestFacts &facts,
                         unsigned rowDim) {
  for (OpOperand *input : getReadInputs(op))
    if (int64_t group = getGroup(op.getMatchingIndexingMap(input), rowDim))
      return group;
  return facts.sizes[rowDim];
}

/// The bytes between the elements of an input that neighbors in the row loop
/// read; 0 if that is not known.
static int64_t getRowStride(linalg::LinalgOp op, unsigned rowDim) {
  for (OpOperand *input : getReadInputs(op)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !map.isFunctionOfDim(rowDim) || !type.hasStaticShape())
      continue;
    AffineExpr loop = getAffineDimExpr(rowDim, op.getContext());
    int64_t stride = 0, elements = 1;
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      AffineExpr expr = map.getResult(dim);
      auto step = dyn_cast<AffineConstantExpr>(
          simplifyAffineExpr(expr.replace(loop, loop + 1) - expr,
                             map.getNumDims(), map.getNumSymbols()));
      if (!step)
        return 0;
      stride += step.getValue() * elements;
      elements *= type.getDimSize(dim);
    }
    return std::abs(stride) * getNumberBytes(type.getElementType());
  }
  return 0;
}

/// How many of `rows` rows, `stride` bytes apart, stay in the innermost cache
/// while all are read again and again. Its sets are selected by the place in a
/// page, since that does not depend on virtual addresses, and have eight ways
/// at least; one is for the filter.
static int64_t limitBySets(int64_t rows, int64_t stride) {
  constexpr int64_t page = 4096, ways = 8, line = 64;
  if (stride < line)
    return rows;
  int64_t sets = page / std::gcd(page, stride);
  return std::min(rows, sets * (ways - 1));
}

/// Rows and vectors as chosen, or that fill the registers: rows x vectors
/// accumulators, the vectors of one operand and an element of the other.
static void fillRegisters(NestPlan &plan, linalg::LinalgOp op,
                          const NestFacts &facts, const TargetModel &target) {
  int64_t registers = target.vectorRegisters;
  int64_t size = plan.group ? plan.group : facts.sizes[plan.vectorDim];
  int64_t rows = plan.rowDim ? countRows(op, facts, *plan.rowDim) : 1;
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
      getBalancedBlock(rows, limitBySets(std::clamp<int64_t>(mostRows, 1, 16),
                                         getRowStride(op, *plan.rowDim)));
}

/// Makes blocks of rows stay in a group, if the row loop has groups.
static void alignRows(NestPlan &plan, linalg::LinalgOp op,
                      const NestFacts &facts) {
  if (!plan.rowDim)
    return;
  int64_t rows = countRows(op, facts, *plan.rowDim);
  if (rows != facts.sizes[*plan.rowDim])
    while (rows % plan.rowsPerStep != 0)
      --plan.rowsPerStep;
}

/// Rows of a nest whose vectors cover several groups. Each element of the image
/// is spread over the lanes by a shuffle, which all filter positions that read
/// the pixel share if they are unrolled: rows accumulators, the pixels that
/// they read, and a vector of the filter fill three quarters of the registers;
/// the rest is for loads in flight.
static void shareSpreadPixels(NestPlan &plan, linalg::LinalgOp op,
                              const NestFacts &facts,
                              const JoinedGroups &groups,
                              const TargetModel &target) {
  constexpr int64_t mostUnrolled = 512;
  plan.vectorsPerStep = 1;
  plan.unrolled = {groups.channelDim};
  std::optional<Window> window = findWindow(op, facts, plan.rowDim);
  int64_t taps = window ? window->taps : 1;
  auto fits = [&](int64_t rows) {
    int64_t pixels = window ? window->countPixels(rows) : 1;
    return rows + pixels + 2 <= int64_t(target.vectorRegisters) * 3 / 4 &&
           rows * taps * groups.channels <= mostUnrolled;
  };
  int64_t size = plan.rowDim ? facts.sizes[*plan.rowDim] : 1, most = 1;
  while (most < 16 && fits(most + 1))
    ++most;
  plan.rowsPerStep = getRowBlock(size, most);
  // The channels outside of the shared positions: few pixels live at once.
  auto moveLast = [&](unsigned dim) {
    llvm::erase(plan.reductionOrder, dim);
    plan.reductionOrder.push_back(dim);
  };
  moveLast(groups.channelDim);
  if (window && fits(plan.rowsPerStep)) {
    moveLast(window->dim);
    plan.unrolled.push_back(window->dim);
  }
}

/// The lanes of a nest along the filters of all groups.
static void planGroups(NestPlan &plan, linalg::LinalgOp op,
                       const NestFacts &facts, const JoinedGroups &groups,
                       const TargetModel &target) {
  GroupVectors vectors = getGroupVectors(op, groups, facts.elementBits, target);
  plan.lanes = vectors.lanes;
  if (vectors.coversGroups)
    plan.sharedGroups = groups;
  else
    plan.group = groups.filters;
}

/// Whether all inputs that `op` reads, but the image of `groups`, have cheap
/// accesses along `dim`.
static bool areOthersCheap(linalg::LinalgOp op,
                           const std::optional<JoinedGroups> &groups,
                           unsigned dim) {
  return llvm::all_of(getReadInputs(op), [&](OpOperand *input) {
    return (groups && input->getOperandNumber() == 0) ||
           isCheap(getAccess(op.getMatchingIndexingMap(input), dim));
  });
}

static std::optional<NestPlan> planNest(linalg::LinalgOp op,
                                        const NestFacts &facts,
                                        const TargetModel &target) {
  if (facts.reductionDims.empty() || !facts.contiguousDim ||
      getReadInputs(op).size() < 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  NestPlan plan;
  plan.vectorDim = *facts.contiguousDim;
  std::optional<JoinedGroups> groups = findJoinedGroups(op);
  if (groups && groups->filterDim != plan.vectorDim)
    groups.reset();
  if (!areOthersCheap(op, groups, plan.vectorDim))
    return std::nullopt;
  plan.lanes = getLanes(facts.sizes[plan.vectorDim], facts.elementBits, target);
  if (groups)
    planGroups(plan, op, facts, *groups, target);
  plan.rowDim = getRowDim(op, facts, plan.vectorDim);
  if (!plan.rowDim && !isConvolution(op))
    return std::nullopt;
  fillRegisters(plan, op, facts, target);
  plan.parallelOrder = getLoopOrder(op, facts, plan.vectorDim, plan.group != 0);
  plan.reductionOrder = facts.reductionDims;
  if (plan.sharedGroups)
    shareSpreadPixels(plan, op, facts, *groups, target);
  limitCode(plan, facts);
  alignRows(plan, op, facts);
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
