//===- RepeatFills.cpp - A fill for each tensor that starts from it -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Padded tensors of one size have equal borders, which are one value of the
// host side. A dispatch that writes into the middle of it while others need it
// would start from a copy of it all, and keep the border alive until the last
// of them has run. To fill a border again takes less than the copy.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_REPEATFILLSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using dispatch::RunOp;

/// Whether `run` reads numbers only, and writes to new tensors of known size.
static bool isFill(RunOp run) {
  bool readsNumbers = llvm::none_of(run.getInputs(), [](Value input) {
    return isa<ShapedType>(input.getType());
  });
  return readsNumbers && run.getNumResults() == 1 &&
         llvm::all_of(run.getOutputs(), [](Value output) {
           auto empty = output.getDefiningOp<tensor::EmptyOp>();
           return empty && empty.getType().hasStaticShape();
         });
}

/// The operands by which dispatches write into the result of `fill`.
static SmallVector<OpOperand *> getUpdates(RunOp fill) {
  SmallVector<OpOperand *> updates;
  for (OpOperand &use : fill.getResult(0).getUses()) {
    auto run = dyn_cast<RunOp>(use.getOwner());
    int64_t output = int64_t(use.getOperandNumber()) -
                     (run ? int64_t(run.getInputs().size()) : 0);
    if (run && output >= 0 && run.isUpdated(output))
      updates.push_back(&use);
  }
  return updates;
}

/// Repeats `fill` in front of each dispatch that writes into its result, if
/// there is more than one use.
static void repeat(RunOp fill) {
  if (!isFill(fill) || fill.getResult(0).hasOneUse())
    return;
  OpBuilder builder(fill);
  for (OpOperand *use : getUpdates(fill)) {
    builder.setInsertionPoint(use->getOwner());
    Operation *empty =
        builder.clone(*fill.getOutputs().front().getDefiningOp());
    IRMapping outputs;
    outputs.map(fill.getOutputs().front(), empty->getResult(0));
    use->set(builder.clone(*fill, outputs)->getResult(0));
  }
  if (fill.getResult(0).use_empty())
    fill.erase();
}

namespace {

struct RepeatFillsPass
    : mlirprof::codegen::impl::RepeatFillsPassBase<RepeatFillsPass> {
  using RepeatFillsPassBase::RepeatFillsPassBase;

  void runOnOperation() override {
    SmallVector<RunOp> runs;
    getOperation()->walk([&](RunOp run) { runs.push_back(run); });
    llvm::for_each(runs, repeat);
  }
};

} // namespace
