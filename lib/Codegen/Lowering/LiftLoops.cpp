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

/// A number or tensor that stands for none; null for other types.
static Value createUnused(OpBuilder &builder, Location location, Type type) {
  if (type.isIntOrIndexOrFloat())
    return arith::ConstantOp::create(builder, location,
                                     builder.getZeroAttr(type));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return Value();
  SmallVector<Value> sizes(
      tensor.getNumDynamicDims(),
      arith::ConstantIndexOp::create(builder, location, 0));
  return tensor::EmptyOp::create(builder, location, tensor, sizes);
}

/// Replaces unused values: poison cannot be bufferized. Those after a loop
/// without an end are used once the loop is removed, because nothing needs it.
static void replacePoison(func::FuncOp function) {
  function.walk([](ub::PoisonOp poison) {
    OpBuilder builder(poison);
    Value unused = createUnused(builder, poison.getLoc(), poison.getType());
    if (!unused)
      return;
    poison.replaceAllUsesWith(unused);
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
