//===- LowerTosa.cpp - From tosa to linalg --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {

class LowerTosaPass
    : public PassWrapper<LowerTosaPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTosaPass)

  StringRef getArgument() const override { return "prof-lower-tosa"; }
  StringRef getDescription() const override {
    return "Take tosa to linalg, where a module has any";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    bool found = false;
    getOperation()->walk([&](Operation *op) {
      found |= isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
    });
    if (!found)
      return;
    OpPassManager manager(ModuleOp::getOperationName());
    // These nest into functions themselves.
    tosa::addTosaToLinalgPasses(manager, TosaToLinalgOptions(),
                                TosaToLinalgNamedOptions(), std::nullopt);
    OpPassManager &functions = manager.nest<func::FuncOp>();
    functions.addPass(createTosaToTensorPass());
    functions.addPass(createTosaToArithPass());
    functions.addPass(createTosaToSCFPass());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createLowerTosaPass() {
  return std::make_unique<LowerTosaPass>();
}
