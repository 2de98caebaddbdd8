//===- ReshapeLoops.cpp - Reshaping loops for vectors ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules vectorize along the last dimension of a result. If that dimension
// is too short, the same elements are viewed in another shape, which is free:
//
//   - pointwise ops on whole tensors get their last dimensions as one;
//   - matrix products whose rows lie in several dimensions, of which the last
//     is short (the pixels of an image), get them as one, and so do the
//     pointwise ops after them;
//   - sums of products lose a last dimension of one element (a matrix times a
//     vector), so that vectors lie along the sum, or along the rows;
//   - inputs lose last dimensions of one element that are read at a constant 0
//     (a scale for each channel), so that vectors of them are contiguous;
//   - results that are stored at a constant 0 of a dimension of one element (a
//     sum that keeps its dimensions) lose it: no rule knows such places.
//
//===----------------------------------------------------------------------===//

#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_RESHAPELOOPSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Whether `op` may be fused with the producer of one of its inputs as long as
/// their shapes are the same.
static bool followsReduction(LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    auto producer = input.getDefiningOp<LinalgOp>();
    return producer && producer->hasOneUse() &&
           producer.getNumReductionLoops() != 0;
  });
}

/// The last loops of `op`, a pointwise op, to collapse into one: as few as fill
/// vectors of `lanes`. Empty if there is nothing to gain.
static ReassociationIndices getShortLoops(LinalgOp op, const NestFacts &facts,
                                          int64_t lanes) {
  constexpr int64_t enoughVectors = 4;
  ReassociationIndices dims;
  int64_t size = 1;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Upstream's check requires whole dimensions.
  if (!op.hasOnlyProjectedPermutations())
    return dims;
  for (int64_t dim = facts.sizes.size() - 1; dim >= 0; --dim) {
    if (ShapedType::isDynamic(facts.sizes[dim]) ||
        size >= enoughVectors * lanes)
      break;
    ReassociationIndices more = dims;
    more.insert(more.begin(), dim);
    if (more.size() > 1 && !linalg::areDimSequencesPreserved(maps, {more}))
      break;
    // A last loop that is long enough is kept.
    if (dims.empty() && facts.sizes[dim] >= lanes)
      return {};
    dims = more;
    size *= facts.sizes[dim];
  }
  return dims.size() > 1 ? dims : ReassociationIndices();
}

static void joinShortLoops(IRRewriter &rewriter, linalg::GenericOp op,
                           const TargetModel &target) {
  std::optional<NestFacts> facts = getNestFacts(op);
  if (!facts || !facts->reductionDims.empty() || op.hasIndexSemantics() ||
      followsReduction(op))
    return;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).isIdentity())
      return;
  int64_t lanes = getLanes(ShapedType::kDynamic, facts->elementBits, target);
  ReassociationIndices dims = getShortLoops(op, *facts, lanes);
  if (dims.empty())
    return;
  rewriter.setInsertionPoint(op);
  auto joined = linalg::collapseOpIterationDims(op, {dims}, rewriter);
  if (succeeded(joined))
    rewriter.replaceOp(op, joined->results);
}

/// Rows from which on it hardly matters that some do not fill a register tile.
static constexpr int64_t kEnoughRows = 32;
static constexpr int64_t kTileRows = 8;

/// Whether `value` is a part of another tensor, of which a reshape would be a
/// copy.
static bool isPart(Value value) {
  return value.getDefiningOp<tensor::ExtractSliceOp>() ||
         llvm::any_of(value.getUsers(), [](Operation *user) {
           return isa<tensor::InsertSliceOp>(user);
         });
}

static bool hasParts(LinalgOp op) {
  return llvm::any_of(op->getOperands(), isPart) ||
         llvm::any_of(op->getResults(), isPart);
}

/// The loops of `op`, a product, to collapse into one: those of its rows, if
/// they do not fill register tiles. Empty if there is nothing to gain.
static ReassociationIndices getRowLoops(LinalgOp op) {
  ReassociationIndices rows;
  if (!isProduct(op) || !getNestFacts(op) || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || hasParts(op))
    return rows;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap stored = maps.back();
  if (!op.hasOnlyProjectedPermutations())
    return rows;
  for (AffineExpr expr : stored.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (maps[0].isFunctionOfDim(loop) && !maps[1].isFunctionOfDim(loop))
      rows.push_back(loop);
  }
  if (rows.size() < 2 || !linalg::areDimSequencesPreserved(maps, {rows}))
    return {};
  int64_t last = op.getStaticLoopRanges()[rows.back()];
  return last < kEnoughRows && last % kTileRows != 0 ? rows
                                                     : ReassociationIndices();
}

/// `op` and the pointwise ops after it that can have their loops `rows`
/// collapsed as well.
static SmallVector<LinalgOp> getRowOps(LinalgOp op, ReassociationIndices rows) {
  SmallVector<LinalgOp> ops = {op};
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [index, loop] : llvm::enumerate(rows))
    if (stored.getDimPosition(index) != loop)
      return ops;
  while (ops.back()->hasOneUse()) {
    auto next =
        dyn_cast<linalg::GenericOp>(*ops.back()->getResult(0).user_begin());
    ReassociationIndices first =
        llvm::to_vector<2>(llvm::seq<int64_t>(0, rows.size()));
    if (!next || next.getNumReductionLoops() != 0 ||
        next.getNumDpsInits() != 1 || next.hasIndexSemantics() ||
        !next.hasPureTensorSemantics() || hasParts(next) ||
        !next.getMatchingIndexingMap(next.getDpsInitOperand(0)).isIdentity() ||
        next.getNumLoops() != stored.getNumResults() ||
        !cast<LinalgOp>(next.getOperation()).hasOnlyProjectedPermutations() ||
        !linalg::areDimSequencesPreserved(next.getIndexingMapsArray(), {first}))
      break;
    ops.push_back(cast<LinalgOp>(next.getOperation()));
  }
  // An op that is computed on the products before they are stored has to have
  // their loops.
  auto next = ops.back()->hasOneUse()
                  ? dyn_cast<LinalgOp>(*ops.back()->getResult(0).user_begin())
                  : LinalgOp();
  if (next && next.getNumReductionLoops() == 0)
    return {};
  return ops;
}

/// Fills a tensor of the collapsed type instead of collapsing a filled one,
/// which rules would not see.
static void collapseFill(IRRewriter &rewriter, OpOperand &operand,
                         tensor::CollapseShapeOp collapse) {
  auto fill = collapse.getSrc().getDefiningOp<linalg::FillOp>();
  RankedTensorType type = collapse.getResultType();
  if (!fill || !fill.output().getDefiningOp<tensor::EmptyOp>() ||
      !collapse->hasOneUse() || !type.hasStaticShape())
    return;
  rewriter.setInsertionPoint(collapse);
  Value empty = tensor::EmptyOp::create(rewriter, fill.output().getLoc(),
                                        type.getShape(), type.getElementType());
  auto filled =
      linalg::FillOp::create(rewriter, fill.getLoc(), fill.value(), empty);
  rewriter.modifyOpInPlace(operand.getOwner(),
                           [&] { operand.set(filled.getResult(0)); });
  rewriter.eraseOp(collapse);
  if (fill->use_empty())
    rewriter.eraseOp(fill);
}

/// Replaces reshapes of `op`'s operands that undo one another.
static void foldReshapes(IRRewriter &rewriter, LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto collapse = operand.get().getDefiningOp<tensor::CollapseShapeOp>();
    auto expand = collapse
                      ? collapse.getSrc().getDefiningOp<tensor::ExpandShapeOp>()
                      : tensor::ExpandShapeOp();
    if (expand && expand.getSrcType() == collapse.getResultType() &&
        expand.getReassociationIndices() == collapse.getReassociationIndices())
      rewriter.modifyOpInPlace(op, [&] { operand.set(expand.getSrc()); });
    else if (collapse)
      collapseFill(rewriter, operand, collapse);
  }
}

static void joinRows(IRRewriter &rewriter, ChoiceKeeper &choices, LinalgOp op) {
  ReassociationIndices rows = getRowLoops(op);
  if (rows.empty())
    return;
  for (LinalgOp next : getRowOps(op, rows)) {
    choices.setSource(next);
    rewriter.setInsertionPoint(next);
    if (!isa<linalg::GenericOp>(next.getOperation())) {
      FailureOr<linalg::GenericOp> general =
          linalg::generalizeNamedOp(rewriter, next);
      if (failed(general))
        return;
      next = cast<LinalgOp>(general->getOperation());
      rewriter.setInsertionPoint(next);
    }
    auto joined = linalg::collapseOpIterationDims(next, {rows}, rewriter);
    if (failed(joined))
      return;
    rewriter.replaceOp(next, joined->results);
    foldReshapes(rewriter, joined->collapsedOp);
    rows = llvm::to_vector<2>(llvm::seq<int64_t>(0, rows.size()));
  }
}

/// The loop of the last dimension of the result of `op`, if it iterates once.
static std::optional<unsigned> getUnitLoop(LinalgOp op) {
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (stored.getNumResults() < 2 || !stored.isProjectedPermutation())
    return std::nullopt;
  unsigned dim = stored.getDimPosition(stored.getNumResults() - 1);
  if (op.getStaticLoopRanges()[dim] != 1)
    return std::nullopt;
  return dim;
}

/// Rewrites `op` without the loop `dim`, if that iterates once, and without the
/// operand dimensions that are always read or stored at 0. None if nothing
/// changed.
static LinalgOp dropUnits(IRRewriter &rewriter, linalg::GenericOp op,
                          unsigned dim) {
  linalg::ControlDropUnitDims control;
  control.controlFn = [dim](Operation *) { return SmallVector<unsigned>{dim}; };
  rewriter.setInsertionPoint(op);
  auto dropped = linalg::dropUnitDims(rewriter, op, control);
  if (failed(dropped))
    return nullptr;
  rewriter.replaceOp(op, dropped->replacements);
  return cast<LinalgOp>(dropped->resultOp.getOperation());
}

static void dropUnitLoop(IRRewriter &rewriter, LinalgOp op) {
  if (!isProduct(op) || !getNestFacts(op))
    return;
  std::optional<unsigned> dim = getUnitLoop(op);
  if (!dim)
    return;
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
    if (failed(made))
      return;
    generic = *made;
  }
  dropUnits(rewriter, generic, *dim);
}

/// Whether `op` stores a result at a constant 0 of a unit dimension, and
/// otherwise by distinct loops. (There may be more such dimensions than loops.)
static bool storesAtZero(linalg::GenericOp op) {
  bool hasZero = false;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    llvm::SmallBitVector seen(map.getNumDims());
    for (auto [size, expr] :
         llvm::zip_equal(cast<ShapedType>(init.get().getType()).getShape(),
                         map.getResults())) {
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        if (seen.test(loop.getPosition()))
          return false;
        seen.set(loop.getPosition());
        continue;
      }
      auto place = dyn_cast<AffineConstantExpr>(expr);
      if (!place || place.getValue() != 0 || size != 1)
        return false;
      hasZero = true;
    }
  }
  return hasZero;
}

/// Returns `op` or its replacement.
static LinalgOp dropZeroPlaces(IRRewriter &rewriter, LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !storesAtZero(generic))
    return op;
  // Upstream requires a loop to drop; a loop that iterates is kept.
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto *longer = llvm::find_if(sizes, [](int64_t size) { return size != 1; });
  if (longer == sizes.end())
    return op;
  LinalgOp dropped = dropUnits(rewriter, generic, longer - sizes.begin());
  return dropped ? dropped : op;
}

/// The last dimensions of one element in which `operand` of `op` is read at 0,
/// but for the first dimension of all.
static unsigned countLastZeros(linalg::GenericOp op, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  unsigned count = 0;
  while (type && count + 1 < type.getRank()) {
    unsigned dim = type.getRank() - count - 1;
    auto place = dyn_cast<AffineConstantExpr>(map.getResult(dim));
    if (!place || place.getValue() != 0 || type.getDimSize(dim) != 1)
      break;
    ++count;
  }
  return count;
}

static void dropInputZeros(IRRewriter &rewriter, LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return;
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (OpOperand *operand : generic.getDpsInputOperands()) {
    unsigned count = countLastZeros(generic, *operand);
    if (count == 0)
      continue;
    AffineMap &map = maps[operand->getOperandNumber()];
    unsigned kept = map.getNumResults() - count;
    SmallVector<ReassociationIndices> groups;
    for (unsigned dim = 0; dim < kept; ++dim)
      groups.push_back({int64_t(dim)});
    for (unsigned dim = kept; dim < map.getNumResults(); ++dim)
      groups.back().push_back(dim);
    map = AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                         map.getResults().take_front(kept), map.getContext());
    rewriter.setInsertionPoint(generic);
    Value collapsed = tensor::CollapseShapeOp::create(
        rewriter, generic.getLoc(), operand->get(), groups);
    rewriter.modifyOpInPlace(generic, [&] { operand->set(collapsed); });
  }
  rewriter.modifyOpInPlace(generic, [&] {
    generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  foldReshapes(rewriter, op);
}

namespace {

struct ReshapeLoopsPass
    : mlirprof::codegen::impl::ReshapeLoopsPassBase<ReshapeLoopsPass> {
  using ReshapeLoopsPassBase::ReshapeLoopsPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target = makeTarget(
        *this, getOperation(), vectorBits, vectorRegisters, features, maxError);
    if (failed(target))
      return signalPassFailure();
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    SmallVector<LinalgOp> products, ops;
    getOperation().walk([&](LinalgOp op) {
      if (op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0)
        products.push_back(op);
    });
    for (LinalgOp op : products)
      joinRows(rewriter, choices, op);
    getOperation().walk([&](LinalgOp op) {
      if (op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    for (LinalgOp op : ops) {
      choices.setSource(op);
      op = dropZeroPlaces(rewriter, op);
      dropInputZeros(rewriter, op);
      if (op.getNumDpsInits() != 1)
        continue;
      if (op.getNumReductionLoops() != 0)
        dropUnitLoop(rewriter, op);
      else if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
        joinShortLoops(rewriter, generic, *target);
    }
  }
};

} // namespace
