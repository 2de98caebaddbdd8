//===- LowerVectors.cpp - Lowering vectors of any rank to rank 1 ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LOWERVECTORSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

struct LowerVectorsPass
    : mlirprof::codegen::impl::LowerVectorsPassBase<LowerVectorsPass> {
  using LowerVectorsPassBase::LowerVectorsPassBase;

  void runOnOperation() override {
    using namespace vector;
    RewritePatternSet patterns(&getContext());
    populateCastAwayVectorLeadingOneDimPatterns(patterns);
    populateVectorTransferPermutationMapLoweringPatterns(patterns);
    populateVectorContractLoweringPatterns(
        patterns, VectorContractLowering::OuterProduct);
    populateVectorOuterProductLoweringPatterns(patterns);
    populateVectorMultiReductionLoweringPatterns(
        patterns, VectorMultiReductionLowering::InnerReduction);
    populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
    populateVectorTransposeLoweringPatterns(
        patterns, VectorTransposeLowering::Shuffle16x16);
    populateVectorShapeCastLoweringPatterns(patterns);
    populateVectorBroadcastLoweringPatterns(patterns);
    populateVectorMaskOpLoweringPatterns(patterns);
    populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
    populateVectorGatherLoweringPatterns(patterns);
    populateVectorScanLoweringPatterns(patterns);
    populateVectorInterleaveLoweringPatterns(patterns);
    populateVectorBitCastLoweringPatterns(patterns);
    populateVectorFromElementsUnrollPatterns(patterns);
    populateVectorToElementsUnrollPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
