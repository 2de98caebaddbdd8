//===- LiftLoops.cpp - Lifting branches to structured loops ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The upstream pass that frees buffers handles structured loops only.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SCCIterator.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LIFTLOOPSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static bool hasLoopOfBlocks(Region &region) {
  if (region.empty())
    return false;
  for (auto component = llvm::scc_begin(&region); !component.isAtEnd();
       ++component)
    if (component.hasCycle())
      return true;
  return false;
}

/// Replaces unused tensor values by empty tensors: poison cannot be bufferized.
static void replacePoison(func::FuncOp function) {
  function.walk([](ub::PoisonOp poison) {
    auto type = dyn_cast<RankedTensorType>(poison.getType());
    if (!type)
      return;
    OpBuilder builder(poison);
    SmallVector<Value> sizes(
        type.getNumDynamicDims(),
        arith::ConstantIndexOp::create(builder, poison.getLoc(), 0));
    poison.replaceAllUsesWith(
        tensor::EmptyOp::create(builder, poison.getLoc(), type, sizes)
            .getResult());
    poison.erase();
  });
}

namespace {

struct LiftLoopsPass
    : mlirprof::codegen::impl::LiftLoopsPassBase<LiftLoopsPass> {
  using LiftLoopsPassBase::LiftLoopsPassBase;

  void runOnOperation() override {
    if (!hasLoopOfBlocks(getOperation().getBody()))
      return;
    OpPassManager passes(func::FuncOp::getOperationName());
    passes.addPass(createLiftControlFlowToSCFPass());
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    replacePoison(getOperation());
  }
};

} // namespace
