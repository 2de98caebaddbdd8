//===- LowerLoops.cpp - From loops to branches ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns in an order of ours. Each of them splits a block behind
// its loop, for which all that follows has to move; from the first loop on that
// is the square of the model's size, and upstream's driver keeps a record of
// each move: 8 GB for a model of 2,000 ops. From the last loop on, what follows
// reaches to the next loop only.
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

/// Ops of scf that are lowered, as upstream's pass has them.
static bool isLowered(Operation *op) {
  return isa<scf::ForallOp, scf::ForOp, scf::IfOp, scf::IndexSwitchOp,
             scf::ParallelOp, scf::WhileOp, scf::ExecuteRegionOp>(op);
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
    // Loops for threads become plain ones first.
    while (std::optional<bool> isDone = lowerOnce(applicator))
      if (*isDone)
        return;
    signalPassFailure();
  }

private:
  /// Lowers what there is. Tells whether that was nothing; none when an op
  /// cannot be lowered.
  std::optional<bool> lowerOnce(PatternApplicator &applicator) {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isLowered(op))
        ops.push_back(op);
    });
    // Backwards that is the last of neighbors first, and loops before those in
    // them, as the patterns are used to.
    PatternRewriter rewriter(&getContext());
    for (Operation *op : llvm::reverse(ops)) {
      rewriter.setInsertionPoint(op);
      if (failed(applicator.matchAndRewrite(op, rewriter))) {
        op->emitOpError("cannot be taken to branches");
        return std::nullopt;
      }
    }
    return ops.empty();
  }
};

} // namespace
