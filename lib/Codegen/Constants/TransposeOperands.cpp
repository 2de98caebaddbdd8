//===- TransposeOperands.cpp - Operands that vectors can load -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a product whose second operand is stored by columns, or a convolution
// whose filters are, the elements along the result's contiguous dimension are
// far apart. Each element is read for many points of the result, so transposing
// the operand once, in advance, pays off.
//
//===----------------------------------------------------------------------===//

#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/SmallCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_TRANSPOSEOPERANDSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// How often an element must be read for its transposition to pay off.
static constexpr int64_t kLeastReads = 4;

/// How often `op` reads each element that `map` selects: the number of
/// iterations of the parallel loops on which the map does not depend. An
/// unknown size counts as large enough.
static int64_t countReads(const NestFacts &facts, AffineMap map) {
  int64_t reads = 1;
  for (unsigned dim : facts.parallelDims) {
    if (map.isFunctionOfDim(dim))
      continue;
    int64_t size = facts.sizes[dim];
    reads *=
        ShapedType::isDynamic(size) ? kLeastReads : std::min(size, kLeastReads);
  }
  return reads;
}

/// The permutation of the dimensions of `map`'s operand that puts `dim` last.
/// Empty if `dim` is already last, or is not a dimension by itself.
static SmallVector<int64_t> getOrder(AffineMap map, unsigned dim) {
  SmallVector<int64_t> order;
  std::optional<int64_t> found;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim)) {
      order.push_back(index);
      continue;
    }
    if (found || !isa<AffineDimExpr>(expr))
      return {};
    found = index;
  }
  if (!found || *found + 1 == map.getNumResults())
    return {};
  order.push_back(*found);
  return order;
}

static Value transpose(OpBuilder &builder, Location location, Value value,
                       ArrayRef<int64_t> order) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, location, value);
  SmallVector<OpFoldResult> permuted;
  for (int64_t index : order)
    permuted.push_back(sizes[index]);
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  Value empty = tensor::EmptyOp::create(builder, location, permuted, element);
  return linalg::TransposeOp::create(builder, location, value, empty, order)
      ->getResult(0);
}

/// How one operand is transposed.
struct Transposition {
  unsigned operand;
  SmallVector<int64_t> order;
};

static SmallVector<Transposition> plan(linalg::LinalgOp op) {
  SmallVector<Transposition> plans;
  std::optional<NestFacts> facts = getNestFacts(op);
  if (!facts || facts->reductionDims.empty() || !facts->contiguousDim ||
      getReadInputs(op).size() < 2)
    return plans;
  for (OpOperand *input : getReadInputs(op)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (isCheap(getAccess(map, *facts->contiguousDim)) ||
        countReads(*facts, map) < kLeastReads)
      continue;
    SmallVector<int64_t> order = getOrder(map, *facts->contiguousDim);
    if (!order.empty())
      plans.push_back({input->getOperandNumber(), std::move(order)});
  }
  return plans;
}

static LogicalResult apply(IRRewriter &rewriter, linalg::LinalgOp op,
                           ArrayRef<Transposition> plans) {
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> general =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(general))
      return failure();
    generic = *general;
  }
  rewriter.setInsertionPoint(generic);
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (const Transposition &plan : plans) {
    SmallVector<AffineExpr> results;
    for (int64_t index : plan.order)
      results.push_back(maps[plan.operand].getResult(index));
    maps[plan.operand] = AffineMap::get(maps[plan.operand].getNumDims(), 0,
                                        results, rewriter.getContext());
    Value transposed = transpose(rewriter, generic.getLoc(),
                                 generic->getOperand(plan.operand), plan.order);
    generic->setOperand(plan.operand, transposed);
  }
  generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  return success();
}

namespace {

struct TransposeOperandsPass
    : mlirprof::codegen::impl::TransposeOperandsPassBase<
          TransposeOperandsPass> {
  using TransposeOperandsPassBase::TransposeOperandsPassBase;

  void runOnOperation() override {
    // One number is read as easily as another.
    if (getOperation()->hasAttr(kSmallCode))
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    for (linalg::LinalgOp op : ops) {
      choices.setSource(op);
      if (SmallVector<Transposition> plans = plan(op); !plans.empty())
        if (failed(apply(rewriter, op, plans)))
          return signalPassFailure();
    }
    foldConstants();
  }

private:
  /// Transposes constant weights at compile time rather than in each run.
  void foldConstants() {
    SmallVector<linalg::TransposeOp> named;
    getOperation()->walk([&](linalg::TransposeOp op) {
      if (op.getInput().getDefiningOp<arith::ConstantOp>())
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> transposes;
    for (linalg::TransposeOp op : named) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> general =
          linalg::generalizeNamedOp(rewriter, op);
      if (succeeded(general))
        transposes.push_back(*general);
    }
    RewritePatternSet patterns(&getContext());
    linalg::populateConstantFoldLinalgOperations(
        patterns, [](OpOperand *) { return true; });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    (void)applyOpPatternsGreedily(transposes, std::move(patterns), config);
  }
};

} // namespace
