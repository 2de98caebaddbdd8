//===- Register.cpp - Passes of the compiler for other drivers ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir-prof/Compile/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlirprof;

namespace {

/// The rules behind options: in a pipeline of ours the target comes from the
/// machine, here from the command line.
class ApplyRulesWithOptions
    : public PassWrapper<ApplyRulesWithOptions, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApplyRulesWithOptions)

  ApplyRulesWithOptions() = default;
  ApplyRulesWithOptions(const ApplyRulesWithOptions &other)
      : PassWrapper(other) {}

  StringRef getArgument() const override { return "prof-apply-rules"; }
  StringRef getDescription() const override {
    return "Make loops of vectors out of structured ops on tensors";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect, scf::SCFDialect,
                    tensor::TensorDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    TargetModel target;
    target.vectorBits = vectorBits;
    target.vectorRegisters = vectorRegisters;
    OpPassManager rules(func::FuncOp::getOperationName());
    rules.addPass(createApplyRulesPass(target));
    if (failed(runPipeline(rules, getOperation())))
      signalPassFailure();
  }

  Option<unsigned> vectorBits{*this, "vector-bits",
                              llvm::cl::desc("Bits of a vector register"),
                              llvm::cl::init(512)};
  Option<unsigned> vectorRegisters{*this, "vector-registers",
                                   llvm::cl::desc("Number of them"),
                                   llvm::cl::init(32)};
};

} // namespace

void mlirprof::registerCompilePasses() {
  PassRegistration<ApplyRulesWithOptions>();
  registerPass(createBranchWeightsPass);
  registerPass(createLimitUnrollingPass);
  registerPass(createLoopAnnotationsPass);
  registerPass(createLowerLoopsPass);
  registerPass(createOutlineColdPass);
  registerPass(createVersionsPass);
}
