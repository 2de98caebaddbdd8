//===- Default.cpp - A graph of kernels, each compiled alone --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipelines.h"
#include "Stages.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/ProgramAddresses.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

namespace {
/// Defines what programs consist of.
class DefineAddressesPass
    : public PassWrapper<DefineAddressesPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DefineAddressesPass)

  StringRef getArgument() const final { return "define-addresses"; }

  void runOnOperation() final {
    if (failed(defineProgramAddresses(getOperation())))
      signalPassFailure();
  }
};
} // namespace

/// The last changes of constants: kernels take them as arguments.
static PipelineStage getGraphStage(const TargetModel &target) {
  return {"linalg", [target](OpPassManager &manager) {
            manager.addPass(createGroupWeightsPass(
                getTargetOptions<GroupWeightsPassOptions>(target)));
            return llvm::Error::success();
          }};
}

static PipelineStage getDispatchStage(const TargetModel &target) {
  return {"dispatch",
          [target](OpPassManager &manager) {
            // The ops that a nest computes before it stores depend on its rule.
            manager.addPass(createFormDispatchesPass(
                getTargetOptions<FormDispatchesPassOptions>(target)));
            // One of equal kernels is enough to compare with others.
            manager.addPass(createShareDispatchesPass());
            manager.addPass(createShareSizesPass(
                getTargetOptions<ShareSizesPassOptions>(target)));
            manager.addPass(createShareDispatchesPass());
            return llvm::Error::success();
          },
          StageForm::Dispatched};
}

/// Whether `op` frees a buffer later than after its last use.
static bool freesLate(Operation *op) {
  auto dealloc = dyn_cast<memref::DeallocOp>(op);
  if (!dealloc)
    return false;
  Operation *last = op->getPrevNode();
  while (isa_and_nonnull<memref::DeallocOp>(last))
    last = last->getPrevNode();
  return !last || llvm::none_of(last->getOperands(), [&](Value operand) {
    while (auto view = operand.getDefiningOp<ViewLikeOpInterface>())
      operand = view.getViewSource();
    return operand == dealloc.getMemref();
  });
}

/// Kernels are told that their arguments do not alias, so the parts of one
/// allocation may be.
static PipelineStage getPlanStage(const TargetModel &target) {
  return {"",
          [threads = target.threads](OpPassManager &manager) {
            // Upstream's bufferization frees at the end of the block.
            addIfPresent(manager, freesLate, [](OpPassManager &passes) {
              passes.addNestedPass<func::FuncOp>(
                  bufferization::createOptimizeAllocationLivenessPass());
            });
            manager.addNestedPass<func::FuncOp>(
                createPlanBuffersPass({threads}));
            return llvm::Error::success();
          },
          StageForm::Planned};
}

/// Callers pass the memory of results.
static PipelineStage getResultStage() {
  return {"", [](OpPassManager &manager) {
            bufferization::BufferResultsToOutParamsPassOptions options;
            options.modifyPublicFunctions = true;
            options.hoistStaticAllocs = true;
            manager.addPass(
                bufferization::createBufferResultsToOutParamsPass(options));
            return llvm::Error::success();
          }};
}

/// Callers pass the memory of all buffers of the host side.
static PipelineStage getArenaStage() {
  return {"",
          [](OpPassManager &manager) {
            manager.addNestedPass<func::FuncOp>(createSettleBuffersPass());
            manager.addPass(createPassStatePass());
            manager.addNestedPass<func::FuncOp>(createPlaceWorkspacePass());
            return llvm::Error::success();
          },
          StageForm::Placed};
}

/// The host side passes the memory of all buffers of a kernel.
static PipelineStage getWorkspaceStage() {
  return {"",
          [](OpPassManager &manager) {
            manager.addNestedPass<func::FuncOp>(
                createPlanBuffersPass({/*threads=*/1}));
            manager.addNestedPass<func::FuncOp>(createPlaceWorkspacePass());
            return llvm::Error::success();
          },
          StageForm::Divided};
}

static PipelineStage getCallStage(const TargetModel &target) {
  return {"llvm",
          [build = getContractedLLVMStage(target).build,
           threads = target.threads, isMovable = isPositionIndependent(target)](
              OpPassManager &manager) -> llvm::Error {
            // Tables of addresses are for code at a known place.
            if (isMovable)
              manager.addPass(createMarkSmallCodePass(/*isMarked=*/false));
            manager.addPass(createLowerDispatchesPass({threads}));
            if (llvm::Error error = build(manager))
              return error;
            if (threads > 1)
              manager.addPass(std::make_unique<DefineAddressesPass>());
            return llvm::Error::success();
          }};
}

static std::vector<PipelineStage> getStages(const TargetModel &target) {
  if (isGpu(target))
    return getGpuStages(
        target, {getResultStage(), getPlanStage(target), getArenaStage()});
  std::vector<PipelineStage> stages = {getKernelInputStage(target),
                                       getPreparationStage(target),
                                       getPublicStage(target),
                                       getGraphStage(target),
                                       getDispatchStage(target),
                                       getTiledStage(target),
                                       getBufferStage()};
  if (!target.hasHeap)
    stages.push_back(getResultStage());
  stages.push_back(getPlanStage(target));
  if (!target.hasHeap)
    stages.push_back(getArenaStage());
  llvm::append_range(stages, getKernelLoopStages(target));
  if (!target.hasHeap)
    stages.push_back(getWorkspaceStage());
  stages.push_back(getCallStage(target));
  return stages;
}

Pipeline pipeline::Default() {
  return {"default",
          "tiled, fused, vectorized by rules, as a graph of kernels; parallel "
          "with several threads",
          getStages};
}
