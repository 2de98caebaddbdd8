//===- SmallNests.cpp - Vectors for ops optimized for size ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On buffers, an op optimized for size gets the loops that the rules would
// create, but with one vector per step and at most a few rows: little code, yet
// not an order of magnitude slower than the rules' code if the op turns out to
// be hot on an input that the profile has not seen.
//
// The pass runs after bufferization, whose analysis of loops on tensors takes
// most of the time to compile a large model, so that bufferization sees one op
// instead. Overlapping buffers would rule these loops out. Bufferization does
// not create harmful overlaps, so ops that were on tensors are known to be safe
// (markForSmallNest).
//
//===----------------------------------------------------------------------===//

#include "../Marks.h"
#include "../Nest/Nest.h"
#include "../Rules/Rules.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SMALLNESTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Rows per step: independent sums that do not wait for each other.
static constexpr int64_t kMostRows = 4;

/// The largest number of rows per step that does not leave a rest.
static int64_t getRows(const NestPlan &plan, const NestFacts &facts) {
  if (!plan.rowDim || ShapedType::isDynamic(facts.sizes[*plan.rowDim]))
    return 1;
  int64_t rows = std::min(plan.rowsPerStep, kMostRows);
  while (facts.sizes[*plan.rowDim] % rows != 0)
    --rows;
  return rows;
}

/// The rule's plan for `op`, reduced in size.
static std::optional<NestPlan> planSmall(linalg::LinalgOp op,
                                         const NestFacts &facts,
                                         const TargetModel &target) {
  for (const Rule &rule : getRules()) {
    std::optional<NestPlan> plan = rule.plan(op, facts, target);
    if (!plan)
      continue;
    // Block transposes become single elements here, and so do grouped products.
    bool isBlock = facts.reductionDims.empty() && plan->rowDim;
    if (isBlock || plan->dot)
      return std::nullopt;
    plan->vectorsPerStep = 1;
    plan->isOneLoop = true;
    plan->rowsPerStep = getRows(*plan, facts);
    return plan;
  }
  return std::nullopt;
}

namespace {

struct SmallNestsPass
    : mlirprof::codegen::impl::SmallNestsPassBase<SmallNestsPass> {
  using SmallNestsPassBase::SmallNestsPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target = makeTarget(
        *this, getOperation(), vectorBits, vectorRegisters, features, maxError);
    if (failed(target))
      return signalPassFailure();
    SmallVector<std::pair<linalg::LinalgOp, LoopKind>> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op->removeDiscardableAttr(kCopy))
        ops.push_back({op, LoopKind::Parallel});
      else if (op->removeDiscardableAttr(kSmallNest) && isForSize(op))
        ops.push_back({op, LoopKind::Sequential});
    });
    IRRewriter rewriter(&getContext());
    for (auto [op, kind] : ops) {
      std::optional<NestFacts> facts = getBufferNestFacts(op);
      if (!facts)
        continue;
      rewriter.setInsertionPoint(op);
      if (std::optional<NestPlan> plan = planSmall(op, *facts, *target))
        emitNest(rewriter, op, {}, *plan, kind);
    }
  }
};

} // namespace

void codegen::markForSmallNest(linalg::LinalgOp op) {
  op->removeDiscardableAttr(kSmallNest);
  if (op.hasPureTensorSemantics() && isForSize(op))
    op->setDiscardableAttr(kSmallNest, UnitAttr::get(op->getContext()));
}
