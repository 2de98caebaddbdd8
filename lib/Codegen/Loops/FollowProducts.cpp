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
// So is one whose result the product adds to, such as a bias for each column.
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

/// Whether `op` may be computed on tensors whose dimensions `groups` are one.
static bool canCollapse(linalg::GenericOp op,
                        ArrayRef<ReassociationIndices> groups) {
  if (op.hasDynamicShape() || !isPointwise(cast<LinalgOp>(op.getOperation())) ||
      op.hasIndexSemantics() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !cast<LinalgOp>(op.getOperation()).hasOnlyProjectedPermutations())
    return false;
  return linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), groups);
}

/// The pointwise op that can have the shape of the source of `expand`; null if
/// there is none.
static linalg::GenericOp getFollower(tensor::ExpandShapeOp expand) {
  if (!expand->hasOneUse() || !expand.getType().hasStaticShape() ||
      !isProductResult(expand.getSrc()))
    return {};
  auto op = dyn_cast<linalg::GenericOp>(*expand->user_begin());
  if (!op || op->getBlock() != expand->getBlock() ||
      op.isDpsInit(&*expand->use_begin()) ||
      !op.getMatchingIndexingMap(&*expand->use_begin()).isIdentity())
    return {};
  return canCollapse(op, expand.getReassociationIndices())
             ? op
             : linalg::GenericOp();
}

/// The pointwise op that can have the shape of `collapse`, whose result a
/// product adds to; null if there is none.
static linalg::GenericOp getLeader(tensor::CollapseShapeOp collapse) {
  if (!collapse->hasOneUse())
    return {};
  auto product = dyn_cast<LinalgOp>(*collapse->user_begin());
  auto op = collapse.getSrc().getDefiningOp<linalg::GenericOp>();
  if (!product || !product.isDpsInit(&*collapse->use_begin()) ||
      !isProduct(product) || !op || !op->hasOneUse())
    return {};
  return canCollapse(op, collapse.getReassociationIndices())
             ? op
             : linalg::GenericOp();
}

/// Gives a tensor without content the shape of its reshape. Returns whether
/// `collapse` was the reshape of one.
static bool foldEmpty(IRRewriter &rewriter, tensor::CollapseShapeOp collapse) {
  RankedTensorType type = collapse.getResultType();
  if (!collapse.getSrc().getDefiningOp<tensor::EmptyOp>() ||
      !type.hasStaticShape())
    return false;
  rewriter.setInsertionPoint(collapse);
  rewriter.replaceOpWithNewOp<tensor::EmptyOp>(collapse, type.getShape(),
                                               type.getElementType());
  return true;
}

/// The same for the operands of `op`.
static void foldEmpties(IRRewriter &rewriter, LinalgOp op) {
  for (Value operand : llvm::to_vector(op->getOperands()))
    if (auto collapse = operand.getDefiningOp<tensor::CollapseShapeOp>())
      (void)foldEmpty(rewriter, collapse);
}

/// Removes reshapes of `expand`, which collapsing `op` added.
static void foldReshapes(IRRewriter &rewriter, LinalgOp op,
                         tensor::ExpandShapeOp expand) {
  for (Value operand : llvm::to_vector(op->getOperands()))
    if (auto collapse = operand.getDefiningOp<tensor::CollapseShapeOp>();
        collapse && collapse.getSrc() == expand.getResult())
      rewriter.replaceOp(collapse, expand.getSrc());
  foldEmpties(rewriter, op);
  rewriter.eraseOp(expand);
}

/// `op` with each of `reshaped` that has several dimensions as one of its
/// loops.
static FailureOr<linalg::CollapseResult>
collapseLoops(IRRewriter &rewriter, linalg::GenericOp op,
              ArrayRef<ReassociationIndices> reshaped) {
  SmallVector<ReassociationIndices> groups;
  for (const ReassociationIndices &group : reshaped)
    if (group.size() > 1)
      groups.push_back(group);
  rewriter.setInsertionPoint(op);
  return linalg::collapseOpIterationDims(op, groups, rewriter);
}

/// Gives the op before `collapse` its shape.
static void lead(IRRewriter &rewriter, tensor::CollapseShapeOp collapse) {
  linalg::GenericOp op = getLeader(collapse);
  if (!op)
    return;
  auto collapsed =
      collapseLoops(rewriter, op, collapse.getReassociationIndices());
  if (failed(collapsed))
    return;
  Value expanded = collapsed->results.front();
  rewriter.replaceOp(collapse, collapsed->collapsedOp->getResult(0));
  rewriter.eraseOp(op);
  rewriter.eraseOp(expanded.getDefiningOp());
  foldEmpties(rewriter, collapsed->collapsedOp);
}

/// Returns the reshape of the new result, or null if nothing changed.
static tensor::ExpandShapeOp follow(IRRewriter &rewriter,
                                    tensor::ExpandShapeOp expand) {
  linalg::GenericOp op = getFollower(expand);
  if (!op)
    return {};
  auto collapsed =
      collapseLoops(rewriter, op, expand.getReassociationIndices());
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
    SmallVector<tensor::CollapseShapeOp> collapses;
    getOperation().walk([&](tensor::CollapseShapeOp collapse) {
      collapses.push_back(collapse);
    });
    for (tensor::CollapseShapeOp collapse : collapses) {
      if (foldEmpty(rewriter, collapse))
        continue;
      choices.setSource(collapse.getSrc().getDefiningOp());
      lead(rewriter, collapse);
    }
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
