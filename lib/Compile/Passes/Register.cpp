//===- Register.cpp - Passes of the compiler for other drivers ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Nest/DotProduct.h"
#include "Passes.h"
#include "mlir-prof/Compile/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlirprof;

namespace {

// Passes behind options: in a pipeline of ours the target comes from the
// machine, here from the command line.

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
    registerDotEffects(registry);
  }

  void runOnOperation() override {
    TargetModel target;
    target.vectorBits = vectorBits;
    target.vectorRegisters = vectorRegisters;
    target.features = features;
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
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Features of the machine, as LLVM names them")};
};

class GroupWeightsWithOptions
    : public PassWrapper<GroupWeightsWithOptions, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GroupWeightsWithOptions)

  GroupWeightsWithOptions() = default;
  GroupWeightsWithOptions(const GroupWeightsWithOptions &other)
      : PassWrapper(other) {}

  StringRef getArgument() const override { return "prof-group-weights"; }
  StringRef getDescription() const override {
    return "Put constant factors of products into the groups that machines "
           "multiply";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    linalg::LinalgDialect, scf::SCFDialect,
                    tensor::TensorDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    TargetModel target;
    target.vectorBits = vectorBits;
    target.features = features;
    target.maxError = maxError;
    OpPassManager group(ModuleOp::getOperationName());
    group.addPass(createGroupWeightsPass(target));
    if (failed(runPipeline(group, getOperation())))
      signalPassFailure();
  }

  Option<unsigned> vectorBits{*this, "vector-bits",
                              llvm::cl::desc("Bits of a vector register"),
                              llvm::cl::init(512)};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Features of the machine, as LLVM names them")};
  Option<double> maxError{
      *this, "max-error",
      llvm::cl::desc("Largest error, as part of the op's largest result"),
      llvm::cl::init(TargetModel().maxError)};
};

class WinogradWithOptions
    : public PassWrapper<WinogradWithOptions, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WinogradWithOptions)

  WinogradWithOptions() = default;
  WinogradWithOptions(const WinogradWithOptions &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "prof-winograd"; }
  StringRef getDescription() const override {
    return "Take convolutions to fewer products where the error allows it";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    linalg::LinalgDialect, scf::SCFDialect,
                    tensor::TensorDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    TargetModel target;
    target.maxError = maxError;
    OpPassManager winograd(func::FuncOp::getOperationName());
    winograd.addPass(createWinogradPass(target));
    if (failed(runPipeline(winograd, getOperation())))
      signalPassFailure();
  }

  Option<double> maxError{
      *this, "max-error",
      llvm::cl::desc("Largest error, as part of the op's largest result"),
      llvm::cl::init(TargetModel().maxError)};
};

class ParalleliseWithOptions
    : public PassWrapper<ParalleliseWithOptions, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ParalleliseWithOptions)

  ParalleliseWithOptions() = default;
  ParalleliseWithOptions(const ParalleliseWithOptions &other)
      : PassWrapper(other) {}

  StringRef getArgument() const override { return "prof-parallelise"; }
  StringRef getDescription() const override {
    return "Give loops whose iterations are independent to threads where the "
           "work is worth it, or where that was chosen";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    OpPassManager parallelise(func::FuncOp::getOperationName());
    parallelise.addPass(createParallelisePass(threads));
    if (failed(runPipeline(parallelise, getOperation())))
      signalPassFailure();
  }

  Option<unsigned> threads{*this, "threads", llvm::cl::desc("Threads"),
                           llvm::cl::init(2)};
};

} // namespace

void mlirprof::registerCompilePasses() {
  PassRegistration<ApplyRulesWithOptions>();
  PassRegistration<GroupWeightsWithOptions>();
  PassRegistration<ParalleliseWithOptions>();
  PassRegistration<WinogradWithOptions>();
  registerPass(createBranchWeightsPass);
  registerPass(mlirprof::createCanonicalizePass);
  registerPass(createCheckChoicesPass);
  registerPass(createConvolutionProductsPass);
  registerPass(createEmptyTensorsPass);
  registerPass(createFuseElementwisePass);
  registerPass(createLimitUnrollingPass);
  registerPass(createLoopAnnotationsPass);
  registerPass(createLowerLoopsPass);
  registerPass(createLowerPadsPass);
  registerPass(createOutlineColdPass);
  registerPass([] { return createPlanBuffersPass(/*threads=*/1); });
  registerPass(createRoundToBFloatPass);
  registerPass([] { return createSmallNestsPass(TargetModel()); });
  registerPass(createSplitLargePass);
  registerPass(createVersionsPass);
}
