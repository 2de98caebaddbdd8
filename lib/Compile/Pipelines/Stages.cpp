//===- Stages.cpp - Parts that pipelines share ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "mlir-prof/Codegen/BufferizeGraph.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/SmallCode.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

namespace {

/// Runs passes if the module has an op that they are for. Conversions that do
/// not find such an op take as long as others.
class IfPresentPass
    : public PassWrapper<IfPresentPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(IfPresentPass)

  using Predicate = bool (*)(Operation *);

  IfPresentPass(Predicate isFor,
                llvm::function_ref<void(OpPassManager &)> addPasses)
      : isFor(isFor), passes(ModuleOp::getOperationName()) {
    addPasses(passes);
  }

  StringRef getArgument() const final { return "if-present"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    passes.getDependentDialects(registry);
  }

  void runOnOperation() final {
    WalkResult result = getOperation()->walk([&](Operation *op) {
      return isFor(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted() && failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }

private:
  Predicate isFor;
  OpPassManager passes;
};

/// Bufferizes a list of dispatches; runs passes on other modules.
class BufferizePass
    : public PassWrapper<BufferizePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BufferizePass)

  explicit BufferizePass(
      llvm::function_ref<void(OpPassManager &)> addOtherPasses)
      : passes(ModuleOp::getOperationName()) {
    addOtherPasses(passes);
  }

  StringRef getArgument() const final { return "bufferize"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    passes.getDependentDialects(registry);
  }

  void runOnOperation() final {
    if (!bufferizeGraph(getOperation()) &&
        failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }

private:
  OpPassManager passes;
};

} // namespace

void compile::addIfPresent(
    OpPassManager &manager, bool (*isFor)(Operation *),
    llvm::function_ref<void(OpPassManager &)> addPasses) {
  manager.addPass(std::make_unique<IfPresentPass>(isFor, addPasses));
}

template <typename... DialectT>
static bool isOf(Operation *op) {
  return isa_and_nonnull<DialectT...>(op->getDialect());
}

/// Whether `op` uses floats that are smaller than those of C, other than f16.
static bool usesSmallFloats(Operation *op) {
  auto isSmall = [](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element && element.getWidth() < 32 && !element.isF16();
  };
  return llvm::any_of(op->getOperandTypes(), isSmall) ||
         llvm::any_of(op->getResultTypes(), isSmall);
}

void compile::addCleanUp(OpPassManager &manager) {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal();
  // Loops and branches of most models are ops until the level llvm, so there
  // are no blocks to simplify.
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  manager.addPass(createCanonicalizerPass(config));
  manager.addPass(createCSEPass());
}

/// Quantized ops in the numbers that processors have instructions for: products
/// of bytes, and words.
static void addWordArithmetic(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createNarrowRescalesPass());
  manager.addNestedPass<func::FuncOp>(createFoldZeroPointsPass());
}

static llvm::Error buildInput(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createLiftLoopsPass());
  manager.addPass(createLowerTosaPass());
  manager.addPass(createThreadStatePass());
  // Arithmetic on whole tensors cannot be bufferized.
  manager.addPass(createConvertElementwiseToLinalgPass());
  manager.addNestedPass<func::FuncOp>(createDecomposePass());
  manager.addNestedPass<func::FuncOp>(createSimplifySlicesPass());
  return llvm::Error::success();
}

/// The same as one function, also for models that have kernels already.
static llvm::Error buildInlinedInput(OpPassManager &manager) {
  manager.addPass(createInlineDispatchesPass());
  return buildInput(manager);
}

static PipelineStage
makeInputStage(const TargetModel &target,
               llvm::Error (*build)(OpPassManager &manager)) {
  return {"",
          [build, isForCpu = !isGpu(target),
           isSmall = isForSmallCode(target)](OpPassManager &manager) {
            if (isSmall)
              manager.addPass(createMarkSmallCodePass(/*isMarked=*/true));
            if (isForCpu)
              addWordArithmetic(manager);
            return build(manager);
          },
          StageForm::Canonical};
}

PipelineStage compile::getInputStage(const TargetModel &target) {
  return makeInputStage(target, buildInlinedInput);
}

PipelineStage compile::getKernelInputStage(const TargetModel &target) {
  return makeInputStage(target, buildInput);
}

PipelineStage compile::getLeftoverStage() { return {"", buildInlinedInput}; }

void compile::addAccessChecks(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createCheckAccessesPass());
  manager.addNestedPass<func::FuncOp>(createCheckDivisionsPass());
  manager.addNestedPass<func::FuncOp>(createHoistAssertionsPass());
}

PipelineStage compile::getCheckStage() {
  return {"", [](OpPassManager &manager) {
            manager.addNestedPass<func::FuncOp>(createCheckSizesPass());
            addAccessChecks(manager);
            return llvm::Error::success();
          }};
}

void compile::addBufferization(OpPassManager &manager) {
  manager.addPass(createInsertStoresPass());
  // The rules leave few of a kernel's empty tensors.
  addIfPresent(
      manager,
      [](Operation *op) {
        return isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op);
      },
      [](OpPassManager &passes) {
        passes.addPass(createEliminateEmptyTensorsPass());
        passes.addPass(bufferization::createEmptyTensorToAllocTensorPass());
      });
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

/// Whether `op` may make a buffer that somebody must free, or passes on one:
/// callers own their results.
static bool needsOwners(Operation *op) {
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  if (op->hasTrait<OpTrait::IsTerminator>() &&
      llvm::any_of(op->getOperandTypes(), isBuffer))
    return true;
  if (llvm::none_of(op->getResultTypes(), isBuffer))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return !effects || !effects.hasNoEffect();
}

static bool mayHaveMovingPlaces(Operation *op) {
  return isa<ModuleOp>(op) && !op->hasAttr(kFixedPlaces);
}

static bool hasFixedPlaces(Operation *op) {
  return isa<ModuleOp>(op) && op->hasAttr(kFixedPlaces);
}

/// Upstream's pipeline, which asks at run time what is not known.
static void addDeallocation(OpPassManager &manager) {
  addIfPresent(manager, hasFixedPlaces, [](OpPassManager &passes) {
    passes.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createFreeKnownBuffersPass());
    // Callers' memory for results replaces an allocation, but not a clone.
    passes.addPass(createConvertBufferizationToMemRefPass());
  });
  addIfPresent(manager, mayHaveMovingPlaces, [](OpPassManager &passes) {
    bufferization::buildBufferDeallocationPipeline(passes);
  });
  addCleanUp(manager);
}

static void addBufferStage(OpPassManager &manager) {
  addBufferization(manager);
  manager.addPass(createPlaceStatePass());
  addIfPresent(manager, mayHaveMovingPlaces, [](OpPassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createSwapBuffersPass());
  });
  manager.addPass(createSeparateResultsPass());
  addIfPresent(manager, needsOwners, addDeallocation);
}

PipelineStage compile::getBufferStage() {
  return {"bufferized", [](OpPassManager &manager) {
            // Last, since equal dispatches are one value for clean-ups.
            manager.addNestedPass<func::FuncOp>(createRepeatFillsPass());
            manager.addPass(std::make_unique<BufferizePass>(addBufferStage));
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

static void addMathLowering(OpPassManager &manager) {
  addIfPresent(
      manager, [](Operation *op) { return isa<math::RsqrtOp>(op); },
      [](OpPassManager &passes) {
        math::MathExpandOpsPassOptions expand;
        expand.opMnemonics = {"rsqrt"};
        passes.addNestedPass<func::FuncOp>(
            math::createMathExpandOpsPass(expand));
      });
  manager.addPass(createExpandMathPass());
  // Powers with integer exponents become functions with a loop.
  manager.addPass(createConvertMathToFuncs());
  // Before libm, which would lower ops that have an instruction.
  manager.addPass(createConvertMathToLLVMPass());
  addIfPresent(manager, isOf<math::MathDialect>, [](OpPassManager &passes) {
    passes.addPass(createConvertMathToLibmPass());
  });
}

static void addMathAndLoopLowering(OpPassManager &manager) {
  manager.addPass(createLowerLoopsPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  addIfPresent(manager, isOf<shape::ShapeDialect>, [](OpPassManager &passes) {
    passes.addPass(createConvertShapeToStandardPass());
  });
  addIfPresent(manager, isOf<complex::ComplexDialect>,
               [](OpPassManager &passes) {
                 passes.addPass(createConvertComplexToStandardPass());
               });
  manager.addPass(arith::createArithExpandOpsPass());
  addIfPresent(manager, isOf<math::MathDialect>, addMathLowering);
}

/// For targets whose indices have 64 bits.
static void addWideLowering(OpPassManager &manager) {
  ConvertVectorToLLVMPassOptions vectors;
  vectors.reassociateFPReductions = true;
  manager.addPass(createConvertVectorToLLVMPass(vectors));
  // Converts functions, memory and arithmetic too, in one step that keeps track
  // of all ops.
  manager.addPass(createConvertOpenMPToLLVMPass());
  addIfPresent(manager, isOf<memref::MemRefDialect>, [](OpPassManager &passes) {
    passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  });
  addIfPresent(
      manager,
      [](Operation *op) {
        return !isOf<LLVM::LLVMDialect, omp::OpenMPDialect, BuiltinDialect>(op);
      },
      [](OpPassManager &passes) { passes.addPass(createConvertToLLVMPass()); });
}

/// The conversion that asks the data layout how wide an index is.
static void addNarrowLowering(OpPassManager &manager) {
  manager.addPass(createMaterializeMasksPass());
  ConvertToLLVMPassOptions options;
  options.useDynamic = true;
  manager.addPass(createConvertToLLVMPass(options));
}

void compile::addLLVMLowering(OpPassManager &manager, unsigned addressBits) {
  addMathAndLoopLowering(manager);
  if (addressBits == 64)
    addWideLowering(manager);
  else
    addNarrowLowering(manager);
  addIfPresent(manager, isOf<ub::UBDialect>, [](OpPassManager &passes) {
    passes.addPass(createUBToLLVMConversionPass());
  });
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createLoopAnnotationsPass());
}

/// Whether `op` is more than a load or store of one vector, which LLVM has.
static bool needsVectorLoops(Operation *op) {
  auto transfer = dyn_cast<VectorTransferOpInterface>(op);
  if (!transfer)
    return isa<vector::PrintOp>(op);
  auto buffer = dyn_cast<MemRefType>(transfer.getShapedType());
  return transfer.getVectorType().getRank() != 1 ||
         !transfer.getPermutationMap().isMinorIdentity() || !buffer ||
         buffer.getRank() == 0 || !buffer.isLastDimUnitStride();
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
  bool roundsToBFloat = isGpu(target) || hasFeature(target, "avx512bf16") ||
                        hasFeature(target, "avxneconvert");
  return {"llvm", [roundsToBFloat, bits = target.addressBits,
                   isChecked = target.isChecked](OpPassManager &manager) {
            if (!isChecked)
              manager.addPass(createDropAssertionsPass());
            manager.addPass(createRoundToBFloatPass());
            if (!roundsToBFloat)
              addIfPresent(manager, usesSmallFloats, addBFloatEmulation);
            addIfPresent(manager, needsVectorLoops, [](OpPassManager &passes) {
              passes.addPass(createConvertVectorToSCFPass());
              passes.addPass(createLowerAffinePass());
            });
            addLLVMLowering(manager, bits);
            if (!roundsToBFloat)
              addIfPresent(manager, usesSmallFloats, [](OpPassManager &passes) {
                passes.addPass(createCarryBFloatPass());
              });
            return llvm::Error::success();
          }};
}
