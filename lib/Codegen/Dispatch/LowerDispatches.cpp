//===- LowerDispatches.cpp - The host side of kernels ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunLowering.h"
#include "StepLoop.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/SmallCode.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LOWERDISPATCHESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

/// Erases views and the like of which only dispatches made use. Each takes many
/// steps on its way to LLVM.
static void eraseUnused(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

/// Functions whose code should be small get a loop for most of their runs.
static void lowerToLoops(ModuleOp module, RunLowering &lowering) {
  StepLoop loop(lowering);
  module.walk([&](func::FuncOp function) {
    if (function->removeAttr(kSmallCode))
      for (ArrayRef<RunOp> runs : loop.findSequences(function))
        loop.lower(runs);
  });
}

namespace {
struct LowerDispatchesPass
    : mlirprof::codegen::impl::LowerDispatchesPassBase<LowerDispatchesPass> {
  using LowerDispatchesPassBase::LowerDispatchesPassBase;

  void runOnOperation() override {
    if (failed(checkThreads(*this, getOperation(), threads)))
      return signalPassFailure();
    SmallVector<RunOp> runs;
    getOperation().walk([&](RunOp run) { runs.push_back(run); });
    for (RunOp run : runs) {
      bool isOnBuffers = llvm::none_of(run->getOperandTypes(), [](Type type) {
        return isa<TensorType, UnrankedMemRefType>(type);
      });
      if (!isOnBuffers) {
        run.emitOpError("is not on buffers yet");
        return signalPassFailure();
      }
    }
    RunLowering lowering(getOperation());
    lowering.lowerConstants();
    if (threads > 1)
      lowering.lowerToPrograms();
    else
      lowerToCalls(lowering);
    lowering.replaceDeclarations();
    eraseUnused(getOperation());
  }

private:
  void lowerToCalls(RunLowering &lowering) {
    lowerToLoops(getOperation(), lowering);
    SmallVector<RunOp> runs;
    getOperation().walk([&](RunOp run) { runs.push_back(run); });
    for (RunOp run : runs)
      lowering.lowerToCall(run);
  }
};
} // namespace
