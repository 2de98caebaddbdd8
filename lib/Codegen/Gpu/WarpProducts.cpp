//===- WarpProducts.cpp - Products of warps by tensor cores ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductTile.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The rows and columns of one instruction.
static constexpr int64_t kLines = 16, kAcross = 8;

SmallVector<ProductPiece>
codegen::getMatrixPieces(int64_t rows, int64_t columns, int64_t step) {
  SmallVector<ProductPiece> pieces;
  for (int64_t row = 0; row < rows; row += step)
    for (int64_t column = 0; column < columns; column += kAcross)
      for (int64_t half = 0; half < kLines; half += kLines / 2)
        pieces.push_back({row + half, column, 2});
  return pieces;
}

WarpProducts::WarpProducts(OpBuilder &builder, Location location, Value thread,
                           const GpuPlan &plan)
    : builder(builder), location(location), math(builder, location),
      lane(math.remainder(thread, kWarp)) {
  SmallVector<Value> warp = math.split(
      math.divide(thread, kWarp), {plan.rows / kRows, plan.columns / kColumns});
  row = math.multiply(warp[0], math.constant(kRows));
  column = math.multiply(warp[1], math.constant(kColumns));
}

bool WarpProducts::fits(const GpuPlan &plan) {
  return plan.depth % kDepth == 0 && plan.rows % kRows == 0 &&
         plan.columns % kColumns == 0 &&
         plan.rows / kRows * (plan.columns / kColumns) == plan.threads / kWarp;
}

/// PTX says which elements of a product a thread has.
std::pair<Value, Value> WarpProducts::getPlace() {
  return {math.add(row, math.divide(lane, 4)),
          math.add(column,
                   math.multiply(math.remainder(lane, 4), math.constant(2)))};
}

/// Loads four matrices of 8x8 elements, which two halves of the depth and of 16
/// lines have. Each thread has the address of one of their rows.
Value WarpProducts::load(const MatrixOperand &operand, Value line, int64_t step,
                         bool isLeft) {
  Value inMatrix = math.remainder(lane, 8);
  Value second = math.remainder(math.divide(lane, 8), 2);
  Value fourth = math.divide(lane, 16);
  // The matrices of the left operand are in the order of lines, those of the
  // right one in the order of depth.
  Value lineHalf = isLeft ? second : fourth,
        depthHalf = isLeft ? fourth : second;
  Value eight = math.constant(8);
  Value lines = math.add(line, math.multiply(lineHalf, eight));
  Value steps = math.add(math.constant(step), math.multiply(depthHalf, eight));
  (operand.isDepthInner ? lines : steps) =
      math.add(operand.isDepthInner ? lines : steps, inMatrix);
  Type element = cast<MemRefType>(operand.memory.getType()).getElementType();
  return nvgpu::LdMatrixOp::create(
      builder, location, VectorType::get({4, 2}, element), operand.memory,
      operand.index(lines, steps), builder.getBoolAttr(!operand.isDepthInner),
      builder.getI32IntegerAttr(4));
}

/// Adds one product to the four `sums`.
Value WarpProducts::multiply(Value left, Value right,
                             MutableArrayRef<Value> sums) {
  Value before = vector::FromElementsOp::create(
      builder, location, VectorType::get({2, 2}, sums.front().getType()),
      ValueRange(sums));
  return nvgpu::MmaSyncOp::create(builder, location, left, right, before,
                                  ArrayRef<int64_t>{kLines, kAcross, kDepth});
}

SmallVector<Value> WarpProducts::add(const MatrixOperand &left,
                                     const MatrixOperand &right, int64_t depth,
                                     SmallVector<Value> sums) {
  for (int64_t step = 0; step < depth; step += kDepth) {
    SmallVector<Value> lefts, rights;
    for (int64_t line = 0; line < kRows; line += kLines)
      lefts.push_back(
          load(left, math.add(row, math.constant(line)), step, true));
    for (int64_t line = 0; line < kColumns; line += 2 * kAcross) {
      Value both =
          load(right, math.add(column, math.constant(line)), step, false);
      for (int64_t half = 0; half != 2; ++half)
        rights.push_back(vector::ExtractStridedSliceOp::create(
            builder, location, both, ArrayRef<int64_t>{2 * half},
            ArrayRef<int64_t>{2}, ArrayRef<int64_t>{1}));
    }
    MutableArrayRef<Value> next = sums;
    for (Value a : lefts)
      for (Value b : rights) {
        Value after = multiply(a, b, next.take_front(4));
        for (int64_t i = 0; i != 4; ++i)
          next[size_t(i)] = vector::ExtractOp::create(
              builder, location, after, ArrayRef<int64_t>{i / 2, i % 2});
        next = next.drop_front(4);
      }
  }
  return sums;
}
