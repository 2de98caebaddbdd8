//===- Register.cpp - Passes of the compiler for other drivers ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir-prof/Compile/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlirprof;

namespace {

/// A pass behind options: in a pipeline of ours the target comes from the
/// machine, here from the command line. PassT makes the pass itself, which
/// knows what it is called, what it does and which dialects it needs.
template <typename PassT, typename Root>
class WithOptions : public PassWrapper<PassT, OperationPass<Root>> {
public:
  WithOptions() = default;
  WithOptions(const WithOptions &other)
      : PassWrapper<PassT, OperationPass<Root>>(other) {}

  StringRef getArgument() const override { return create()->getArgument(); }
  StringRef getDescription() const override {
    return create()->getDescription();
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    create()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    OpPassManager manager(Root::getOperationName());
    manager.addPass(create());
    if (failed(this->runPipeline(manager, this->getOperation())))
      this->signalPassFailure();
  }

private:
  std::unique_ptr<Pass> create() const {
    return static_cast<const PassT *>(this)->createPass();
  }
};

class ApplyRulesWithOptions
    : public WithOptions<ApplyRulesWithOptions, func::FuncOp> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApplyRulesWithOptions)

  ApplyRulesWithOptions() = default;
  ApplyRulesWithOptions(const ApplyRulesWithOptions &other)
      : WithOptions(other) {}

  std::unique_ptr<Pass> createPass() const {
    TargetModel target;
    target.vectorBits = vectorBits;
    target.vectorRegisters = vectorRegisters;
    target.features = features;
    return createApplyRulesPass(target);
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
    : public WithOptions<GroupWeightsWithOptions, ModuleOp> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GroupWeightsWithOptions)

  GroupWeightsWithOptions() = default;
  GroupWeightsWithOptions(const GroupWeightsWithOptions &other)
      : WithOptions(other) {}

  std::unique_ptr<Pass> createPass() const {
    TargetModel target;
    target.vectorBits = vectorBits;
    target.features = features;
    target.maxError = maxError;
    return createGroupWeightsPass(target);
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
    : public WithOptions<WinogradWithOptions, func::FuncOp> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WinogradWithOptions)

  WinogradWithOptions() = default;
  WinogradWithOptions(const WinogradWithOptions &other) : WithOptions(other) {}

  std::unique_ptr<Pass> createPass() const {
    TargetModel target;
    target.maxError = maxError;
    return createWinogradPass(target);
  }

  Option<double> maxError{
      *this, "max-error",
      llvm::cl::desc("Largest error, as part of the op's largest result"),
      llvm::cl::init(TargetModel().maxError)};
};

class ParallelizeWithOptions
    : public WithOptions<ParallelizeWithOptions, func::FuncOp> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ParallelizeWithOptions)

  ParallelizeWithOptions() = default;
  ParallelizeWithOptions(const ParallelizeWithOptions &other)
      : WithOptions(other) {}

  std::unique_ptr<Pass> createPass() const {
    return createParallelizePass(threads);
  }

  Option<unsigned> threads{*this, "threads", llvm::cl::desc("Threads"),
                           llvm::cl::init(2)};
};

} // namespace

void mlirprof::registerCompilePasses() {
  PassRegistration<ApplyRulesWithOptions>();
  PassRegistration<GroupWeightsWithOptions>();
  PassRegistration<ParallelizeWithOptions>();
  PassRegistration<WinogradWithOptions>();
  registerPass(createBranchWeightsPass);
  registerPass(mlirprof::createCanonicalizePass);
  registerPass(createCheckChoicesPass);
  registerPass(createConvolutionProductsPass);
  registerPass(createEmptyTensorsPass);
  registerPass(createExpandMathPass);
  registerPass(createFuseElementwisePass);
  registerPass(createLiftExtractsPass);
  registerPass(createLimitUnrollingPass);
  registerPass(createLoopAnnotationsPass);
  registerPass(createLowerLoopsPass);
  registerPass(createLowerPadsPass);
  registerPass(createOutlineColdPass);
  registerPass(createPixelConvolutionsPass);
  registerPass([] { return createPlanBuffersPass(/*threads=*/1); });
  registerPass([] { return createReshapeLoopsPass(TargetModel()); });
  registerPass(createRoundToBFloatPass);
  registerPass(createSimplifySlicesPass);
  registerPass([] { return createSmallNestsPass(TargetModel()); });
  registerPass(createSplitLargePass);
  registerPass(createTransposedConvolutionsPass);
  registerPass(createVersionsPass);
}
