//===- ApplyRules.cpp - Applying the rules --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Loops/ParallelLoops.h"
#include "../Marks.h"
#include "../Rows/RowTiles.h"
#include "../Winograd/Transforms.h"
#include "Rules.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_APPLYRULESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

llvm::ArrayRef<Rule> codegen::getRules() {
  static const Rule rules[] = {
#define MLIRPROF_RULE(NAME) rule::NAME(),
#include "Rules.def"
  };
  return rules;
}

/// Marks loops that existed before the rules, such as Winograd's, if they are
/// proven parallel. A mark that came with the model is not a proof.
static void markProvenLoops(func::FuncOp function) {
  function.walk([](Operation *op) {
    op->removeDiscardableAttr(kParallelLoop);
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && hasIndependentIterations(loop))
      loop->setDiscardableAttr(kParallelLoop, UnitAttr::get(op->getContext()));
  });
}

namespace {

/// The structured ops of a function, later ones first, while rules erase them.
/// Loops receive the choices of the op from which they are created.
class Worklist : public ChoiceKeeper {
public:
  explicit Worklist(func::FuncOp function) {
    function.walk([&](Operation *op) {
      if (isTransform(op))
        transforms.push_back(op);
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      if (!structured)
        return;
      ops.push_back(op);
      markForSmallNest(structured);
    });
    std::reverse(ops.begin(), ops.end());
    alive.insert(ops.begin(), ops.end());
  }

  void notifyOperationErased(Operation *op) override { alive.erase(op); }

  bool isAlive(Operation *op) const { return alive.contains(op); }
  ArrayRef<Operation *> getOps() const { return ops; }

  /// Turns Winograd's transforms, with their epilogues, into nests.
  void expandTransforms(RewriterBase &rewriter, unsigned vectorBits) {
    for (Operation *op : transforms) {
      setSource(op);
      expandOnBuffers(rewriter, op, vectorBits);
    }
  }

  void eraseDead(RewriterBase &rewriter) {
    for (Operation *op : ops)
      if (isAlive(op) && isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }

private:
  SmallVector<Operation *> ops, transforms;
  DenseSet<Operation *> alive;
};

struct ApplyRulesPass
    : mlirprof::codegen::impl::ApplyRulesPassBase<ApplyRulesPass> {
  using ApplyRulesPassBase::ApplyRulesPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<bufferization::BufferizationDialect>();
    registerDotEffects(registry);
  }

  void runOnOperation() override {
    FailureOr<TargetModel> target = makeTarget(
        *this, getOperation(), vectorBits, vectorRegisters, features, maxError);
    if (failed(target))
      return signalPassFailure();
    markProvenLoops(getOperation());
    tileRows(getOperation(), *target);
    Worklist worklist(getOperation());
    IRRewriter rewriter(&getContext(), &worklist);
    worklist.expandTransforms(rewriter, target->vectorBits);
    for (const Rule &rule : getRules()) {
      for (Operation *op : worklist.getOps()) {
        if (!worklist.isAlive(op))
          continue;
        if (isOpTriviallyDead(op)) {
          rewriter.eraseOp(op);
          continue;
        }
        auto structured = cast<linalg::LinalgOp>(op);
        std::optional<NestFacts> facts = getNestFacts(structured);
        if (!facts || isForSize(structured))
          continue;
        rewriter.setInsertionPoint(op);
        worklist.setSource(op);
        (void)rule.apply(rewriter, structured, *facts, *target);
      }
      worklist.eraseDead(rewriter);
    }
  }
};

} // namespace
