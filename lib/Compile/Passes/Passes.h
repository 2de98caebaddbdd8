//===- Passes.h - Passes of the pipelines -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_PASSES_PASSES_H
#define MLIR_PROF_LIB_COMPILE_PASSES_PASSES_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/Pass.h"

namespace mlirprof {

/// On an scf.for whose iterations do not depend on each other. Set by the pass
/// that applies the rules; what a model brings is taken off.
inline constexpr llvm::StringLiteral kParallelLoop = "mlirprof.parallel";

/// On an op for size that bufferization has made the buffers of: it reads
/// nothing that it has written, but of the same point. What a model brings is
/// taken off.
inline constexpr llvm::StringLiteral kSmallNest = "mlirprof.small_nest";
/// Sets kSmallNest on an op for size on tensors; takes it off others.
void markForSmallNest(mlir::linalg::LinalgOp op);

/// Upstream's canonicalization, but for choices of branches and loops, which
/// are kept (Canonicalize.cpp).
std::unique_ptr<mlir::Pass> createCanonicalizePass();
/// Warns of choices that no pass can follow (CheckChoices.cpp).
std::unique_ptr<mlir::Pass> createCheckChoicesPass();
/// Makes the versions of functions that choices ask for (Versions.cpp).
std::unique_ptr<mlir::Pass> createVersionsPass();
/// Takes tosa to linalg, where a module has any.
std::unique_ptr<mlir::Pass> createLowerTosaPass();
/// Makes structured loops of loops of blocks.
std::unique_ptr<mlir::Pass> createLiftLoopsPass();
/// Takes linalg ops that stand for several (softmax, pack, unpack ...) apart.
std::unique_ptr<mlir::Pass> createDecomposePass();
/// Drops slices without elements, and strides of dimensions of one element:
/// bufferization fails at both (SimplifySlices.cpp).
std::unique_ptr<mlir::Pass> createSimplifySlicesPass();
/// Takes tensor.pad to a fill and a copy, which rules can take.
std::unique_ptr<mlir::Pass> createLowerPadsPass();
/// Fuses elementwise ops where nothing is computed twice.
std::unique_ptr<mlir::Pass> createFuseElementwisePass();
/// Takes convolutions to fewer products where the error allows it
/// (Winograd.cpp).
std::unique_ptr<mlir::Pass> createWinogradPass(const TargetModel &target);
/// Takes convolutions to products of matrices where that was chosen
/// (ConvolutionProducts.cpp).
std::unique_ptr<mlir::Pass> createConvolutionProductsPass();
/// Makes products of matrices of convolutions of single pixels among zeros
/// (PixelConvolutions.cpp).
std::unique_ptr<mlir::Pass> createPixelConvolutionsPass();
/// Makes convolutions of images that were spread into zeros of several
/// convolutions of the images (TransposedConvolutions.cpp).
std::unique_ptr<mlir::Pass> createTransposedConvolutionsPass();
/// Makes inputs of what bodies pick at places that are known
/// (LiftExtracts.cpp).
std::unique_ptr<mlir::Pass> createLiftExtractsPass();
/// Shows ops in shapes whose last dimension vectors fit (ReshapeLoops.cpp).
std::unique_ptr<mlir::Pass> createReshapeLoopsPass(const TargetModel &target);
/// Puts constant factors of products into panels (PackWeights.cpp).
std::unique_ptr<mlir::Pass> createPackWeightsPass(const TargetModel &target);
/// Puts constant factors of products into the groups that machines multiply
/// (GroupWeights.cpp). On tensors, right before the rules.
std::unique_ptr<mlir::Pass> createGroupWeightsPass(const TargetModel &target);
/// Transposes operands of sums of products whose elements lie far apart along
/// the result's contiguous dimension.
std::unique_ptr<mlir::Pass> createTransposeOperandsPass();
/// Applies the rules (Rules/Rule.h).
std::unique_ptr<mlir::Pass> createApplyRulesPass(const TargetModel &target);
/// Takes loops and branches of scf to branches between blocks.
std::unique_ptr<mlir::Pass> createLowerLoopsPass();
/// Carries choices about branches and trips to where LLVM finds them
/// (BranchWeights.cpp). On tensors, before the rules.
std::unique_ptr<mlir::Pass> createBranchWeightsPass();
/// Puts ops that are to be small, on buffers, into functions of their own
/// (OutlineCold.cpp).
std::unique_ptr<mlir::Pass> createOutlineColdPass();
/// Makes short vector loops of ops that have kSmallNest (SmallNests.cpp).
std::unique_ptr<mlir::Pass> createSmallNestsPass(const TargetModel &target);
/// Puts parts of large functions, on buffers, into functions of their own
/// (SplitLarge.cpp).
std::unique_ptr<mlir::Pass> createSplitLargePass();
/// Makes one allocation of all buffers of a call whose size is known
/// (PlanBuffers.cpp). On buffers, after those that free them are there.
std::unique_ptr<mlir::Pass> createPlanBuffersPass(unsigned threads);
/// Eliminates empty tensors, and keeps the analysis of bufferization short
/// (EmptyTensors.cpp).
std::unique_ptr<mlir::Pass> createEmptyTensorsPass();
/// Makes loops that have kParallelLoop, on buffers, loops for threads where the
/// work is worth it, or where that was chosen.
std::unique_ptr<mlir::Pass> createParallelizePass(unsigned threads);
/// Keeps LLVM from unrolling the loops that have kParallelLoop, and takes the
/// attribute off, and all choices.
std::unique_ptr<mlir::Pass> createLimitUnrollingPass();
/// Puts annotations of loops, and weights of branches, where the translation to
/// LLVM looks for them.
std::unique_ptr<mlir::Pass> createLoopAnnotationsPass();
/// Takes copies between strided buffers to linalg; LLVM has none of these.
std::unique_ptr<mlir::Pass> createLowerCopiesPass();
/// Polynomials for exp, tanh and the like.
std::unique_ptr<mlir::Pass> createApproximateMathPass();
/// Takes math.clampf, math.isinf and math.isnormal to arith (ExpandMath.cpp).
std::unique_ptr<mlir::Pass> createExpandMathPass();
/// Rounds f64 and wider to bf16 by way of f32 (RoundToBFloat.cpp).
std::unique_ptr<mlir::Pass> createRoundToBFloatPass();
/// From vectors of any rank to those of rank 1.
std::unique_ptr<mlir::Pass> createLowerVectorsPass();
/// Lets products and sums of the LLVM dialect become fused ones.
std::unique_ptr<mlir::Pass> createAllowContractionPass();
/// Applies the named sequence `__transform_main` of the file `path`.
std::unique_ptr<mlir::Pass> createApplySchedulePass(std::string path);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_COMPILE_PASSES_PASSES_H
