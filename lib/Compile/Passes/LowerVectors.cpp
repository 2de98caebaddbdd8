//===- LowerVectors.cpp - From vectors of any rank to rank 1 --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

class LowerVectorsPass
    : public PassWrapper<LowerVectorsPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerVectorsPass)

  StringRef getArgument() const override { return "prof-lower-vectors"; }
  StringRef getDescription() const override {
    return "Take vectors of any rank to those of rank 1";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, memref::MemRefDialect, ub::UBDialect,
                    vector::VectorDialect>();
  }

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

std::unique_ptr<Pass> mlirprof::createLowerVectorsPass() {
  return std::make_unique<LowerVectorsPass>();
}
