//===- LimitUnrolling.cpp - Loops that LLVM is to leave as they are -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules unroll as far as registers allow. LLVM takes a nest of loops with
// constant bounds, each just short enough, apart from the inside out, into one
// block of thousands of stores, for which its scheduler then takes seconds.
// Loops of reductions are short or have few operations: they stay with LLVM.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir-prof/Compile/Choices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// As upstream's lowerings from loops to branches know it. A branch of the LLVM
/// dialect gets it under this name, which the translation does not look at.
static constexpr StringLiteral kAnnotation = "llvm.loop_annotation";

namespace {

class LimitUnrollingPass
    : public PassWrapper<LimitUnrollingPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LimitUnrollingPass)

  StringRef getArgument() const override { return "prof-limit-unrolling"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    auto isDisabled = BoolAttr::get(context, true);
    auto unroll =
        LLVM::LoopUnrollAttr::get(context, isDisabled, {}, {}, {}, {}, {}, {});
    auto annotation =
        LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                      {}, {}, {}, {}, {}, {}, {}, {});
    getOperation()->walk([&](scf::ForOp loop) {
      if (!loop->removeAttr(mlirprof::kParallelLoop))
        return;
      // The lowering to branches hands on attributes of this dialect only.
      loop->setAttr(kAnnotation, annotation);
    });
    mlirprof::stripChoices(getOperation());
  }
};

class LoopAnnotationsPass
    : public PassWrapper<LoopAnnotationsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopAnnotationsPass)

  StringRef getArgument() const override { return "prof-loop-annotations"; }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
          op->getDiscardableAttr(kAnnotation));
      if (!annotation)
        return;
      op->removeDiscardableAttr(kAnnotation);
      if (auto branch = dyn_cast<LLVM::BrOp>(op))
        branch.setLoopAnnotationAttr(annotation);
      else if (auto condition = dyn_cast<LLVM::CondBrOp>(op))
        condition.setLoopAnnotationAttr(annotation);
    });
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createLoopAnnotationsPass() {
  return std::make_unique<LoopAnnotationsPass>();
}

std::unique_ptr<Pass> mlirprof::createLimitUnrollingPass() {
  return std::make_unique<LimitUnrollingPass>();
}
