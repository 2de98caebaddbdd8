//===- LiftExtracts.cpp - Extracts at affine positions as inputs ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks reverse a tensor by an op whose body extracts elements:
//
//   %i = linalg.index 0 : index
//   %r = arith.subi %c4, %i : index
//   %v = tensor.extract %t[%r] : tensor<5xf32>
//
// No rule handles that, since an extract may read any element. If the positions
// are sums of indices and constants, the tensor becomes an input with the map
// (d0) -> (4 - d0) instead. An op that then only copies a constant, such as the
// filter of a transposed convolution, is evaluated here.
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

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LIFTEXTRACTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::GenericOp;

/// The indexing map of `extract`, in the body of `op`; null if its positions
/// are not affine.
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

/// Turns the tensors that extracts in the body of `op` read into inputs.
/// Returns the new op; null if nothing was changed.
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
  GenericOp lifted = takeBody(rewriter, op, inputs, maps);
  for (auto [index, pair] : llvm::enumerate(found)) {
    tensor::ExtractOp extract = pair.first;
    Value element = lifted.getBody()->insertArgument(
        first + index, extract.getType(), extract.getLoc());
    rewriter.replaceOp(extract, element);
  }
  eraseUnused(rewriter, *lifted.getBody());
  rewriter.replaceOp(op, lifted);
  return lifted;
}

/// The constant input that `op` copies, if its body only yields the element of
/// an input. A copy that only permutes dimensions stays: matching of weights
/// looks through it, and copying would only duplicate the weights.
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

/// Whether an op with a result of `type` reads a box of `from` by `map`, and
/// the result has at most as many elements as `from`, so that it can be copied
/// at compile time. (Upstream does not lower a resource that is a single
/// number.)
static bool canCopy(RankedTensorType type, RankedTensorType from,
                    AffineMap map) {
  // Broadcasts stay: they may be of any size.
  if (!type.hasStaticShape() || type.getRank() == 0 ||
      llvm::is_contained(type.getShape(), 0) || type.getEncoding() ||
      !isLinear(map) || !countElements(type.getShape(), from.getNumElements()))
    return false;
  return llvm::all_of(llvm::zip_equal(map.getResults(), from.getShape()),
                      [&](auto pair) {
                        auto [place, size] = pair;
                        return fits(place, type.getShape(), size);
                      });
}

/// Copies the constant at compile time, if `op` copies one.
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
