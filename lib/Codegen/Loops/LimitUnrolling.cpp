//===- LimitUnrolling.cpp - Loops that LLVM should not unroll -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules unroll as far as registers allow. LLVM fully unrolls a nest of loops
// with constant bounds, each just short enough, from the inside out, into one
// block of thousands of stores, on which its scheduler then spends seconds.
// Reduction loops are short or have few operations, so LLVM may unroll them.
// cpu-limit-unrolling puts a hint on the others,
//
//   scf.for ... {mlirprof.parallel}
//
// becomes
//
//   scf.for ... {llvm.loop_annotation = #llvm.loop_annotation<
//       unroll = <disable = true>>}
//
// which upstream's lowerings pass on to the loop's back edge as a discardable
// attribute. The translation to LLVM IR reads the branch's inherent attribute,
// so cpu-loop-annotations moves the hint there.
//
//===----------------------------------------------------------------------===//

#include "LoopAnnotations.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LIMITUNROLLINGPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

struct LimitUnrollingPass
    : mlirprof::codegen::impl::LimitUnrollingPassBase<LimitUnrollingPass> {
  using LimitUnrollingPassBase::LimitUnrollingPassBase;

  void runOnOperation() override {
    LoopHints hints;
    hints.isNotUnrolled = true;
    getOperation()->walk([&](scf::ForOp loop) {
      if (!loop->removeAttr(kParallelLoop))
        return;
      // The lowering to branches passes on attributes of this dialect only.
      addLoopHints(loop, hints);
    });
    stripChoices(getOperation());
  }
};

} // namespace
