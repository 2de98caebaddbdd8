//===- InlineDispatches.cpp - Calls instead of dispatches -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../SizeCasts.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_INLINEDISPATCHESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

/// Calls the kernel of `run`.
static void callKernel(RunOp run, func::FuncOp kernel) {
  OpBuilder builder(run);
  SmallVector<Value> arguments;
  for (auto [operand, type] :
       llvm::zip_equal(run.getOperands(), kernel.getArgumentTypes()))
    arguments.push_back(castSizes(builder, run.getLoc(), type, operand));
  auto call = func::CallOp::create(builder, run.getLoc(), kernel, arguments);
  // On buffers, what a kernel returns are its destinations.
  if (run.getNumResults() != 0)
    for (auto [result, computed] :
         llvm::zip_equal(run.getResults(), call.getResults()))
      result.replaceAllUsesWith(
          castSizes(builder, run.getLoc(), result.getType(), computed));
  run.erase();
}

/// A call computes everything, like a grid of one workgroup.
static void replaceByConstant(Operation *op, int64_t value) {
  OpBuilder builder(op);
  op->replaceAllUsesWith(
      arith::ConstantIndexOp::create(builder, op->getLoc(), value));
  op->erase();
}

namespace {

struct InlineDispatchesPass
    : mlirprof::codegen::impl::InlineDispatchesPassBase<InlineDispatchesPass> {
  using InlineDispatchesPassBase::InlineDispatchesPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    getOperation().walk([&](RunOp run) {
      callKernel(run, symbols.lookup<func::FuncOp>(run.getKernel()));
    });
    getOperation().walk([](WorkgroupIdOp op) { replaceByConstant(op, 0); });
    getOperation().walk([](WorkgroupCountOp op) { replaceByConstant(op, 1); });
    for (auto function : getOperation().getOps<func::FuncOp>())
      function->removeAttr(DispatchDialect::getKernelAttrName());
  }
};

} // namespace
