//===- Decompose.cpp - Taking composed ops apart --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir-prof/Compile/Choices.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;

namespace {

class DecomposePass
    : public PassWrapper<DecomposePass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecomposePass)

  StringRef getArgument() const override { return "prof-decompose"; }
  StringRef getDescription() const override {
    return "Take linalg ops that stand for several (softmax, pack, unpack) "
           "apart";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isa<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp>(
              op))
        found.push_back(op);
    });
    mlirprof::ChoiceKeeper keeper;
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
      return op->emitOpError("cannot be taken apart into simpler ops");
    rewriter.replaceOp(op, *values);
    return success();
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createDecomposePass() {
  return std::make_unique<DecomposePass>();
}
