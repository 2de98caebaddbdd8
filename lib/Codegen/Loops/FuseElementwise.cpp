//===- FuseElementwise.cpp - Fusing elementwise ops -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two consecutive ops write and read an array between them that need not exist:
//
//   %a = linalg.exp ins(%x) outs(%e)
//   %b = linalg.add ins(%a, %y) outs(%e)
//
// becomes one linalg.generic that adds exp(%x) and %y. Upstream fuses wherever
// it can, which recomputes a producer that is read by two ops, or several times
// along a broadcast. This pass fuses only if each element is still computed
// once, or the producer only widens elements; and not if the producer narrows
// the results of a product that would be stored as they are. The choice
// `fusion` overrides that for an op: {with = "none"} leaves it unfused, {with =
// "all"} fuses it into each of its readers.
//
//===----------------------------------------------------------------------===//

#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Whether each point of the consumer reads another point of the producer, all
/// points are read, and there are no other readers: each is still computed once
/// after fusion.
static bool isReadOnce(OpOperand *operand) {
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  Operation *producer = operand->get().getDefiningOp();
  if (!consumer || !producer || !producer->hasOneUse())
    return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  return map.isPermutation() && map.getNumResults() == consumer.getNumLoops();
}

/// Whether the producer of `operand` only widens elements, and the reader,
/// which is not a product, reads each once: to load narrow elements and to
/// widen them again is less than to load what another op has stored.
static bool isWidened(OpOperand *operand) {
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!consumer || !producer || producer.getNumDpsInputs() != 1 ||
      producer.getNumReductionLoops() != 0 ||
      addsProducts(*consumer.getBlock()))
    return false;
  Block &body = *producer.getBlock();
  auto isOnlyOp = [&](Operation &op) {
    return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op) &&
           op.getOperand(0) == body.getArgument(0) &&
           body.getTerminator()->getOperand(0) == op.getResult(0);
  };
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  return llvm::hasSingleElement(body.without_terminator()) &&
         isOnlyOp(body.front()) && map.isPermutation() &&
         map.getNumResults() == consumer.getNumLoops() &&
         llvm::all_of(producer.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
}

/// Whether the producer of `operand` only extracts elements, and all that use
/// them are ops that need each once: it is less to extract them again than to
/// load what another op has stored.
static bool isExtracted(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!producer || producer->getNumResults() != 1 ||
      !producer.getBody()
           ->getTerminator()
           ->getOperand(0)
           .getDefiningOp<tensor::ExtractOp>())
    return false;
  for (Operation &op : producer.getBody()->without_terminator())
    if (!isa<tensor::ExtractOp, linalg::IndexOp, arith::IndexCastOp,
             arith::ConstantOp>(op))
      return false;
  return llvm::all_of(operand->get().getUses(), [](OpOperand &use) {
    auto consumer = dyn_cast<linalg::GenericOp>(use.getOwner());
    return consumer && consumer.getNumReductionLoops() == 0 &&
           consumer.isDpsInput(&use) &&
           consumer.getMatchingIndexingMap(&use).isPermutation();
  });
}

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// A product or convolution, and elementwise ops on its results, each the only
/// reader of the one before.
struct ProductChain {
  Operation *product;
  SmallVector<linalg::GenericOp> ops;
};

/// The chain that ends with the producer of `operand`, if there is one.
static std::optional<ProductChain> findChain(OpOperand &operand) {
  ProductChain chain;
  for (OpOperand *use = &operand; use && isReadOnce(use);) {
    auto op = use->get().getDefiningOp<linalg::LinalgOp>();
    if (op && op.getNumReductionLoops() != 0) {
      chain.product = op;
      return chain;
    }
    auto generic = use->get().getDefiningOp<linalg::GenericOp>();
    if (!generic || generic.getNumDpsInputs() == 0)
      break;
    chain.ops.push_back(generic);
    // Other inputs are numbers for each channel.
    use = generic.getDpsInputOperand(0);
  }
  return std::nullopt;
}

/// The op of `chain` with the narrowest results, if they are narrower than
/// those of the product.
static linalg::GenericOp findNarrowest(const ProductChain &chain) {
  auto getBits = [](Operation *op) {
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  };
  unsigned least = getBits(chain.product);
  linalg::GenericOp narrowest;
  for (linalg::GenericOp op : chain.ops)
    if (getBits(op) < least) {
      least = getBits(op);
      narrowest = op;
    }
  return narrowest;
}

/// Appends the ops that narrow results of products before `join` reads them
/// together with those of a later one. A nest computes the epilogues of one
/// product, so the results of others are stored: they should be narrow.
static void findStored(linalg::GenericOp join,
                       SmallVectorImpl<linalg::GenericOp> &stored) {
  SmallVector<ProductChain> chains;
  for (OpOperand *operand : join.getDpsInputOperands())
    if (std::optional<ProductChain> chain = findChain(*operand);
        chain && chain->product->getBlock() == join->getBlock())
      chains.push_back(std::move(*chain));
  llvm::sort(chains, [](const ProductChain &a, const ProductChain &b) {
    return a.product->isBeforeInBlock(b.product);
  });
  for (const ProductChain &chain : ArrayRef(chains).drop_back(!chains.empty()))
    if (linalg::GenericOp op = findNarrowest(chain))
      stored.push_back(op);
}

/// The parameter of a choice that this pass makes, and takes back at its end.
static constexpr StringLiteral kByRule = "by-rule";

/// Keeps ops whose results should be stored from being fused into their
/// readers, unless there is a choice for them.
static void keepStored(func::FuncOp function) {
  SmallVector<linalg::GenericOp> stored;
  function->walk([&](linalg::GenericOp op) { findStored(op, stored); });
  for (linalg::GenericOp op : stored)
    if (!getChoice(op, choice::kFusion, "with"))
      setChoice(op, choice::kFusion, {{"with", "none"}, {kByRule.str(), ""}});
}

static void removeOwnChoices(func::FuncOp function) {
  function->walk([](linalg::GenericOp op) {
    if (getChoice(op, choice::kFusion, kByRule))
      setChoice(op, choice::kFusion, {});
  });
}

/// Whether the producer of `operand` is fused into its reader: by the
/// producer's choice, or else by the rules above.
static bool isFused(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  std::optional<StringRef> chosen =
      producer ? getChoice(producer, choice::kFusion, "with") : std::nullopt;
  if (chosen == "none")
    return false;
  return chosen == "all" || isReadOnce(operand) || isWidened(operand) ||
         isExtracted(operand);
}

/// The value from around `op` that it stores everywhere; null if there is none.
static Value getFilling(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      !op.hasPureTensorSemantics() ||
      !op.getBlock()->without_terminator().empty() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return {};
  Value value = op.getBlock()->getTerminator()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == op.getBlock() ? Value() : value;
}

/// Upstream folds a constant with equal elements into the op that broadcasts
/// it. As a fill, each reader of the result makes it for itself.
static void restoreFill(RewriterBase &rewriter, linalg::GenericOp op) {
  if (Value value = getFilling(op)) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, value,
                                                op.getDpsInits().front());
  }
}

namespace {

/// Upstream's fusion, extended to keep the choices of the ops.
class FuseWithChoices : public OpRewritePattern<linalg::GenericOp> {
public:
  explicit FuseWithChoices(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      if (!isFused(&operand) || !linalg::areElementwiseOpsFusable(&operand))
        continue;
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, &operand);
      if (failed(fused))
        return failure();
      copyChoices(op, fused->fusedOp);
      copyChoices(producer, fused->fusedOp, choice::kFusion);
      for (auto [before, after] : fused->replacements)
        rewriter.replaceUsesWithIf(before, after, [&](OpOperand &use) {
          return use.get().getDefiningOp() != producer;
        });
      rewriter.eraseOp(op);
      return success();
    }
    return failure();
  }
};

struct FuseElementwisePass
    : mlirprof::codegen::impl::FuseElementwisePassBase<FuseElementwisePass> {
  using FuseElementwisePassBase::FuseElementwisePassBase;

  void runOnOperation() override {
    // Upstream's fusion handles linalg.generic only.
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> named;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) &&
          op.getNumReductionLoops() == 0 && op.hasPureTensorSemantics())
        named.push_back(op);
    });
    ChoiceKeeper choices;
    rewriter.setListener(&choices);
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      choices.setSource(op);
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
    keepStored(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseWithChoices>(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, isFused);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    GreedyRewriteConfig config;
    // Graphs of tensors do not have blocks to simplify.
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    removeOwnChoices(getOperation());
    getOperation()->walk([&](linalg::GenericOp op) {
      choices.setSource(op);
      restoreFill(rewriter, op);
    });
  }
};

} // namespace
