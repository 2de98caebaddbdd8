//===- Gpu.cpp - Stages for GPUs
//-------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The host side is planned as for a machine without a heap; it is never
// compiled, as the driver runs its list of dispatches. Kernels stay on tensors
// until their code is made. Choices of the graph that are for caches and vector
// registers of a processor, such as blocked layouts, packed weights and
// transforms of convolutions, are not made.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

static bool isCall(Operation *op) { return isa<CallOpInterface>(op); }

static PipelineStage getGraphStage(const TargetModel &target) {
  return {"linalg", [target](OpPassManager &manager) {
            manager.addPass(createCheckChoicesPass());
            addIfPresent(manager, isCall, [](OpPassManager &passes) {
              passes.addPass(createInlinerPass());
            });
            manager.addPass(createCanonicalizePass());
            manager.addPass(createCSEPass());
            manager.addNestedPass<func::FuncOp>(createFoldIndicesPass());
            manager.addNestedPass<func::FuncOp>(createTrimWindowsPass());
            manager.addNestedPass<func::FuncOp>(
                createSplitTransposedConvolutionsPass());
            manager.addNestedPass<func::FuncOp>(
                createFoldScalesPass({target.maxError}));
            manager.addNestedPass<func::FuncOp>(createFuseElementwisePass());
            manager.addNestedPass<func::FuncOp>(createFollowProductsPass());
            manager.addPass(createCSEPass());
            manager.addNestedPass<func::FuncOp>(createSimplifySoftmaxPass());
            return llvm::Error::success();
          }};
}

static PipelineStage getDispatchStage() {
  return {"dispatch",
          [](OpPassManager &manager) {
            FormDispatchesPassOptions options;
            options.gpu = true;
            manager.addPass(createFormDispatchesPass(options));
            manager.addPass(createShareDispatchesPass());
            return llvm::Error::success();
          },
          StageForm::Dispatched};
}

static PipelineStage getGpuTileStage(const TargetModel &target) {
  return {"tiled", [target](OpPassManager &manager) {
            ChooseTilesPassOptions options;
            options.warpgroups = hasWarpgroups(target);
            manager.addNestedPass<func::FuncOp>(createChooseTilesPass(options));
            return llvm::Error::success();
          }};
}

/// Whether `op` is a kernel with code, and not on the host side.
static bool isKernelFunction(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  return function && dispatch::isKernel(function) && !function.isExternal();
}

static bool isRun(Operation *op) { return isa<dispatch::RunOp>(op); }

/// The buffers of kernels are those of the host side.
static PipelineStage getGpuBufferStage() {
  return {"bufferized", [](OpPassManager &manager) -> llvm::Error {
            addIfPresent(manager, isKernelFunction, [](OpPassManager &passes) {
              passes.addNestedPass<func::FuncOp>(createEmitKernelsPass());
              addCleanUp(passes);
            });
            llvm::Error error = llvm::Error::success();
            auto build = getBufferStage().build;
            addIfPresent(manager, isRun,
                         [&](OpPassManager &passes) { error = build(passes); });
            return error;
          }};
}

static PipelineStage getGpuLoopStage(const TargetModel &target) {
  return {"loops", [target](OpPassManager &manager) {
            // Functions of small floats are computed in f32.
            manager.addPass(math::createMathExtendToSupportedTypes());
            if (target.polynomials)
              manager.addNestedPass<func::FuncOp>(createApproximateMathPass());
            addCleanUp(manager);
            manager.addPass(createLoopInvariantCodeMotionPass());
            return llvm::Error::success();
          }};
}

static bool isLoad(Operation *op) {
  return isa<nvgpu::LdMatrixOp, nvgpu::DeviceAsyncCopyOp>(op);
}

static bool isWarpgroupProduct(Operation *op) {
  return isa<NVVM::WgmmaMmaAsyncOp>(op);
}

static PipelineStage getGpuLLVMStage(const TargetModel &target) {
  return {
      "llvm",
      [build = getContractedLLVMStage(target).build](OpPassManager &manager) {
        manager.addNestedPass<func::FuncOp>(createLowerIntrinsicsPass());
        addIfPresent(manager, isLoad, [](OpPassManager &passes) {
          passes.addPass(createConvertNVGPUToNVVMPass());
        });
        addIfPresent(manager, isWarpgroupProduct, [](OpPassManager &passes) {
          passes.addPass(createConvertNVVMToLLVMPass());
        });
        return build(manager);
      }};
}

std::vector<PipelineStage> compile::getGpuStages(const TargetModel &target,
                                                 ArrayRef<PipelineStage> plan) {
  std::vector<PipelineStage> stages = {
      getKernelInputStage(target), getGraphStage(target), getDispatchStage(),
      getGpuTileStage(target), getGpuBufferStage()};
  llvm::append_range(stages, plan);
  stages.push_back(getGpuLoopStage(target));
  stages.push_back(getGpuLLVMStage(target));
  return stages;
}
