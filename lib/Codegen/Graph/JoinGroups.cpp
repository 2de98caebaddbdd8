//===- JoinGroups.cpp - One loop over the filters of all groups -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks write a grouped convolution between reshapes that split the
// channels and join them again. The reshapes keep ops behind the convolution
// out of its loops, and scales out of its weights; and groups of a few filters
// do not fill a vector. With one loop over all filters, the tensors keep their
// shape, and the rules decide how many groups share a vector.
//
//===----------------------------------------------------------------------===//

#include "../Loops/GenericOps.h"
#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_JOINGROUPSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {

/// The loops of a grouped convolution, and where the group is in its operands;
/// the channel in the image, and the filter in the others, come next.
struct Grouped {
  unsigned group = 0, filter = 0, channel = 0;
  SmallVector<unsigned> positions;
};

} // namespace

/// The result of `map` at which `first` stands, if `second` follows and no
/// other result depends on them.
static std::optional<unsigned> findPair(AffineMap map, unsigned first,
                                        unsigned second) {
  std::optional<unsigned> found;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim && (expr.isFunctionOfDim(first) || expr.isFunctionOfDim(second)))
      return std::nullopt;
    if (dim && dim.getPosition() == first)
      found = position;
  }
  if (!found || *found + 1 == map.getNumResults() ||
      map.getResult(*found + 1) != getAffineDimExpr(second, map.getContext()))
    return std::nullopt;
  return found;
}

static std::optional<Grouped> findGrouped(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.hasDynamicShape() ||
      !linalg::isaConvolutionOpInterface(op) || !addsProducts(*op.getBlock()))
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->depth.size() != 1 ||
      dims->outputChannel.size() != 1 || dims->inputChannel.size() != 1)
    return std::nullopt;
  Grouped grouped{
      dims->depth[0], dims->outputChannel[0], dims->inputChannel[0], {}};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  // Without several of each, the loops are simpler as they are.
  for (unsigned dim : {grouped.group, grouped.filter, grouped.channel})
    if (sizes[dim] < 2)
      return std::nullopt;
  for (auto [index, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    auto type = cast<RankedTensorType>(op->getOperand(index).getType());
    // Narrower elements have instructions that add groups of products, which
    // need the channels as the reduction of one group.
    Type element = type.getElementType();
    if (!element.isF32() && !element.isF64())
      return std::nullopt;
    std::optional<unsigned> position = findPair(
        map, grouped.group, index == 0 ? grouped.channel : grouped.filter);
    if (!position || type.getEncoding())
      return std::nullopt;
    grouped.positions.push_back(*position);
  }
  return grouped;
}

/// Groups of a reshape that joins the dimensions `position` and the next.
static SmallVector<ReassociationIndices> joinPair(int64_t rank,
                                                  unsigned position) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim == int64_t(position) + 1)
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  return groups;
}

static SmallVector<AffineMap> joinMaps(LinalgOp op, const Grouped &grouped) {
  MLIRContext *context = op.getContext();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  AffineExpr filter = getAffineDimExpr(grouped.group, context);
  SmallVector<AffineMap> maps;
  llvm::SmallBitVector removed(op.getNumLoops());
  removed.set(grouped.filter);
  for (auto [index, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    unsigned position = grouped.positions[index];
    SmallVector<AffineExpr> results(map.getResults());
    results.erase(results.begin() + position + 1);
    results[position] =
        index == 0
            ? filter.floorDiv(sizes[grouped.filter]) * sizes[grouped.channel] +
                  getAffineDimExpr(grouped.channel, context)
            : filter;
    maps.push_back(compressDims(
        AffineMap::get(map.getNumDims(), 0, results, context), removed));
  }
  return maps;
}

static void join(RewriterBase &rewriter, LinalgOp op, const Grouped &grouped) {
  rewriter.setInsertionPoint(op);
  Location location = op.getLoc();
  SmallVector<Value> operands;
  for (auto [index, value] : llvm::enumerate(op->getOperands())) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    operands.push_back(tensor::CollapseShapeOp::create(
        rewriter, location, value, joinPair(rank, grouped.positions[index])));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.erase(iterators.begin() + grouped.filter);
  auto joined =
      linalg::GenericOp::create(rewriter, location, operands.back().getType(),
                                ArrayRef(operands).drop_back(), operands.back(),
                                joinMaps(op, grouped), iterators);
  rewriter.inlineRegionBefore(op->getRegion(0), joined.getRegion(),
                              joined.getRegion().begin());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
      op, type, joined.getResult(0),
      joinPair(type.getRank(), grouped.positions.back()));
}

namespace {

struct JoinGroupsPass
    : mlirprof::codegen::impl::JoinGroupsPassBase<JoinGroupsPass> {
  using JoinGroupsPassBase::JoinGroupsPassBase;

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) { ops.push_back(op); });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    bool hasJoined = false;
    for (LinalgOp op : ops)
      if (std::optional<Grouped> grouped = findGrouped(op)) {
        choices.setSource(op);
        join(rewriter, op, *grouped);
        hasJoined = true;
      }
    if (hasJoined)
      foldReshapes();
  }

private:
  /// Removes pairs of reshapes that undo each other.
  void foldReshapes() {
    RewritePatternSet patterns(&getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    linalg::FillOp::getCanonicalizationPatterns(patterns, &getContext());
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
