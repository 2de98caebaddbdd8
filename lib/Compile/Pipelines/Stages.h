//===- Stages.h - Parts that pipelines share --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_PIPELINES_STAGES_H
#define MLIR_PROF_LIB_COMPILE_PIPELINES_STAGES_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/Pass/Pass.h"

namespace mlirprof::compile {

/// The stage that lowers tosa, and other ops without tiling or bufferization,
/// to linalg on tensors. It does not change other modules.
PipelineStage getInputStage(const codegen::TargetModel &target);
/// The same for a pipeline that compiles kernels alone; others turn dispatches
/// of a model into calls.
PipelineStage getKernelInputStage(const codegen::TargetModel &target);
/// The same for the output of the user's passes or schedule, which is not a
/// form that decisions recognize.
PipelineStage getLeftoverStage();
/// Assertions that the model's dynamic sizes fit each other, and that its
/// accesses are inside of tensors and buffers.
PipelineStage getCheckStage();
/// From linalg on tensors to linalg on memrefs, allocations freed.
PipelineStage getBufferStage();
/// From linalg on memrefs to loops, and from vectors of any rank to rank 1.
PipelineStage getLoopStage();
/// From loops, vectors and memrefs to the LLVM dialect.
PipelineStage getLLVMStage(const codegen::TargetModel &target);

/// The stages of the pipelines `default` and `single-function`: linalg on
/// tensors made ready for the rules; loops of vectors by rules; loops on
/// buffers, parallel by OpenMP with several threads; the LLVM dialect with
/// fused multiplications and additions.
PipelineStage getPreparationStage(const codegen::TargetModel &target);
/// The prepared module in MLIR's own dialects.
PipelineStage getPublicStage(const codegen::TargetModel &target);
PipelineStage getTiledStage(const codegen::TargetModel &target);
PipelineStage getVectorLoopStage(const codegen::TargetModel &target);
/// The same loops for a pipeline that divides kernels among workgroups instead.
std::vector<PipelineStage>
getKernelLoopStages(const codegen::TargetModel &target);
PipelineStage getContractedLLVMStage(const codegen::TargetModel &target);

/// The stages of the pipeline `default` for a GPU; `plan` gives the buffers of
/// the host side places in the memory of its caller.
std::vector<PipelineStage> getGpuStages(const codegen::TargetModel &target,
                                        llvm::ArrayRef<PipelineStage> plan);

/// On a module whose host side is kept as a list: its buffers have places that
/// do not depend on numbers.
inline constexpr llvm::StringLiteral kFixedPlaces = "mlirprof.fixed_places";

/// Adds passes that run if an op of the module is one that `isFor` selects.
void addIfPresent(mlir::OpPassManager &manager,
                  bool (*isFor)(mlir::Operation *),
                  llvm::function_ref<void(mlir::OpPassManager &)> addPasses);
/// Upstream's canonicalization and common subexpression elimination.
void addCleanUp(mlir::OpPassManager &manager);
/// Assertions that accesses are inside, without those about sizes.
void addAccessChecks(mlir::OpPassManager &manager);
/// One-shot bufferization as all pipelines use it.
void addBufferization(mlir::OpPassManager &manager);
/// Results of a function become buffers of their own.
std::unique_ptr<mlir::Pass> createSeparateResultsPass();
/// Frees the buffers that upstream's analysis of owners frees in any case, and
/// removes the questions whether to free others.
std::unique_ptr<mlir::Pass> createFreeKnownBuffersPass();
/// Marks the functions of a module as small code (kSmallCode), or removes the
/// marks.
std::unique_ptr<mlir::Pass> createMarkSmallCodePass(bool isMarked);
/// Chooses the smallest tiles for all ops (chooseSmallestTiles).
std::unique_ptr<mlir::Pass> createSmallTilesPass();
/// From loops, vectors of rank 1 and memrefs to the LLVM dialect, for a target
/// whose addresses have `addressBits`.
void addLLVMLowering(mlir::OpPassManager &manager, unsigned addressBits);

/// A textual pass pipeline, with or without "builtin.module(...)" around it.
llvm::Expected<std::vector<PipelineStage>>
getTextualStages(llvm::StringRef text, const codegen::TargetModel &target);
/// A transform dialect schedule in the file `path`.
llvm::Expected<std::vector<PipelineStage>>
getTransformStages(llvm::StringRef path, const codegen::TargetModel &target);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_PIPELINES_STAGES_H
