//===- InlineDispatches.cpp - Calls instead of dispatches -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_INLINEDISPATCHESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::dispatch;

/// Calls the kernel of `run`. On buffers its results, if it still returns its
/// destinations, are not used.
static void callKernel(RunOp run, func::FuncOp kernel) {
  OpBuilder builder(run);
  auto call =
      func::CallOp::create(builder, run.getLoc(), kernel, run.getOperands());
  if (run.getNumResults() != 0)
    run.replaceAllUsesWith(call.getResults());
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
