//===- LoopAnnotations.cpp - Hints on loops for LLVM ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopAnnotations.h"
#include "../Choices/BranchCarrier.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LOOPANNOTATIONSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

void codegen::addLoopHints(Operation *loop, const LoopHints &hints) {
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
struct LoopAnnotationsPass
    : mlirprof::codegen::impl::LoopAnnotationsPassBase<LoopAnnotationsPass> {
  using LoopAnnotationsPassBase::LoopAnnotationsPassBase;

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
