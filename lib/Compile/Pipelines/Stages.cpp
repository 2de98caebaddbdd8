//===- Stages.cpp - Parts that pipelines share ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

void compile::addCleanUp(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

static llvm::Error buildInput(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createLiftLoopsPass());
  manager.addPass(createLowerTosaPass());
  // Arithmetic on whole tensors cannot be bufferized.
  manager.addPass(createConvertElementwiseToLinalgPass());
  manager.addNestedPass<func::FuncOp>(createDecomposePass());
  manager.addNestedPass<func::FuncOp>(createSimplifySlicesPass());
  return llvm::Error::success();
}

PipelineStage compile::getInputStage() {
  return {"", buildInput, StageForm::Canonical};
}

PipelineStage compile::getLeftoverStage() { return {"", buildInput}; }

void compile::addBufferization(OpPassManager &manager) {
  manager.addPass(createEliminateEmptyTensorsPass());
  manager.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.bufferAlignment = 64;
  // For loops whose tensors swap places, and for while loops.
  options.allowReturnAllocsFromLoops = true;
  manager.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanUp(manager);
}

PipelineStage compile::getBufferStage() {
  return {"bufferized", [](OpPassManager &manager) {
            addBufferization(manager);
            bufferization::buildBufferDeallocationPipeline(manager);
            addCleanUp(manager);
            return llvm::Error::success();
          }};
}

PipelineStage compile::getLoopStage() {
  return {"loops", [](OpPassManager &manager) {
            manager.addPass(createConvertBufferizationToMemRefPass());
            manager.addNestedPass<func::FuncOp>(createLowerCopiesPass());
            manager.addNestedPass<func::FuncOp>(
                createConvertLinalgToLoopsPass());
            manager.addPass(createSplitLargePass());
            // Vectors that come with a model or from a schedule.
            manager.addNestedPass<func::FuncOp>(createLowerVectorsPass());
            manager.addPass(createLowerAffinePass());
            manager.addPass(createLoopInvariantCodeMotionPass());
            addCleanUp(manager);
            return llvm::Error::success();
          }};
}

void compile::addLLVMLowering(OpPassManager &manager) {
  manager.addPass(createLowerLoopsPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createConvertShapeToStandardPass());
  manager.addPass(createConvertComplexToStandardPass());
  manager.addPass(arith::createArithExpandOpsPass());
  math::MathExpandOpsPassOptions expand;
  expand.opMnemonics = {"rsqrt"};
  manager.addNestedPass<func::FuncOp>(math::createMathExpandOpsPass(expand));
  manager.addPass(createExpandMathPass());
  // Powers with integer exponents become functions with a loop.
  manager.addPass(createConvertMathToFuncs());
  // Before libm, which would lower ops that have an instruction.
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.reassociateFPReductions = true;
  manager.addPass(createConvertVectorToLLVMPass(vectors));
  manager.addPass(createConvertOpenMPToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  addCleanUp(manager);
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createLoopAnnotationsPass());
}

/// Computes bf16 operations in f32, and rounds by integer arithmetic.
static void addBFloatEmulation(OpPassManager &manager) {
  math::MathExtendToSupportedTypesOptions functions;
  functions.extraTypeStrs = {"f16"};
  manager.addPass(math::createMathExtendToSupportedTypes(functions));
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  manager.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  manager.addPass(arith::createArithExpandOpsPass(expand));
}

PipelineStage compile::getLLVMStage(const TargetModel &target) {
  // Without an instruction for it, LLVM rounds to bf16 by a function of the
  // compiler runtime, which programs may lack; it computes in bf16 the same
  // way.
  bool roundsToBFloat =
      hasFeature(target, "avx512bf16") || hasFeature(target, "avxneconvert");
  return {"llvm", [roundsToBFloat](OpPassManager &manager) {
            manager.addPass(createRoundToBFloatPass());
            if (!roundsToBFloat)
              addBFloatEmulation(manager);
            manager.addPass(createConvertVectorToSCFPass());
            manager.addPass(createLowerAffinePass());
            addLLVMLowering(manager);
            return llvm::Error::success();
          }};
}
