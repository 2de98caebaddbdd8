//===- ApplyRules.cpp - Applying the rules --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Rules/Rule.h"
#include "ParallelLoops.h"
#include "Passes.h"
#include "mlir-prof/Compile/Choices.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;

llvm::ArrayRef<Rule> mlirprof::getRules() {
  static const Rule rules[] = {
#define RULE(Name, Description)                                                \
  {#Name, Description, plan##Name, apply##Name##Rule},
#include "../Rules/Rules.def"
  };
  return rules;
}

/// Marks the loops that were there before the rules, as Winograd's are, where
/// it is proven. A mark that the model came with proves nothing.
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
/// Loops get the choices of the op that they are made of.
class Worklist : public ChoiceKeeper {
public:
  explicit Worklist(func::FuncOp function) {
    function.walk([&](linalg::LinalgOp op) {
      ops.push_back(op);
      markForSmallNest(op);
    });
    std::reverse(ops.begin(), ops.end());
    alive.insert(ops.begin(), ops.end());
  }

  void notifyOperationErased(Operation *op) override {
    alive.erase(op);
    loops.remove(op);
  }
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint before) override {
    ChoiceKeeper::notifyOperationInserted(op, before);
    if (isa<scf::ForOp>(op))
      loops.insert(op);
  }

  /// The loops that rules made. Those around register kernels carry tensors,
  /// and each iteration makes its own part of these; loops of reductions carry
  /// vectors and scalars.
  void markParallelLoops() const {
    for (Operation *op : loops)
      if (op->getNumResults() &&
          llvm::all_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
        op->setAttr(kParallelLoop, UnitAttr::get(op->getContext()));
  }

  bool isAlive(Operation *op) const { return alive.contains(op); }
  ArrayRef<Operation *> getOps() const { return ops; }

  void eraseDead(RewriterBase &rewriter) {
    for (Operation *op : ops)
      if (isAlive(op) && isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }

private:
  SmallVector<Operation *> ops;
  DenseSet<Operation *> alive;
  SetVector<Operation *> loops;
};

class ApplyRulesPass
    : public PassWrapper<ApplyRulesPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApplyRulesPass)

  explicit ApplyRulesPass(const TargetModel &target) : target(target) {}

  StringRef getArgument() const override { return "prof-apply-rules"; }
  StringRef getDescription() const override {
    return "Make loops of vectors out of structured ops on tensors";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect, scf::SCFDialect,
                    tensor::TensorDialect, vector::VectorDialect>();
    registerDotEffects(registry);
  }

  void runOnOperation() override {
    markProvenLoops(getOperation());
    Worklist worklist(getOperation());
    IRRewriter rewriter(&getContext(), &worklist);
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
        (void)rule.apply(rewriter, structured, *facts, target);
      }
      worklist.eraseDead(rewriter);
    }
    worklist.markParallelLoops();
  }

private:
  TargetModel target;
};

} // namespace

std::unique_ptr<Pass>
mlirprof::createApplyRulesPass(const TargetModel &target) {
  return std::make_unique<ApplyRulesPass>(target);
}
