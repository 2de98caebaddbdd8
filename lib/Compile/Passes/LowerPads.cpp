//===- LowerPads.cpp - Padding as a fill and a copy -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

/// Upstream's own lowering inserts the source by a strided copy, which no rule
/// sees.
static void lowerPad(RewriterBase &rewriter, tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  if (!value)
    return;
  rewriter.setInsertionPoint(pad);
  Location location = pad.getLoc();
  ReifiedRankedShapedTypeDims shape;
  if (failed(reifyResultShapes(rewriter, pad, shape)))
    return;
  RankedTensorType type = pad.getResultType();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, location, pad.getSource());
  SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> offsets = pad.getMixedLowPad();
  Value empty = tensor::EmptyOp::create(rewriter, location, shape.front(),
                                        type.getElementType());
  Value filled =
      linalg::FillOp::create(rewriter, location, value, empty).getResult(0);
  Value inner = tensor::ExtractSliceOp::create(rewriter, location, filled,
                                               offsets, sizes, ones);
  Value copied =
      linalg::CopyOp::create(rewriter, location, pad.getSource(), inner)
          .getResult(0);
  Value padded = tensor::InsertSliceOp::create(rewriter, location, copied,
                                               filled, offsets, sizes, ones);
  if (padded.getType() != type)
    padded = tensor::CastOp::create(rewriter, location, type, padded);
  rewriter.replaceOp(pad, padded);
}

namespace {

class LowerPadsPass
    : public PassWrapper<LowerPadsPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPadsPass)

  StringRef getArgument() const override { return "prof-lower-pads"; }

  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    IRRewriter rewriter(&getContext());
    for (tensor::PadOp pad : pads)
      lowerPad(rewriter, pad);
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createLowerPadsPass() {
  return std::make_unique<LowerPadsPass>();
}
