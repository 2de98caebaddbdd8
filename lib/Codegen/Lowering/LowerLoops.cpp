//===- LowerLoops.cpp - Lowering loops to branches ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies upstream's patterns in a different order. Each pattern splits the
// block behind its loop, which moves all ops that follow. In order from the
// first loop, that is quadratic in the model's size, and upstream's driver
// records each move: 8 GB for a model of 2,000 ops. In order from the last
// loop, only the ops up to the next loop move.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LOWERLOOPSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Ops of scf that are lowered, as in upstream's pass.
static bool isLowered(Operation *op) {
  return isa<scf::ForallOp, scf::ForOp, scf::IfOp, scf::IndexSwitchOp,
             scf::ParallelOp, scf::WhileOp, scf::ExecuteRegionOp>(op);
}

template <typename OpT>
static bool isKind(Operation *op) {
  return isa<OpT>(op);
}

namespace {

struct LowerLoopsPass
    : mlirprof::codegen::impl::LowerLoopsPassBase<LowerLoopsPass> {
  using LowerLoopsPassBase::LowerLoopsPassBase;

  void runOnOperation() override {
    RewritePatternSet set(&getContext());
    populateSCFToControlFlowConversionPatterns(set);
    FrozenRewritePatternSet patterns(std::move(set));
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    // Parallel loops become plain loops first, while their bodies are single
    // blocks.
    for (auto *isMeant :
         {isKind<scf::ForallOp>, isKind<scf::ParallelOp>, isLowered})
      if (!lowerAll(isMeant, applicator))
        return signalPassFailure();
  }

private:
  using Filter = bool (*)(Operation *);

  /// Lowers ops until there are none for which `isMeant`. False if an op cannot
  /// be lowered.
  bool lowerAll(Filter isMeant, PatternApplicator &applicator) {
    while (std::optional<bool> isDone = lowerOnce(isMeant, applicator))
      if (*isDone)
        return true;
    return false;
  }

  /// Lowers the existing ops. Returns true if there was nothing to lower; none
  /// if an op cannot be lowered.
  std::optional<bool> lowerOnce(Filter isMeant, PatternApplicator &applicator) {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isMeant(op))
        ops.push_back(op);
    });
    // The reverse walk visits the last of neighboring loops first, and loops
    // before their nested loops, as the patterns expect.
    PatternRewriter rewriter(&getContext());
    for (Operation *op : llvm::reverse(ops)) {
      rewriter.setInsertionPoint(op);
      if (failed(applicator.matchAndRewrite(op, rewriter))) {
        op->emitOpError("cannot be lowered to branches");
        return std::nullopt;
      }
    }
    return ops.empty();
  }
};

} // namespace
