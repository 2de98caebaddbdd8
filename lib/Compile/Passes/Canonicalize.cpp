//===- Canonicalize.cpp - Canonicalization that keeps choices -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's canonicalization rebuilds a branch or loop to drop a result that
// nobody uses, and what stands on it as an attribute is gone. Between the
// choices and the pass that reads those of branches this one is run instead.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir-prof/Compile/Choices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlirprof;

namespace {

class CanonicalizePass : public PassWrapper<CanonicalizePass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CanonicalizePass)

  StringRef getArgument() const override { return "prof-canonicalize"; }
  StringRef getDescription() const override {
    return "Canonicalize, and keep the choices of branches and loops";
  }

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
    // As upstream: what has not come to rest is as good.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace

std::unique_ptr<Pass> mlirprof::createCanonicalizePass() {
  return std::make_unique<CanonicalizePass>();
}
