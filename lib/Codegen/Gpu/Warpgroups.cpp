//===- Warpgroups.cpp - Products of warpgroups by tensor cores ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warpgroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The most columns of one instruction.
static constexpr int64_t kMostColumns = 256;

Warpgroups::Warpgroups(GpuKernel &kernel, Location location, Value thread)
    : builder(kernel.builder), location(location), math(builder, location),
      rows(kernel.plan.rows * kWarpgroup / kernel.plan.threads),
      columns(kernel.plan.columns), depth(kernel.plan.depth), thread(thread),
      firstRow(math.multiply(math.divide(thread, kWarpgroup),
                             math.constant(rows))) {}

bool Warpgroups::fits(const GpuPlan &plan) {
  return plan.threads % kWarpgroup == 0 &&
         plan.rows % (kRows * (plan.threads / kWarpgroup)) == 0 &&
         plan.columns % 64 == 0 && plan.columns <= kMostColumns &&
         (plan.depth == 32 || plan.depth == 64);
}

std::pair<Value, Value> Warpgroups::getPlace() {
  Value lane = math.remainder(thread, kWarp);
  Value warp = math.remainder(math.divide(thread, kWarp), kWarpgroup / kWarp);
  Value row =
      math.add(math.multiply(warp, math.constant(16)), math.divide(lane, 4));
  return {math.add(firstRow, row),
          math.multiply(math.remainder(lane, 4), math.constant(2))};
}

SmallVector<Value> Warpgroups::getZeros(Type type) {
  SmallVector<Type> numbers(size_t(kRows * columns / kWarpgroup), type);
  auto sums = LLVM::LLVMStructType::getLiteral(type.getContext(), numbers);
  Value zero = LLVM::ZeroOp::create(builder, location, sums);
  return SmallVector<Value>(size_t(rows / kRows), zero);
}

/// The descriptor of the part of a tile from `line` on. PTX describes its
/// fields: the address, the distance of blocks, that of atoms of eight rows,
/// each in groups of 16 bytes, and the order of groups in rows of 128 or 64
/// bytes.
Value Warpgroups::describe(const AsyncOperand &operand, Value stage, Value line,
                           int64_t blockBytes) {
  constexpr int64_t kLowBits = 0x3ffff, kGroupBits = 4;
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, location, operand.getMemory());
  Value begin = math.multiply(stage, math.constant(operand.getTileBytes()));
  // Lines are rows, or columns of rows of which a block is full.
  int64_t bytes = operand.isDepthInner() ? operand.getRowBytes()
                                         : operand.getBlockBytes() / kRows;
  begin = math.add(begin, math.multiply(line, math.constant(bytes)));
  Value address = builder.createOrFold<arith::IndexCastUIOp>(
      location, builder.getI64Type(), math.add(base, begin));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, location, builder.getI64Type(),
                                        value);
  };
  Value low = arith::ShRUIOp::create(
      builder, location,
      arith::AndIOp::create(builder, location, address, constant(kLowBits)),
      constant(kGroupBits));
  uint64_t fields = uint64_t(blockBytes >> kGroupBits) << 16 |
                    uint64_t(8 * operand.getRowBytes() >> kGroupBits) << 32 |
                    uint64_t(operand.getRowBytes() == 128 ? 1 : 2) << 62;
  return arith::OrIOp::create(builder, location, low,
                              constant(int64_t(fields)));
}

/// The descriptor of what is `bytes` behind.
Value Warpgroups::skip(Value descriptor, int64_t bytes) {
  Value groups = arith::ConstantIntOp::create(builder, location,
                                              builder.getI64Type(), bytes / 16);
  return builder.createOrFold<arith::AddIOp>(location, descriptor, groups);
}

SmallVector<Value> Warpgroups::start(const AsyncOperand &left,
                                     const AsyncOperand &right, Value stage,
                                     ArrayRef<Value> sums) {
  MLIRContext *context = builder.getContext();
  NVVM::WgmmaFenceAlignedOp::create(builder, location);
  bool isHalf =
      cast<MemRefType>(left.getMemory().getType()).getElementType().isF16();
  auto type = isHalf ? NVVM::WGMMATypes::f16 : NVVM::WGMMATypes::bf16;
  // The second operand is in the order of columns if depth is inner.
  auto getLayout = [](bool isRow) {
    return isRow ? NVVM::MMALayout::row : NVVM::MMALayout::col;
  };
  auto shape = NVVM::MMAShapeAttr::get(context, kRows, int(columns), kDepth);
  auto getBytes = [](const AsyncOperand &operand) {
    return operand.isDepthInner() ? kDepth * 2 : kDepth * operand.getRowBytes();
  };
  SmallVector<Value> lefts, results(sums);
  for (int64_t i = 0; i != int64_t(sums.size()); ++i)
    lefts.push_back(describe(left, stage,
                             math.add(firstRow, math.constant(i * kRows)),
                             left.getBlockBytes()));
  Value other = describe(right, stage, math.constant(0), right.getBlockBytes());
  for (int64_t step = 0; step < depth / kDepth; ++step)
    for (auto [a, sum] : llvm::zip_equal(lefts, results))
      sum = NVVM::WgmmaMmaAsyncOp::create(
          builder, location, sum.getType(), sum, skip(a, step * getBytes(left)),
          skip(other, step * getBytes(right)), shape, type, type,
          NVVM::WGMMATypes::f32, NVVM::WGMMAScaleOut::one,
          NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
          getLayout(left.isDepthInner()), getLayout(!right.isDepthInner()),
          NVVM::MMAIntOverflowAttr());
  NVVM::WgmmaGroupSyncAlignedOp::create(builder, location);
  return results;
}

void Warpgroups::wait(unsigned count) {
  NVVM::WgmmaWaitGroupSyncOp::create(builder, location, count);
}

SmallVector<Value> Warpgroups::getNumbers(ArrayRef<Value> sums) {
  SmallVector<Value> numbers;
  for (Value sum : sums) {
    auto type = cast<LLVM::LLVMStructType>(sum.getType());
    for (size_t i = 0; i != type.getBody().size(); ++i)
      numbers.push_back(
          LLVM::ExtractValueOp::create(builder, location, sum, int64_t(i)));
  }
  return numbers;
}
