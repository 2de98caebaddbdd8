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
// prof-limit-unrolling puts a hint on the others,
//
//   scf.for ... {mlirprof.parallel}
//
// becomes
//
//   scf.for ... {llvm.loop_annotation = #llvm.loop_annotation<
//       unroll = <disable = true>>}
//
// which upstream's lowerings hand on to the branch that closes the loop as a
// discardable attribute. The translation to LLVM's IR reads the branch's own
// one: prof-loop-annotations moves it there.
//
//===----------------------------------------------------------------------===//

#include "BranchCarrier.h"
#include "LoopAnnotation.h"
#include "Passes.h"
#include "mlir-prof/Compile/Choices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlirprof;

void mlirprof::addLoopHints(Operation *loop, const LoopHints &hints) {
  MLIRContext *context = loop->getContext();
  auto old = loop->getAttrOfType<LLVM::LoopAnnotationAttr>(kLoopAnnotation);
  auto isTrue = BoolAttr::get(context, true);
  LLVM::LoopUnrollAttr unroll = old ? old.getUnroll() : nullptr;
  if (!unroll && (hints.isNotUnrolled || hints.unrollCount)) {
    IntegerAttr count;
    if (!hints.isNotUnrolled)
      count = Builder(context).getI32IntegerAttr(int32_t(hints.unrollCount));
    unroll = LLVM::LoopUnrollAttr::get(
        context, hints.isNotUnrolled ? isTrue : BoolAttr(), count, {}, {}, {},
        {}, {});
  }
  LLVM::LoopVectorizeAttr vectors = old ? old.getVectorize() : nullptr;
  if (!vectors && hints.isNotVectorized)
    vectors =
        LLVM::LoopVectorizeAttr::get(context, isTrue, {}, {}, {}, {}, {}, {});
  if (!old)
    old = LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, {}, {}, {}, {}, {},
                                        {}, {}, {}, {}, {}, {}, {});
  loop->setAttr(kLoopAnnotation,
                LLVM::LoopAnnotationAttr::get(
                    context, old.getDisableNonforced(), vectors,
                    old.getInterleave(), unroll, old.getUnrollAndJam(),
                    old.getLicm(), old.getDistribute(), old.getPipeline(),
                    old.getPeeled(), old.getUnswitch(), old.getMustProgress(),
                    old.getIsVectorized(), old.getStartLoc(), old.getEndLoc(),
                    old.getParallelAccesses()));
}

namespace {

class LimitUnrollingPass
    : public PassWrapper<LimitUnrollingPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LimitUnrollingPass)

  StringRef getArgument() const override { return "prof-limit-unrolling"; }
  StringRef getDescription() const override {
    return "Keep LLVM from unrolling the parallel loops of vectors, which "
           "rules have unrolled as far as registers allow, and take choices "
           "off";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    LoopHints hints;
    hints.isNotUnrolled = true;
    getOperation()->walk([&](scf::ForOp loop) {
      if (!loop->removeAttr(kParallelLoop))
        return;
      // The lowering to branches hands on attributes of this dialect only.
      addLoopHints(loop, hints);
    });
    stripChoices(getOperation());
  }
};

class LoopAnnotationsPass
    : public PassWrapper<LoopAnnotationsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopAnnotationsPass)

  StringRef getArgument() const override { return "prof-loop-annotations"; }
  StringRef getDescription() const override {
    return "Put hints on loops and weights of branches onto the branches of "
           "the LLVM dialect, where the translation looks for them";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
          op->getDiscardableAttr(kLoopAnnotation));
      if (!annotation)
        return;
      op->removeDiscardableAttr(kLoopAnnotation);
      if (auto branch = dyn_cast<LLVM::BrOp>(op))
        branch.setLoopAnnotationAttr(annotation);
      else if (auto condition = dyn_cast<LLVM::CondBrOp>(op))
        condition.setLoopAnnotationAttr(annotation);
    });
    lowerBranchCarriers(getOperation());
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createLoopAnnotationsPass() {
  return std::make_unique<LoopAnnotationsPass>();
}

std::unique_ptr<Pass> mlirprof::createLimitUnrollingPass() {
  return std::make_unique<LimitUnrollingPass>();
}
