//===- Canonicalize.cpp - Canonicalization that keeps choices -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's canonicalization rebuilds a branch or loop to drop an unused
// result, which loses its attributes. This pass runs instead, up to the pass
// that reads the choices of branches.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CANONICALIZEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

struct CanonicalizePass
    : mlirprof::codegen::impl::CanonicalizePassBase<CanonicalizePass> {
  using CanonicalizePassBase::CanonicalizePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    patterns = std::move(all);
    return success();
  }

  void runOnOperation() override {
    RebuildKeeper keeper;
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    config.setListener(&keeper);
    // Graphs of tensors do not have blocks to simplify.
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    // As in upstream: IR that has not converged is just as valid.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
