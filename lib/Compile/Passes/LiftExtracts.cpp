//===- LiftExtracts.cpp - Elements at places that are known ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks write a tensor in reverse as an op whose body picks elements:
//
//   %i = linalg.index 0 : index
//   %r = arith.subi %c4, %i : index
//   %v = tensor.extract %t[%r] : tensor<5xf32>
//
// No rule takes that, since what an extract reads may be anywhere. Where the
// places are sums of indices and constants, the tensor becomes an input with
// the map (d0) -> (4 - d0) instead. What does nothing but copy a constant then,
// as the filters of transposed convolutions are, is copied here.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Weights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using linalg::GenericOp;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// `index`, in the body of an op, as an expression of its loops; null when it
/// is something else than sums of them and constants.
static AffineExpr getPlace(Value index, Block *body, unsigned depth = 0) {
  // The way up doubles with each op whose operands are the same.
  constexpr unsigned kMostDepth = 6;
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), index.getContext());
  Operation *op = index.getDefiningOp();
  if (!op || depth == kMostDepth)
    return nullptr;
  // (One of an op around it is of another loop.)
  if (auto loop = dyn_cast<linalg::IndexOp>(op);
      loop && loop->getBlock() == body)
    return getAffineDimExpr(loop.getDim(), index.getContext());
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
      !index.getType().isIndex())
    return nullptr;
  AffineExpr left = getPlace(op->getOperand(0), body, depth + 1),
             right = getPlace(op->getOperand(1), body, depth + 1);
  if (!left || !right)
    return nullptr;
  if (isa<arith::AddIOp>(op))
    return left + right;
  if (isa<arith::SubIOp>(op))
    return left - right;
  bool isLinear = left.isSymbolicOrConstant() || right.isSymbolicOrConstant();
  return isLinear ? left * right : nullptr;
}

/// Whether `place`, a linear expression, stays in [0, size) in loops of
/// `sizes`, and goes through all of it when it is a loop itself.
static bool fits(AffineExpr place, ArrayRef<int64_t> sizes, int64_t size) {
  if (auto loop = dyn_cast<AffineDimExpr>(place))
    return sizes[loop.getPosition()] == size;
  AffineMap map = AffineMap::get(sizes.size(), 0, place);
  SmallVector<int64_t> point(sizes.size(), 0);
  int64_t start = map.compose(point).front(), least = start, most = start;
  // (Where numbers wrap, so they do when the code runs.)
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    point[dim] = 1;
    int64_t step = 0, moved = 0;
    bool overflows = llvm::SubOverflow(map.compose(point).front(), start, step);
    overflows |= llvm::MulOverflow(step, sizes[dim] - 1, moved);
    int64_t &end = moved < 0 ? least : most;
    overflows |= llvm::AddOverflow(end, moved, end) != 0;
    if (overflows)
      return false;
    point[dim] = 0;
  }
  return least >= 0 && most < size;
}

/// The map of what `extract`, in the body of `op`, reads; null where there is
/// none.
static AffineMap getMap(GenericOp op, tensor::ExtractOp extract) {
  RankedTensorType type = extract.getTensor().getType();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (!type.hasStaticShape() || llvm::any_of(sizes, ShapedType::isDynamic) ||
      llvm::is_contained(sizes, 0) ||
      op->isAncestor(extract.getTensor().getParentBlock()->getParentOp()))
    return AffineMap();
  SmallVector<AffineExpr> places;
  for (auto [index, size] :
       llvm::zip_equal(extract.getIndices(), type.getShape())) {
    AffineExpr place = getPlace(index, op.getBody());
    if (!place || !fits(place, sizes, size))
      return AffineMap();
    places.push_back(place);
  }
  return AffineMap::get(sizes.size(), 0, places, op.getContext());
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Makes what the extracts in the body of `op` read inputs. Returns the op that
/// it became; null when there is none.
static GenericOp lift(IRRewriter &rewriter, GenericOp op) {
  SmallVector<std::pair<tensor::ExtractOp, AffineMap>> found;
  for (auto extract : op.getBody()->getOps<tensor::ExtractOp>())
    if (AffineMap map = getMap(op, extract))
      found.push_back({extract, map});
  if (found.empty() || !op.hasPureTensorSemantics())
    return nullptr;
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned first = inputs.size();
  for (auto [index, pair] : llvm::enumerate(found)) {
    inputs.push_back(pair.first.getTensor());
    maps.insert(maps.begin() + first + index, pair.second);
  }
  rewriter.setInsertionPoint(op);
  auto lifted =
      GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(), inputs,
                        op.getDpsInits(), maps, op.getIteratorTypesArray());
  lifted.setDocAttr(op.getDocAttr());
  lifted.setLibraryCallAttr(op.getLibraryCallAttr());
  // Nothing that was chosen is carried out by this.
  lifted->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getRegion(), lifted.getRegion(),
                              lifted.getRegion().begin());
  for (auto [index, pair] : llvm::enumerate(found)) {
    tensor::ExtractOp extract = pair.first;
    Value element = lifted.getBody()->insertArgument(
        first + index, extract.getType(), extract.getLoc());
    rewriter.replaceOp(extract, element);
  }
  rewriter.replaceOp(op, lifted);
  return lifted;
}

/// The constant that `op` copies: all that it does is to yield the element of
/// an input.
static std::optional<unsigned> getCopiedInput(GenericOp op) {
  auto yielded = op->getNumResults() == 1
                     ? dyn_cast<BlockArgument>(
                           op.getBody()->getTerminator()->getOperand(0))
                     : BlockArgument();
  if (!yielded || yielded.getOwner() != op.getBody() ||
      yielded.getArgNumber() >= op.getNumDpsInputs() ||
      op.getNumReductionLoops() != 0 || !wouldOpBeTriviallyDead(op) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  return yielded.getArgNumber();
}

/// Whether tensors of `type` have at most `most` elements.
static bool hasAtMost(RankedTensorType type, int64_t most) {
  int64_t count = 1;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(count, size, count) || count > most)
      return false;
  return true;
}

/// Whether all places of `map` are sums of multiples of loops and constants.
static bool isLinear(AffineMap map) {
  bool hasDivision = false;
  map.walkExprs([&](AffineExpr expr) {
    AffineExprKind kind = expr.getKind();
    hasDivision |= kind == AffineExprKind::Mod ||
                   kind == AffineExprKind::FloorDiv ||
                   kind == AffineExprKind::CeilDiv;
  });
  return !hasDivision;
}

/// Copies the constant now, where `op` copies one.
static void foldCopy(IRRewriter &rewriter, GenericOp op) {
  std::optional<unsigned> input = getCopiedInput(op);
  if (!input)
    return;
  std::optional<Weights> weights = findWeights(op.getDpsInputs()[*input]);
  if (!weights)
    return;
  auto type = cast<RankedTensorType>(op->getResultTypes()[0]);
  AffineMap map = op.getIndexingMapsArray()[*input];
  auto from = cast<RankedTensorType>(op.getDpsInputs()[*input].getType());
  // What repeats elements stays: it may be of any size.
  if (!type.hasStaticShape() || type.getEncoding() || !isLinear(map) ||
      !hasAtMost(type, from.getNumElements()))
    return;
  // The place is linear in the loops: where it begins, and how it moves.
  SmallVector<int64_t> zeros(map.getNumDims(), 0), steps;
  auto getOffset = [&](ArrayRef<int64_t> point) {
    SmallVector<int64_t> places = map.compose(point);
    int64_t offset = 0;
    for (auto [place, stride] : llvm::zip_equal(places, weights->strides))
      offset += place * stride;
    return offset;
  };
  int64_t start = getOffset(zeros);
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim) {
    SmallVector<int64_t> point = zeros;
    point[dim] = 1;
    steps.push_back(getOffset(point) - start);
  }
  unsigned bytes = type.getElementTypeBitWidth() / 8;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      size_t(type.getNumElements()) * bytes, /*align=*/64,
      /*dataIsMutable=*/true);
  char *target = blob.getMutableData().data();
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    int64_t offset = start;
    for (auto [at, step] : llvm::zip_equal(delinearize(i, strides), steps))
      offset += at * step;
    std::memcpy(target + i * bytes, weights->bytes.data() + offset * bytes,
                bytes);
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(
      op, type,
      DenseResourceElementsAttr::get(type, "copied", std::move(blob)));
}

namespace {

class LiftExtractsPass
    : public PassWrapper<LiftExtractsPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LiftExtractsPass)

  StringRef getArgument() const override { return "prof-lift-extracts"; }
  StringRef getDescription() const override {
    return "Make inputs of tensors whose elements the body of an op picks at "
           "places that are sums of its indices, and copy constants that are "
           "only copied";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect>();
  }

  void runOnOperation() override {
    SmallVector<GenericOp> ops;
    getOperation()->walk([&](GenericOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (GenericOp op : ops)
      if (GenericOp lifted = lift(rewriter, op))
        foldCopy(rewriter, lifted);
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createLiftExtractsPass() {
  return std::make_unique<LiftExtractsPass>();
}
