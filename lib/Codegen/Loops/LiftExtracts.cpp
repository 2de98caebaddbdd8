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

#include "../Constants/Weights.h"
#include "GenericOps.h"
#include "Places.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LIFTEXTRACTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::GenericOp;

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
    AffineExpr place = findPlace(index, op);
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
  GenericOp lifted =
      takeBody(rewriter, cast<linalg::LinalgOp>(op.getOperation()), inputs,
               op.getDpsInits(), maps, op.getIteratorTypesArray());
  lifted.setDocAttr(op.getDocAttr());
  lifted.setLibraryCallAttr(op.getLibraryCallAttr());
  // Nothing that was chosen is carried out by this.
  lifted->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [index, pair] : llvm::enumerate(found)) {
    tensor::ExtractOp extract = pair.first;
    Value element = lifted.getBody()->insertArgument(
        first + index, extract.getType(), extract.getLoc());
    rewriter.replaceOp(extract, element);
  }
  // Passes that follow take indices in a body for ones that it needs.
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(*lifted.getBody())))
    if (isOpTriviallyDead(&inner))
      rewriter.eraseOp(&inner);
  rewriter.replaceOp(op, lifted);
  return lifted;
}

/// The constant that `op` copies: all that it does is to yield the element of
/// an input. Where that changes nothing but the order of dimensions it stays:
/// who looks for weights sees them through that, and a copy would only be more.
static std::optional<unsigned> getCopiedInput(GenericOp op) {
  auto yielded = op->getNumResults() == 1
                     ? dyn_cast<BlockArgument>(
                           op.getBody()->getTerminator()->getOperand(0))
                     : BlockArgument();
  if (!yielded || yielded.getOwner() != op.getBody() ||
      yielded.getArgNumber() >= op.getNumDpsInputs() ||
      op.getNumReductionLoops() != 0 || !wouldOpBeTriviallyDead(op) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.getIndexingMapsArray()[yielded.getArgNumber()].isPermutation())
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

/// Whether all that an op with a result of `type` reads of `from` by `map` is
/// a box of it, no more than there is, so that it can be copied now. (Upstream
/// lowers no resource that is a single number.)
static bool canCopy(RankedTensorType type, RankedTensorType from,
                    AffineMap map) {
  // What repeats elements stays: it may be of any size.
  if (!type.hasStaticShape() || type.getRank() == 0 ||
      llvm::is_contained(type.getShape(), 0) || type.getEncoding() ||
      !isLinear(map) || !hasAtMost(type, from.getNumElements()))
    return false;
  return llvm::all_of(llvm::zip_equal(map.getResults(), from.getShape()),
                      [&](auto pair) {
                        auto [place, size] = pair;
                        return fits(place, type.getShape(), size);
                      });
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
  if (!canCopy(type, from, map))
    return;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(
      op, type, copyWeights(*weights, type, map));
}

namespace {

struct LiftExtractsPass
    : mlirprof::codegen::impl::LiftExtractsPassBase<LiftExtractsPass> {
  using LiftExtractsPassBase::LiftExtractsPassBase;

  void runOnOperation() override {
    SmallVector<GenericOp> ops;
    getOperation()->walk([&](GenericOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (GenericOp op : ops) {
      if (GenericOp lifted = lift(rewriter, op))
        op = lifted;
      foldCopy(rewriter, op);
    }
  }
};

} // namespace
