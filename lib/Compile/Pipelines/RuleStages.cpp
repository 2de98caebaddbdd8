//===- RuleStages.cpp - Tiled, fused and vectorized by rules --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/SmallCode.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

/// Whether `op` is a call, or a function that is erased once nobody calls it.
static bool mayBeInlined(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return isa<CallOpInterface>(op) || (function && function.isPrivate());
}

/// Prepares the module for the rules: calls are inlined, pads lowered and
/// elementwise chains fused; constants are stored in the order of their use.
static llvm::Error buildPreparation(OpPassManager &manager,
                                    const TargetModel &target) {
  manager.addPass(createCheckChoicesPass());
  manager.addPass(createVersionsPass());
  // Branches and loops carry choices that the rules have yet to read.
  addIfPresent(manager, mayBeInlined, [](OpPassManager &passes) {
    passes.addPass(createInlinerPass({}, [](OpPassManager &callee) {
      callee.addPass(createCanonicalizePass());
    }));
  });
  manager.addPass(createCanonicalizePass());
  manager.addPass(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createFoldIndicesPass());
  manager.addNestedPass<func::FuncOp>(createLiftExtractsPass());
  manager.addNestedPass<func::FuncOp>(createPixelConvolutionsToMatmulPass());
  manager.addNestedPass<func::FuncOp>(createTrimWindowsPass());
  manager.addNestedPass<func::FuncOp>(createSplitTransposedConvolutionsPass());
  manager.addNestedPass<func::FuncOp>(createJoinGroupsPass());
  manager.addNestedPass<func::FuncOp>(createFoldScalesPass({target.maxError}));
  manager.addNestedPass<func::FuncOp>(
      createChooseLayoutPass({target.vectorBits}));
  manager.addNestedPass<func::FuncOp>(createSimplifyProductsPass());
  manager.addNestedPass<func::FuncOp>(
      createWinogradPass({target.vectorBits, target.maxError,
                          /*keepTransforms=*/true}));
  manager.addNestedPass<func::FuncOp>(createConvolutionsToMatmulPass());
  manager.addNestedPass<func::FuncOp>(createLowerPadsPass());
  manager.addNestedPass<func::FuncOp>(createNarrowComparisonsPass());
  manager.addNestedPass<func::FuncOp>(createFuseElementwisePass());
  manager.addNestedPass<func::FuncOp>(createFollowProductsPass());
  manager.addPass(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createReshapeLoopsPass(
      getTargetOptions<ReshapeLoopsPassOptions>(target)));
  // Products got the shape of a matrix: so do biases, which would be buffers.
  if (!hasVectors(target))
    manager.addNestedPass<func::FuncOp>(createFollowProductsPass());
  manager.addNestedPass<func::FuncOp>(createSimplifySoftmaxPass());
  if (isForSmallCode(target))
    manager.addPass(createSmallTilesPass());
  manager.addPass(
      createPackWeightsPass(getTargetOptions<PackWeightsPassOptions>(target)));
  manager.addNestedPass<func::FuncOp>(createTransposeOperandsPass());
  manager.addNestedPass<func::FuncOp>(createCheckSizesPass());
  return llvm::Error::success();
}

static llvm::Error buildTiled(OpPassManager &manager,
                              const TargetModel &target) {
  addAccessChecks(manager);
  manager.addNestedPass<func::FuncOp>(createBranchWeightsPass());
  manager.addPass(createGroupWeightsPass(
      getTargetOptions<GroupWeightsPassOptions>(target)));
  manager.addNestedPass<func::FuncOp>(
      createApplyRulesPass(getTargetOptions<ApplyRulesPassOptions>(target)));
  addCleanUp(manager);
  manager.addPass(createLoopInvariantCodeMotionPass());
  return llvm::Error::success();
}

static void addThreads(OpPassManager &manager, const TargetModel &target) {
  manager.addNestedPass<func::FuncOp>(createParallelizePass({target.threads}));
  ConvertSCFToOpenMPPassOptions options;
  options.numThreads = target.threads;
  manager.addPass(createConvertSCFToOpenMPPass(options));
  // Removes alloca scopes that the OpenMP lowering cannot handle.
  manager.addPass(createCanonicalizerPass());
}

static void addLoops(OpPassManager &manager, const TargetModel &target) {
  manager.addPass(createOutlineColdPass());
  manager.addPass(createSplitLargePass());
  manager.addPass(createConvertBufferizationToMemRefPass());
  manager.addNestedPass<func::FuncOp>(createLowerCopiesPass());
  manager.addNestedPass<func::FuncOp>(
      createSmallNestsPass(getTargetOptions<SmallNestsPassOptions>(target)));
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addNestedPass<func::FuncOp>(createLowerVectorsPass());
  if (hasFeature(target, "sse4.1"))
    manager.addNestedPass<func::FuncOp>(createMultiplyHighPass());
  if (target.polynomials)
    manager.addNestedPass<func::FuncOp>(createApproximateMathPass());
  manager.addPass(createLowerAffinePass());
  addCleanUp(manager);
  manager.addPass(createLoopInvariantCodeMotionPass());
}

static llvm::Error buildLoops(OpPassManager &manager,
                              const TargetModel &target) {
  addLoops(manager, target);
  if (target.threads > 1)
    addThreads(manager, target);
  manager.addNestedPass<func::FuncOp>(createLimitUnrollingPass());
  return llvm::Error::success();
}

PipelineStage compile::getPreparationStage(const TargetModel &target) {
  return {"", [target](OpPassManager &manager) {
            return buildPreparation(manager, target);
          }};
}

PipelineStage compile::getPublicStage(const TargetModel &target) {
  return {"",
          [target](OpPassManager &manager) {
            manager.addNestedPass<func::FuncOp>(
                createExpandWinogradPass({target.vectorBits}));
            manager.addNestedPass<func::FuncOp>(createCSEPass());
            return llvm::Error::success();
          },
          StageForm::Prepared};
}

PipelineStage compile::getTiledStage(const TargetModel &target) {
  return {"tiled", [target](OpPassManager &manager) {
            return buildTiled(manager, target);
          }};
}

PipelineStage compile::getVectorLoopStage(const TargetModel &target) {
  return {"loops", [target](OpPassManager &manager) {
            return buildLoops(manager, target);
          }};
}

std::vector<PipelineStage>
compile::getKernelLoopStages(const TargetModel &target) {
  // Kernels of one thread are not divided.
  if (target.threads <= 1)
    return {getVectorLoopStage(target)};
  PipelineStage loops = {"", [target](OpPassManager &manager) {
                           addLoops(manager, target);
                           return llvm::Error::success();
                         }};
  PipelineStage divided = {"",
                           [target](OpPassManager &manager) {
                             manager.addPass(
                                 createSplitWorkgroupsPass({target.threads}));
                             addCleanUp(manager);
                             return llvm::Error::success();
                           },
                           StageForm::Divided};
  // Loops that stay on the host side, such as those of a module that had been
  // lowered to loops before.
  PipelineStage host = {"",
                        [target](OpPassManager &manager) {
                          addThreads(manager, target);
                          return llvm::Error::success();
                        },
                        StageForm::Planned};
  PipelineStage last = {"loops", [](OpPassManager &manager) {
                          manager.addNestedPass<func::FuncOp>(
                              createLimitUnrollingPass());
                          return llvm::Error::success();
                        }};
  return {loops, divided, host, last};
}

PipelineStage compile::getContractedLLVMStage(const TargetModel &target) {
  return {"llvm",
          [build = getLLVMStage(target).build](
              OpPassManager &manager) -> llvm::Error {
            if (llvm::Error error = build(manager))
              return error;
            manager.addPass(createAllowContractionPass());
            return llvm::Error::success();
          }};
}
