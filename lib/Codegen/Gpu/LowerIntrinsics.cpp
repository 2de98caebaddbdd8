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
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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

/// The exchange of numbers of 32 bits in a warp, all of whose threads take
/// part.
static void lower(gpu::ShuffleOp op) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  auto makeConstant = [&](int32_t value) -> Value {
    return LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                    builder.getI32IntegerAttr(value));
  };
  Value result =
      NVVM::ShflOp::create(builder, location, op.getValue().getType(),
                           makeConstant(-1), op.getValue(), op.getOffset(),
                           makeConstant(31), NVVM::ShflKind::bfly, UnitAttr());
  op.getShuffleResult().replaceAllUsesWith(result);
  op.erase();
}

/// A pair of numbers of 16 bits as PTX takes it: f16 as a vector, bf16 as bits.
static Value packPair(OpBuilder &builder, Location location, Value pairs,
                      int64_t number) {
  Value pair = vector::ExtractOp::create(builder, location, pairs,
                                         ArrayRef<int64_t>{number});
  if (cast<VectorType>(pair.getType()).getElementType().isF16())
    return pair;
  Value bits = vector::BitCastOp::create(
      builder, location, VectorType::get({1}, builder.getI32Type()), pair);
  return vector::ExtractOp::create(builder, location, bits,
                                   ArrayRef<int64_t>{0});
}

/// Upstream's lowering does not know bf16.
static void lower(nvgpu::MmaSyncOp op) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  auto pack = [&](Value pairs) {
    SmallVector<Value> result;
    auto type = cast<VectorType>(pairs.getType());
    for (int64_t i = 0; i != type.getDimSize(0); ++i)
      result.push_back(packPair(builder, location, pairs, i));
    return result;
  };
  SmallVector<Value> a = pack(op.getMatrixA()), b = pack(op.getMatrixB()), c;
  for (int64_t i = 0; i != 4; ++i)
    c.push_back(vector::ExtractOp::create(builder, location, op.getMatrixC(),
                                          ArrayRef<int64_t>{i / 2, i % 2}));
  Type number = builder.getF32Type();
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), {number, number, number, number});
  bool isHalf =
      cast<VectorType>(op.getMatrixA().getType()).getElementType().isF16();
  auto kind = isHalf ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  SmallVector<int64_t> shape =
      llvm::map_to_vector(op.getMmaShape(), [](Attribute size) {
        return cast<IntegerAttr>(size).getInt();
      });
  Value product = NVVM::MmaOp::create(
      builder, location, type, a, b, c, shape, std::nullopt, std::nullopt,
      std::array<NVVM::MMATypes, 2>{kind, kind},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  SmallVector<Value> elements;
  for (int64_t i = 0; i != 4; ++i)
    elements.push_back(
        LLVM::ExtractValueOp::create(builder, location, product, i));
  op.replaceAllUsesWith(Value(vector::FromElementsOp::create(
      builder, location, op.getMatrixC().getType(), elements)));
  op.erase();
}

namespace {

struct LowerIntrinsicsPass
    : mlirprof::codegen::impl::LowerIntrinsicsPassBase<LowerIntrinsicsPass> {
  using LowerIntrinsicsPassBase::LowerIntrinsicsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    LowerIntrinsicsPassBase::getDependentDialects(registry);
    registry.insert<LLVM::LLVMDialect, vector::VectorDialect>();
  }

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
      else if (auto product = dyn_cast<nvgpu::MmaSyncOp>(op))
        lower(product);
    });
  }
};

} // namespace
