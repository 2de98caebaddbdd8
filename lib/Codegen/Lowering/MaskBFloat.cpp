//===- MaskBFloat.cpp - Masked accesses of bf16 as integers ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_MASKBFLOATPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The type of the bits of `type`, a vector of bf16; null for other types.
static VectorType getBitType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !vector.getElementType().isBF16())
    return {};
  return vector.clone(IntegerType::get(type.getContext(), 16));
}

static void loadBits(RewriterBase &rewriter, LLVM::MaskedLoadOp op) {
  VectorType bits = getBitType(op.getType());
  if (!bits)
    return;
  rewriter.setInsertionPoint(op);
  Value other = op.getPassThru();
  if (other)
    other = LLVM::BitcastOp::create(rewriter, op.getLoc(), bits, other);
  Value loaded = LLVM::MaskedLoadOp::create(
      rewriter, op.getLoc(), bits, op.getData(), op.getMask(), other,
      op.getAlignmentAttr(), op.getNontemporalAttr());
  rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, op.getType(), loaded);
}

static void storeBits(RewriterBase &rewriter, LLVM::MaskedStoreOp op) {
  VectorType bits = getBitType(op.getValue().getType());
  if (!bits)
    return;
  rewriter.setInsertionPoint(op);
  Value value =
      LLVM::BitcastOp::create(rewriter, op.getLoc(), bits, op.getValue());
  rewriter.modifyOpInPlace(op, [&] { op.getValueMutable().assign(value); });
}

namespace {

struct MaskBFloatPass
    : mlirprof::codegen::impl::MaskBFloatPassBase<MaskBFloatPass> {
  using MaskBFloatPassBase::MaskBFloatPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op))
        loadBits(rewriter, load);
      else if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op))
        storeBits(rewriter, store);
    });
  }
};

} // namespace
