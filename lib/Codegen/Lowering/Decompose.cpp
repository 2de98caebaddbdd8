//===- Decompose.cpp - Decomposing composite ops --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

struct DecomposePass
    : mlirprof::codegen::impl::DecomposePassBase<DecomposePass> {
  using DecomposePassBase::DecomposePassBase;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isa<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp>(
              op))
        found.push_back(op);
    });
    codegen::ChoiceKeeper keeper;
    IRRewriter rewriter(&getContext(), &keeper);
    for (Operation *op : found) {
      keeper.setSource(op);
      if (failed(decompose(rewriter, op)))
        return signalPassFailure();
    }
  }

private:
  static LogicalResult decompose(IRRewriter &rewriter, Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op))
      return linalg::lowerPack(rewriter, pack);
    if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      return linalg::lowerUnPack(rewriter, unpack);
    auto aggregate = cast<linalg::AggregatedOpInterface>(op);
    FailureOr<SmallVector<Value>> values =
        aggregate.decomposeOperation(rewriter);
    if (failed(values))
      return op->emitOpError("cannot be decomposed into simpler ops");
    rewriter.replaceOp(op, *values);
    return success();
  }
};

} // namespace
