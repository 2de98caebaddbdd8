//===- LowerIntrinsics.cpp - Positions and barriers of a GPU --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_LOWERINTRINSICSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The range of a position below `bound`.
static LLVM::ConstantRangeAttr getRange(Builder &builder,
                                        std::optional<APInt> bound) {
  if (!bound)
    return {};
  return LLVM::ConstantRangeAttr::get(builder.getContext(), 32, 0,
                                      int32_t(bound->getZExtValue()));
}

/// The register with the position along the dimension of `op`, which makes one
/// of `RegisterX`, `RegisterY` and `RegisterZ`.
template <typename RegisterX, typename RegisterY, typename RegisterZ,
          typename OpT>
static void lowerPosition(OpT op) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  Type type = builder.getI32Type();
  LLVM::ConstantRangeAttr range = getRange(builder, op.getUpperBound());
  Value position;
  switch (op.getDimension()) {
  case gpu::Dimension::x:
    position = RegisterX::create(builder, location, type, range);
    break;
  case gpu::Dimension::y:
    position = RegisterY::create(builder, location, type, range);
    break;
  case gpu::Dimension::z:
    position = RegisterZ::create(builder, location, type, range);
    break;
  }
  Value index = arith::IndexCastUIOp::create(builder, location,
                                             builder.getIndexType(), position);
  op.getResult().replaceAllUsesWith(index);
  op.erase();
}

static void lower(gpu::BarrierOp op) {
  OpBuilder builder(op);
  NVVM::Barrier0Op::create(builder, op.getLoc());
  op.erase();
}

/// The exchange of numbers of 32 bits in a warp, all of whose threads take part.
static void lower(gpu::ShuffleOp op) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  auto makeConstant = [&](int32_t value) -> Value {
    return LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                    builder.getI32IntegerAttr(value));
  };
  Value result = NVVM::ShflOp::create(
      builder, location, op.getValue().getType(), makeConstant(-1),
      op.getValue(), op.getOffset(), makeConstant(31), NVVM::ShflKind::bfly,
      UnitAttr());
  op.getShuffleResult().replaceAllUsesWith(result);
  op.erase();
}

namespace {

struct LowerIntrinsicsPass
    : mlirprof::codegen::impl::LowerIntrinsicsPassBase<LowerIntrinsicsPass> {
  using LowerIntrinsicsPassBase::LowerIntrinsicsPassBase;

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto thread = dyn_cast<gpu::ThreadIdOp>(op))
        lowerPosition<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp, NVVM::ThreadIdZOp>(
            thread);
      else if (auto block = dyn_cast<gpu::BlockIdOp>(op))
        lowerPosition<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(
            block);
      else if (auto barrier = dyn_cast<gpu::BarrierOp>(op))
        lower(barrier);
      else if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
        lower(shuffle);
    });
  }
};

} // namespace
