//===- AsyncOperand.cpp - Operands copied while others are used -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncOperand.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The most elements of a row, 128 bytes, through which all banks are used, and
/// the bytes of which a multiple is the address of a tile: the order of groups
/// repeats after eight rows.
static constexpr int64_t kRow = 64, kTileAlignment = 1024;

/// The loop along which `operand` is contiguous, in groups; none if it is not.
static std::optional<unsigned> findInnerLoop(const GpuProduct &product,
                                             OpOperand *operand) {
  auto read = operand->get().getDefiningOp<bufferization::ToTensorOp>();
  auto type =
      read ? dyn_cast<MemRefType>(read.getBuffer().getType()) : MemRefType();
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getRank() == 0)
    return std::nullopt;
  AffineMap map = product.getOp().getMatchingIndexingMap(operand);
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  if (!last)
    return std::nullopt;
  unsigned loop = last.getPosition();
  int64_t size = product.getOp().getStaticLoopRanges()[loop];
  bool hasGroups = size % AsyncOperand::kGroup == 0 &&
                   type.getShape().back() % AsyncOperand::kGroup == 0;
  return hasGroups ? std::optional(loop) : std::nullopt;
}

bool AsyncOperand::fits(const GpuProduct &product, OpOperand *operand) {
  std::optional<unsigned> loop = findInnerLoop(product, operand);
  ArrayRef<unsigned> lines =
      operand == product.left ? product.row : product.column;
  auto isLast = [&](ArrayRef<unsigned> loops) {
    return loop && !loops.empty() && loops.back() == *loop;
  };
  return isLast(lines) || isLast(product.depth);
}

AsyncOperand::AsyncOperand(GpuKernel &kernel, const GpuProduct &product,
                           OpOperand *operand, ArrayRef<unsigned> loops,
                           int64_t size, int64_t lines)
    : kernel(kernel), product(product), operand(operand), loops(loops),
      size(size), lines(lines), depth(kernel.plan.depth),
      isAlongDepth(loops.empty() ||
                   *findInnerLoop(product, operand) != loops.back()) {
  int64_t along = isAlongDepth ? depth : lines;
  inner = std::min(along, kRow);
  rows = isAlongDepth ? lines : depth;
  blocks = along / inner;
  Type element =
      cast<RankedTensorType>(operand->get().getType()).getElementType();
  memory = kernel.addShared({kernel.plan.stages, blocks, rows, inner}, element,
                            kTileAlignment);
}

SmallVector<Value> AsyncOperand::index(Value stage, Value line,
                                       Value step) const {
  IndexBuilder math(kernel.builder, product.getOp().getLoc());
  Value row = isAlongDepth ? line : step, along = isAlongDepth ? step : line;
  Value at = math.remainder(along, inner);
  Value group = math.divide(at, kGroup);
  // Rows that share 128 bytes do not have groups with the same number in the
  // same bank.
  Value order = math.remainder(math.divide(row, kRow / inner), inner / kGroup);
  Value place = math.exclusiveOr(group, order);
  return {stage, math.divide(along, inner), row,
          math.add(math.multiply(place, math.constant(kGroup)),
                   math.remainder(at, kGroup))};
}

/// The elements of the group at `line` and `step` that are in the operand; null
/// if all always are.
Value AsyncOperand::getSourceElements(Value line, Value step) const {
  OpBuilder &builder = kernel.builder;
  Location location = product.getOp().getLoc();
  IndexBuilder math(builder, location);
  Value inside = math.isInside(nullptr, line, size, lines);
  inside = math.isInside(inside, step, product.depthSize, depth);
  return inside ? Value(arith::SelectOp::create(builder, location, inside,
                                                math.constant(kGroup),
                                                math.constant(0)))
                : inside;
}

/// The indices in global memory of the group at `line` and `step`, which does
/// not leave its innermost loop.
SmallVector<Value> AsyncOperand::getSource(ArrayRef<Value> batch, Value line,
                                           Value step) const {
  IndexBuilder math(kernel.builder, product.getOp().getLoc());
  SmallVector<int64_t> sizes = product.getOp().getStaticLoopRanges();
  SmallVector<Value> dims(sizes.size(), math.constant(0));
  auto set = [&](ArrayRef<unsigned> numbers, ArrayRef<Value> indices) {
    for (auto [dim, index] : llvm::zip_equal(numbers, indices))
      dims[dim] = index;
  };
  auto split = [&](ArrayRef<unsigned> numbers, Value number, bool isGrouped) {
    SmallVector<int64_t> shape =
        llvm::map_to_vector(numbers, [&](unsigned dim) { return sizes[dim]; });
    if (numbers.size() == 1 || !isGrouped)
      return set(numbers, math.split(number, shape));
    shape.back() /= kGroup;
    SmallVector<Value> indices = math.split(math.divide(number, kGroup), shape);
    indices.back() = math.multiply(indices.back(), math.constant(kGroup));
    set(numbers, indices);
  };
  set(product.batch, batch);
  split(loops, line, !isAlongDepth);
  split(product.depth, step, isAlongDepth);
  return math.evaluate(product.getOp().getMatchingIndexingMap(operand), dims);
}

void AsyncOperand::copy(Value thread, ArrayRef<Value> batch, Value begin,
                        Value step, Value stage) const {
  OpBuilder &builder = kernel.builder;
  Location location = product.getOp().getLoc();
  IndexBuilder math(builder, location);
  int64_t threads = kernel.plan.threads;
  int64_t along = (isAlongDepth ? depth : lines) / kGroup;
  Value buffer =
      operand->get().getDefiningOp<bufferization::ToTensorOp>().getBuffer();
  // Groups of a thread are rows apart, as far as all threads together reach.
  assert(threads % along == 0 && lines * depth % (kGroup * threads) == 0);
  Value at =
      math.multiply(math.remainder(thread, along), math.constant(kGroup));
  Value first = math.divide(thread, along);
  for (int64_t row = 0; row < lines * depth / kGroup / along;
       row += threads / along) {
    Value line = math.add(first, math.constant(row)), inTile = at;
    if (!isAlongDepth)
      std::swap(line, inTile);
    Value globalLine = math.add(begin, line);
    Value globalStep = math.add(step, inTile);
    nvgpu::DeviceAsyncCopyOp::create(
        builder, location,
        nvgpu::DeviceAsyncTokenType::get(builder.getContext()), memory,
        index(stage, line, inTile), buffer,
        getSource(batch, globalLine, globalStep), builder.getIndexAttr(kGroup),
        getSourceElements(globalLine, globalStep), builder.getUnitAttr());
  }
}
