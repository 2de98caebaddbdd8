//===- SchedulePanels.cpp - Panels as loops -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constant factors lie in panels: W[n floordiv p][k][n mod p]. Upstream's
// vectorizer takes maps of plain dimensions only, so that the loop n becomes
// one over panels and one in a panel, and the result is made in that shape,
// which is the same memory. Columns that fill up the last panel are computed
// and cut off; their factors are zero.
//
//===----------------------------------------------------------------------===//

#include "ScheduleOp.h"
#include "mlir-prof/Codegen/RulePlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::optimize;
using linalg::GenericOp;

namespace {

/// The loop of an op that an operand has in panels.
struct Panels {
  unsigned dim = 0;
  int64_t columns = 0;
  int64_t panel = 0;

  int64_t getCount() const { return (columns + panel - 1) / panel; }
};

/// Shows one op with a loop over panels.
class PanelExpander {
public:
  PanelExpander(GenericOp op, Panels panels, OpBuilder &builder)
      : op(op), panels(panels), builder(builder) {}

  /// Whether all operands have a place for the new loop.
  bool isPossible();
  /// Replaces the op; returns what brings the result back to its shape.
  Operation *run();

private:
  std::optional<unsigned> getColumnDim(OpOperand &operand);
  AffineMap expandMap(AffineMap map);
  Value expandInit();
  Value restore(Value result);
  SmallVector<OpFoldResult> getSizes(bool isExpanded);
  SmallVector<ReassociationIndices> getReassociation();

  GenericOp op;
  Panels panels;
  OpBuilder &builder;
};

} // namespace

static std::optional<Panels> findPanels(GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      for (unsigned dim = 0, e = map.getNumDims(); dim < e; ++dim) {
        int64_t panel = getDivisor(expr, AffineExprKind::Mod, dim);
        if (panel > 0 && !ShapedType::isDynamic(sizes[dim]))
          return Panels{dim, sizes[dim], panel};
      }
  return std::nullopt;
}

/// The dimension of `operand`, not in panels, along which the columns lie.
std::optional<unsigned> PanelExpander::getColumnDim(OpOperand &operand) {
  return op.getMatchingIndexingMap(&operand).getResultPosition(
      getAffineDimExpr(panels.dim, op.getContext()));
}

bool PanelExpander::isPossible() {
  if (op->getNumResults() != 1 || op.hasIndexSemantics() ||
      !linalg::isParallelIterator(op.getIteratorTypesArray()[panels.dim]))
    return false;
  OpOperand &init = *op.getDpsInitOperand(0);
  if (!op.getMatchingIndexingMap(&init).isProjectedPermutation() ||
      !getColumnDim(init))
    return false;
  bool isWhole = panels.columns % panels.panel == 0;
  if (!isWhole && !init.get().getDefiningOp<linalg::FillOp>())
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults()) {
      if (!expr.isFunctionOfDim(panels.dim))
        continue;
      bool isPanel =
          getDivisor(expr, AffineExprKind::Mod, panels.dim) == panels.panel ||
          getDivisor(expr, AffineExprKind::FloorDiv, panels.dim) ==
              panels.panel;
      // Other inputs along the columns would have to be filled up, too.
      if (!isPanel)
        return false;
    }
  return true;
}

/// `map` with the loop over panels before that in a panel.
AffineMap PanelExpander::expandMap(AffineMap map) {
  MLIRContext *context = map.getContext();
  AffineExpr count = getAffineDimExpr(panels.dim, context);
  AffineExpr column = getAffineDimExpr(panels.dim + 1, context);
  SmallVector<AffineExpr> dims, results;
  for (unsigned dim = 0, e = map.getNumDims(); dim < e; ++dim)
    dims.push_back(getAffineDimExpr(dim + (dim > panels.dim), context));
  for (AffineExpr expr : map.getResults()) {
    if (expr == getAffineDimExpr(panels.dim, context))
      llvm::append_values(results, count, column);
    else if (getDivisor(expr, AffineExprKind::FloorDiv, panels.dim))
      results.push_back(count);
    else if (getDivisor(expr, AffineExprKind::Mod, panels.dim))
      results.push_back(column);
    else
      results.push_back(expr.replaceDims(dims));
  }
  return AffineMap::get(map.getNumDims() + 1, 0, results, context);
}

SmallVector<OpFoldResult> PanelExpander::getSizes(bool isExpanded) {
  Value init = op.getDpsInits()[0];
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, op.getLoc(), init);
  unsigned at = *getColumnDim(*op.getDpsInitOperand(0));
  if (isExpanded) {
    sizes[at] = builder.getIndexAttr(panels.getCount());
    sizes.insert(sizes.begin() + at + 1, builder.getIndexAttr(panels.panel));
  }
  return sizes;
}

SmallVector<ReassociationIndices> PanelExpander::getReassociation() {
  unsigned at = *getColumnDim(*op.getDpsInitOperand(0));
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (unsigned dim = 0,
                e = cast<ShapedType>(op.getResult(0).getType()).getRank();
       dim < e; ++dim) {
    groups.push_back({next++});
    if (dim == at)
      groups.back().push_back(next++);
  }
  return groups;
}

Value PanelExpander::expandInit() {
  Location location = op.getLoc();
  Value init = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  SmallVector<OpFoldResult> sizes = getSizes(/*isExpanded=*/true);
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    Value empty = tensor::EmptyOp::create(builder, location, sizes,
                                          type.getElementType());
    return linalg::FillOp::create(builder, fill.getLoc(), fill.getInputs()[0],
                                  empty)
        .getResult(0);
  }
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return tensor::ExpandShapeOp::create(
      builder, location, RankedTensorType::get(shape, type.getElementType()),
      init, getReassociation(), sizes);
}

/// The result in the shape that its users know.
Value PanelExpander::restore(Value result) {
  Location location = op.getLoc();
  Value flat = tensor::CollapseShapeOp::create(builder, location, result,
                                               getReassociation());
  if (flat.getType() == op.getResult(0).getType())
    return flat;
  SmallVector<OpFoldResult> sizes = getSizes(/*isExpanded=*/false);
  SmallVector<OpFoldResult> zeros(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      builder, location, cast<RankedTensorType>(op.getResult(0).getType()),
      flat, zeros, sizes, ones);
}

Operation *PanelExpander::run() {
  builder.setInsertionPoint(op);
  SmallVector<AffineMap> maps = llvm::map_to_vector(
      op.getIndexingMapsArray(), [&](AffineMap map) { return expandMap(map); });
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + panels.dim,
                   utils::IteratorType::parallel);
  Value init = expandInit();
  auto expanded =
      GenericOp::create(builder, op.getLoc(), TypeRange{init.getType()},
                        op.getDpsInputs(), ValueRange{init}, maps, iterators);
  expanded.getRegion().takeBody(op.getRegion());
  expanded->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Value restored = restore(expanded.getResult(0));
  op.getResult(0).replaceAllUsesWith(restored);
  op.erase();
  return restored.getDefiningOp();
}

/// Shows the elementwise users of expanded results in the same shape, so that
/// they can stand in the same loops.
static void expandUsers(ModuleOp module,
                        const llvm::SmallPtrSetImpl<Operation *> &shapes) {
  RewritePatternSet patterns(module.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [&](OpOperand *operand) {
        auto user = dyn_cast<linalg::LinalgOp>(operand->getOwner());
        Operation *shape = operand->get().getDefiningOp();
        return user && shape && shapes.contains(shape) && shape->hasOneUse() &&
               user.getNumReductionLoops() == 0 && user->getNumResults() == 1 &&
               user.isDpsInput(operand);
      });
  GreedyRewriteConfig config;
  config.enableFolding(false).enableConstantCSE(false).setStrictness(
      GreedyRewriteStrictness::ExistingOps);
  SmallVector<Operation *> users;
  for (Operation *shape : shapes)
    if (shape->hasOneUse() && isa<GenericOp>(*shape->user_begin()))
      users.push_back(*shape->user_begin());
  (void)applyOpPatternsGreedily(users, std::move(patterns), config);
}

unsigned optimize::expandPanels(ModuleOp module) {
  SmallVector<std::pair<GenericOp, Panels>> found;
  module.walk([&](GenericOp op) {
    if (std::optional<Panels> panels = findPanels(op))
      found.push_back({op, *panels});
  });
  OpBuilder builder(module.getContext());
  llvm::SmallPtrSet<Operation *, 16> shapes;
  unsigned left = 0;
  for (auto [op, panels] : found) {
    PanelExpander expander(op, panels, builder);
    if (!expander.isPossible()) {
      ++left;
      continue;
    }
    Operation *shape = expander.run();
    if (isa<tensor::CollapseShapeOp>(shape))
      shapes.insert(shape);
  }
  expandUsers(module, shapes);
  // The shapes that nothing asks for any more keep ops from having one user.
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, module->getRegions());
  return left;
}
