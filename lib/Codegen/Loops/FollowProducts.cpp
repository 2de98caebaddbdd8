//===- FollowProducts.cpp - Pointwise ops in the shape of a product -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks multiply tensors of several dimensions as matrices: between the
// product and its activation, or the sum with what went around the layer, the
// result gets its dimensions back. In the matrix's shape the pointwise op is
// computed on the product's registers, and its own result gets the dimensions.
//
//===----------------------------------------------------------------------===//

#include "../Nest/JoinedGroups.h"
#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_FOLLOWPRODUCTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

static bool isPointwise(LinalgOp op) {
  return op.getNumReductionLoops() == 0 && op.getNumDpsInits() == 1 &&
         op.hasPureTensorSemantics();
}

/// Whether `value` is a product, a convolution, or a pointwise op on one that
/// may become a part of its loops.
static bool isProductResult(Value value) {
  constexpr int mostOps = 8;
  auto op = value.getDefiningOp<LinalgOp>();
  for (int count = 0; op && count < mostOps; ++count) {
    if (!op->hasOneUse())
      return false;
    if (!isPointwise(op))
      return isProduct(op) || isConvolution(op);
    LinalgOp before;
    for (Value input : op.getDpsInputs())
      if (auto producer = input.getDefiningOp<LinalgOp>();
          producer && producer->hasOneUse() && !before)
        before = producer;
    op = before;
  }
  return false;
}

/// The pointwise op that can have the shape of the source of `expand`; null if
/// there is none.
static linalg::GenericOp getFollower(tensor::ExpandShapeOp expand) {
  if (!expand->hasOneUse() || !expand.getType().hasStaticShape() ||
      !isProductResult(expand.getSrc()))
    return {};
  auto op = dyn_cast<linalg::GenericOp>(*expand->user_begin());
  if (!op || op->getBlock() != expand->getBlock() || op.hasDynamicShape() ||
      !isPointwise(cast<LinalgOp>(op.getOperation())) ||
      op.hasIndexSemantics() || op.isDpsInit(&*expand->use_begin()))
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !op.getMatchingIndexingMap(&*expand->use_begin()).isIdentity() ||
      !cast<LinalgOp>(op.getOperation()).hasOnlyProjectedPermutations())
    return {};
  return linalg::areDimSequencesPreserved(maps,
                                          expand.getReassociationIndices())
             ? op
             : linalg::GenericOp();
}

/// Removes what collapsing `op` added: reshapes of `expand`, and of tensors
/// without content.
static void foldReshapes(IRRewriter &rewriter, LinalgOp op,
                         tensor::ExpandShapeOp expand) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto collapse = operand.get().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse)
      continue;
    Value known;
    if (collapse.getSrc() == expand.getResult()) {
      known = expand.getSrc();
    } else if (auto empty =
                   collapse.getSrc().getDefiningOp<tensor::EmptyOp>()) {
      rewriter.setInsertionPoint(op);
      known = tensor::EmptyOp::create(
          rewriter, empty.getLoc(), collapse.getResultType().getShape(),
          collapse.getResultType().getElementType());
    } else {
      continue;
    }
    rewriter.modifyOpInPlace(op, [&] { operand.set(known); });
    if (collapse->use_empty())
      rewriter.eraseOp(collapse);
  }
  rewriter.eraseOp(expand);
}

/// Returns the reshape of the new result, or null if nothing changed.
static tensor::ExpandShapeOp follow(IRRewriter &rewriter,
                                    tensor::ExpandShapeOp expand) {
  linalg::GenericOp op = getFollower(expand);
  if (!op)
    return {};
  SmallVector<ReassociationIndices> groups;
  for (const ReassociationIndices &group : expand.getReassociationIndices())
    if (group.size() > 1)
      groups.push_back(group);
  rewriter.setInsertionPoint(op);
  auto collapsed = linalg::collapseOpIterationDims(op, groups, rewriter);
  if (failed(collapsed))
    return {};
  rewriter.replaceOp(op, collapsed->results);
  foldReshapes(rewriter, collapsed->collapsedOp, expand);
  return collapsed->results.front().getDefiningOp<tensor::ExpandShapeOp>();
}

namespace {

struct FollowProductsPass
    : mlirprof::codegen::impl::FollowProductsPassBase<FollowProductsPass> {
  using FollowProductsPassBase::FollowProductsPassBase;

  void runOnOperation() override {
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    SmallVector<tensor::ExpandShapeOp> expands;
    getOperation().walk(
        [&](tensor::ExpandShapeOp expand) { expands.push_back(expand); });
    for (tensor::ExpandShapeOp expand : expands)
      while (expand && expand->hasOneUse()) {
        choices.setSource(*expand->user_begin());
        expand = follow(rewriter, expand);
      }
  }
};

} // namespace
