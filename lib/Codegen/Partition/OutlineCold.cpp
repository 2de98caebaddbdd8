//===- OutlineCold.cpp - Outlining code compiled for size -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On buffers, moves neighboring ops that should be small into a function that
// LLVM compiles for size, and that the back end places behind the others. So
// hot code stays close together, and the surrounding function short, which LLVM
// analyzes faster. Branches that no run took are outlined too.
//
// Ops between two such ops (allocations, views and constants) come along, or
// are moved ahead of both. Buffers used only there are allocated and freed in
// the function.
//
//===----------------------------------------------------------------------===//

#include "../Choices/BranchCarrier.h"
#include "../Loops/OrderLoops.h"
#include "../Nest/Plan.h"
#include "OpRun.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_OUTLINECOLDPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Limit on the ops per function. In larger functions LLVM would spend more
/// time per op.
static constexpr size_t kMostOps = 32;
/// A branch must have been seen in this many runs to count as never taken.
static constexpr int32_t kLeastRuns = 8;
/// Part of the functions' names.
static constexpr StringLiteral kSuffix = "cold";

/// Attributes by which LLVM and the back end recognize a function that should
/// be small.
static void markCold(func::FuncOp function) {
  Builder builder(function.getContext());
  function->setAttr(
      "passthrough",
      builder.getStrArrayAttr({"cold", "noinline", "minsize", "optsize"}));
  if (!function.isPublic())
    setInternal(function);
}

static void outline(Block &block) {
  auto isMember = [](Operation *op) {
    return isForSize(op) && op->getNumResults() == 0;
  };
  auto weigh = [](Operation *op) -> size_t { return isForSize(op); };
  llvm::for_each(outlineRuns(block, {kSuffix, isMember, isSmall, weigh,
                                     kMostOps, /*least=*/1}),
                 markCold);
}

static void outlineBranches(func::FuncOp function) {
  auto outlineBranch = [](Region &region) {
    func::CallOp call;
    if (func::FuncOp outlined = outlineRegion(region, kSuffix, call))
      markCold(outlined);
  };
  function.walk([&](scf::IfOp branch) {
    std::optional<BranchCounts> counts =
        getCarriedCounts(branch.getCondition());
    if (!counts)
      return;
    auto isWorthIt = [&](Region &region, int32_t taken, int32_t others) {
      return taken == 0 && others >= kLeastRuns && region.hasOneBlock() &&
             !llvm::hasSingleElement(region.front());
    };
    if (isWorthIt(branch.getThenRegion(), counts->taken, counts->notTaken))
      outlineBranch(branch.getThenRegion());
    if (isWorthIt(branch.getElseRegion(), counts->notTaken, counts->taken))
      outlineBranch(branch.getElseRegion());
  });
}

/// The blocks of `function` with ops optimized for size that are not nested in
/// another such op.
static SmallVector<Block *> getBlocks(func::FuncOp function) {
  llvm::SetVector<Block *> blocks;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function || !isForSize(op))
      return WalkResult::advance();
    blocks.insert(op->getBlock());
    return WalkResult::skip();
  });
  return blocks.takeVector();
}

namespace {

struct OutlineColdPass
    : mlirprof::codegen::impl::OutlineColdPassBase<OutlineColdPass> {
  using OutlineColdPassBase::OutlineColdPassBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isForSize(op))
        ops.push_back(op);
    });
    llvm::for_each(ops, orderLoops);
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isDeclaration())
        continue;
      if (isForSize(function)) {
        markCold(function);
        continue;
      }
      for (Block *block : getBlocks(function))
        outline(*block);
      outlineBranches(function);
    }
  }
};

} // namespace
