//===- SimplifyProducts.cpp - Products without needless loops -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks write products in forms that hide matrix products:
//
//   - an operand is broadcast along a batch first: the product reads the source
//     of the broadcast instead, through a map without that loop, which becomes
//     another loop over rows;
//   - the filter of a convolution has one tap: without the loops over taps, it
//     is a matrix product of all pixels. Strides become a slice of the image.
//
//===----------------------------------------------------------------------===//

#include "../Loops/GenericOps.h"
#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SIMPLIFYPRODUCTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

namespace {

/// A tensor with the elements of a smaller one.
struct Broadcast {
  Value source;
  /// For each dimension of the tensor the one of the source that it moves
  /// along; none where all elements are the same.
  SmallVector<std::optional<unsigned>> dims;
};

} // namespace

/// Looks through an op that copies its input along more dimensions.
static bool skipCopy(Broadcast &broadcast) {
  auto op = broadcast.source.getDefiningOp<LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
    return false;
  auto yielded =
      dyn_cast<BlockArgument>(op.getBlock()->getTerminator()->getOperand(0));
  AffineMap read = op.getIndexingMapsArray()[0],
            stored = op.getIndexingMapsArray()[1];
  if (!yielded || yielded.getOwner() != op.getBlock() ||
      yielded.getArgNumber() != 0 || !stored.isPermutation() ||
      !read.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  for (std::optional<unsigned> &dim : broadcast.dims)
    if (dim)
      dim = read.getResultPosition(stored.getResult(*dim));
  broadcast.source = op.getDpsInputs()[0];
  return true;
}

/// Looks through a reshape that joins or splits dimensions along which all
/// elements are the same, and dimensions of one element.
static bool skipCollapse(Broadcast &broadcast, const Broadcast &inner,
                         ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(
      broadcast.source.getDefiningOp<tensor::CollapseShapeOp>()
          .getSrc()
          .getType());
  SmallVector<std::optional<unsigned>> dims;
  for (const ReassociationIndices &group : groups) {
    std::optional<unsigned> only;
    for (int64_t dim : group) {
      if (type.getDimSize(dim) == 1)
        continue;
      if (inner.dims[dim] && group.size() > 1)
        for (int64_t other : group)
          if (other != dim && type.getDimSize(other) != 1)
            return false;
      only = inner.dims[dim];
    }
    dims.push_back(only);
  }
  for (std::optional<unsigned> &dim : broadcast.dims)
    if (dim)
      dim = dims[*dim];
  broadcast.source = inner.source;
  return true;
}

static Broadcast findBroadcast(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Broadcast found{value, {}};
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    found.dims.push_back(dim);
  while (true) {
    if (skipCopy(found))
      continue;
    auto collapse = found.source.getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse)
      return found;
    Broadcast inner = findBroadcast(collapse.getSrc());
    if (inner.source == collapse.getSrc() ||
        !skipCollapse(found, inner, collapse.getReassociationIndices()))
      return found;
  }
}

/// `value` without the dimensions that `isKept` does not name, all of which
/// have one element; null if that is not a reshape.
static Value dropUnits(OpBuilder &builder, Location location, Value value,
                       ArrayRef<bool> isKept) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices group;
  SmallVector<int64_t> shape;
  bool hasKept = false;
  for (auto [dim, kept] : llvm::enumerate(isKept)) {
    if (!kept && type.getDimSize(dim) != 1)
      return {};
    if (kept && hasKept) {
      groups.push_back(group);
      group.clear();
    }
    hasKept |= kept;
    group.push_back(dim);
    if (kept)
      shape.push_back(type.getDimSize(dim));
  }
  if (!hasKept)
    return {};
  groups.push_back(group);
  if (groups.size() == isKept.size())
    return value;
  return tensor::CollapseShapeOp::create(builder, location, type.clone(shape),
                                         value, groups);
}

/// Whether an input of `op` can be read before it is broadcast; sets `source`
/// and `map` then.
static bool readSource(OpBuilder &builder, LinalgOp op, OpOperand &operand,
                       Value &source, AffineMap &map) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type || type.getEncoding())
    return false;
  Broadcast broadcast = findBroadcast(operand.get());
  auto from = dyn_cast<RankedTensorType>(broadcast.source.getType());
  if (llvm::all_of(broadcast.dims,
                   [](std::optional<unsigned> dim) { return dim.has_value(); }))
    return false;
  SmallVector<AffineExpr> places(from.getRank());
  SmallVector<bool> isKept(from.getRank(), false);
  for (auto [dim, at] : llvm::enumerate(broadcast.dims)) {
    if (!at)
      continue;
    isKept[*at] = true;
    places[*at] = op.getMatchingIndexingMap(&operand).getResult(dim);
  }
  source = dropUnits(builder, op.getLoc(), broadcast.source, isKept);
  if (!source)
    return false;
  llvm::erase(places, AffineExpr());
  map = AffineMap::get(op.getNumLoops(), 0, places, op.getContext());
  return true;
}

/// Replaces the operands of `op` that are broadcasts by their sources. Returns
/// the op that computes the same.
static LinalgOp readSources(RewriterBase &rewriter, LinalgOp op) {
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool changes = false;
  rewriter.setInsertionPoint(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned index = input->getOperandNumber();
    changes |= readSource(rewriter, op, *input, inputs[index], maps[index]);
  }
  // Every loop needs an operand that has its size.
  if (!changes || !inversePermutation(concatAffineMaps(maps, op.getContext())))
    return op;
  linalg::GenericOp made = takeBody(rewriter, op, inputs, op.getDpsInits(),
                                    maps, op.getIteratorTypesArray());
  rewriter.replaceOp(op, made);
  return cast<LinalgOp>(made.getOperation());
}

//===----------------------------------------------------------------------===//
// Convolutions with one tap
//===----------------------------------------------------------------------===//

/// Whether `op`, a sum of products, is a convolution all of whose taps are one,
/// and at least one result is stored along its channels.
static std::optional<linalg::ConvolutionDimensions> getOneTap(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || !linalg::isaConvolutionOpInterface(op))
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->inputChannel.empty() ||
      dims->outputChannel.empty() || !dims->depth.empty())
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : dims->filterLoop)
    if (sizes[loop] != 1)
      return std::nullopt;
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto last = dyn_cast<AffineDimExpr>(stored.getResults().back());
  if (!last || last.getPosition() != dims->outputChannel.back())
    return std::nullopt;
  return *dims;
}

/// The elements of the image that `op` reads at a stride, as a slice; null if
/// it reads the image otherwise.
static Value sliceImage(OpBuilder &builder, LinalgOp op, AffineMap &map) {
  Value image = op.getDpsInputs()[0];
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> sizes = op.getStaticLoopRanges(), shape, strides;
  SmallVector<AffineExpr> places;
  for (auto [size, expr] : llvm::zip_equal(type.getShape(), map.getResults())) {
    int64_t stride = 1;
    AffineExpr loop = expr;
    if (auto product = dyn_cast<AffineBinaryOpExpr>(expr);
        product && product.getKind() == AffineExprKind::Mul)
      if (auto factor = dyn_cast<AffineConstantExpr>(product.getRHS())) {
        stride = factor.getValue();
        loop = product.getLHS();
      }
    auto dim = dyn_cast<AffineDimExpr>(loop);
    if (!dim || stride < 1)
      return {};
    places.push_back(dim);
    shape.push_back(sizes[dim.getPosition()]);
    strides.push_back(stride);
  }
  map = AffineMap::get(map.getNumDims(), 0, places, op.getContext());
  if (shape == type.getShape())
    return image;
  auto toAttributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(op.getContext(), values);
  };
  SmallVector<OpFoldResult> zeros(shape.size(), builder.getIndexAttr(0));
  return tensor::ExtractSliceOp::create(builder, op.getLoc(), image, zeros,
                                        toAttributes(shape),
                                        toAttributes(strides));
}

/// `filter` without the dimensions of its taps.
static Value dropTaps(OpBuilder &builder, Location location, Value filter,
                      ArrayRef<bool> isKept) {
  Value dropped = dropUnits(builder, location, filter, isKept);
  // Later passes look for constants, not for reshapes of them.
  auto constant = filter.getDefiningOp<arith::ConstantOp>();
  if (!constant || !dropped || dropped == filter)
    return dropped;
  auto type = cast<RankedTensorType>(dropped.getType());
  TypedAttr value;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
    value = dense.reshape(type);
  else if (auto resource =
               dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
    value = DenseResourceElementsAttr::get(type, resource.getRawHandle());
  if (!value)
    return dropped;
  dropped.getDefiningOp()->erase();
  return arith::ConstantOp::create(builder, constant.getLoc(), type, value);
}

static void dropTapLoops(RewriterBase &rewriter, LinalgOp op) {
  std::optional<linalg::ConvolutionDimensions> dims = getOneTap(op);
  if (!dims)
    return;
  rewriter.setInsertionPoint(op);
  // The loops over taps run once, at 0.
  SmallVector<AffineExpr> loops;
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (llvm::is_contained(dims->filterLoop, loop)) {
      loops.push_back(rewriter.getAffineConstantExpr(0));
      continue;
    }
    loops.push_back(rewriter.getAffineDimExpr(iterators.size()));
    iterators.push_back(type);
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap image = maps[0];
  // Places of the taps vanish; sliceImage still needs the loops of `op`.
  SmallVector<AffineExpr> zeros;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    zeros.push_back(llvm::is_contained(dims->filterLoop, loop)
                        ? rewriter.getAffineConstantExpr(0)
                        : rewriter.getAffineDimExpr(loop));
  image = simplifyAffineMap(
      image.replaceDimsAndSymbols(zeros, {}, op.getNumLoops(), 0));
  SmallVector<bool> isKept;
  SmallVector<AffineExpr> filter;
  for (AffineExpr expr : maps[1].getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return;
    isKept.push_back(!llvm::is_contained(dims->filterLoop, dim.getPosition()));
    if (isKept.back())
      filter.push_back(dim);
  }
  Value pixels = sliceImage(rewriter, op, image);
  if (!pixels)
    return;
  Value weights = dropTaps(rewriter, op.getLoc(), op.getDpsInputs()[1], isKept);
  if (!weights)
    return;
  maps[0] = image;
  maps[1] = AffineMap::get(op.getNumLoops(), 0, filter, op.getContext());
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(loops, {}, iterators.size(), 0);
  rewriter.replaceOp(op, takeBody(rewriter, op, {pixels, weights},
                                  op.getDpsInits(), maps, iterators));
}

namespace {

struct SimplifyProductsPass
    : mlirprof::codegen::impl::SimplifyProductsPassBase<SimplifyProductsPass> {
  using SimplifyProductsPassBase::SimplifyProductsPassBase;

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) {
      if (op.hasPureTensorSemantics() && op.getNumDpsInputs() == 2 &&
          op.getNumDpsInits() == 1 && !op.hasIndexSemantics() &&
          addsProducts(*op.getBlock()))
        ops.push_back(op);
    });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    for (LinalgOp op : ops) {
      choices.setSource(op);
      op = readSources(rewriter, op);
      // A direct convolution is what was chosen.
      if (!getChoice(op, choice::kAlgorithm, "name"))
        dropTapLoops(rewriter, op);
    }
  }
};

} // namespace
