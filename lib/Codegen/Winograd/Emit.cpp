//===- Emit.cpp - Loops of Winograd convolutions --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "../Nest/Loops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>
#include <functional>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

//===----------------------------------------------------------------------===//
// Products with constant matrices
//===----------------------------------------------------------------------===//

/// The sum of `values` weighted by `coefficients`, over the indices in `mask`;
/// null if all coefficients are zero.
static Value emitSum(OpBuilder &builder, Location location,
                     ArrayRef<double> coefficients, ArrayRef<Value> values,
                     function_ref<bool(size_t)> isIn) {
  Value sum;
  for (auto [i, coefficient] : llvm::enumerate(coefficients)) {
    if (coefficient == 0 || !isIn(i))
      continue;
    bool isUnit = std::abs(coefficient) == 1;
    Value term = values[i];
    if (!isUnit) {
      Type type = term.getType();
      Type element = getElementTypeOrSelf(type);
      Value factor = arith::ConstantOp::create(
          builder, location, type,
          DenseElementsAttr::get(
              cast<ShapedType>(type),
              FloatAttr::get(element,
                             sum ? std::abs(coefficient) : coefficient)));
      term = arith::MulFOp::create(builder, location, term, factor,
                                   arith::FastMathFlags::contract);
    }
    if (!sum)
      sum = isUnit && coefficient < 0
                ? arith::NegFOp::create(builder, location, term).getResult()
                : term;
    else if (coefficient < 0)
      sum = arith::SubFOp::create(builder, location, sum, term,
                                  arith::FastMathFlags::contract);
    else
      sum = arith::AddFOp::create(builder, location, sum, term,
                                  arith::FastMathFlags::contract);
  }
  return sum;
}

/// Whether the rows have the same absolute values, but not all the same signs.
static bool areMirrored(ArrayRef<double> a, ArrayRef<double> b) {
  bool differs = false, agrees = false;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    if (std::abs(x) != std::abs(y))
      return false;
    differs |= x != y;
    agrees |= x == y && x != 0;
  }
  return differs && agrees;
}

/// Column `index` as a row.
static SmallVector<double> getColumn(const Matrix &matrix, unsigned index) {
  SmallVector<double> column;
  for (unsigned row = 0; row < matrix.rows; ++row)
    column.push_back(matrix.at(row, index));
  return column;
}

/// If two neighboring columns differ only in signs, replaces their values by
/// the sum and the difference, and the columns by the matching coefficients.
static void mergeColumns(OpBuilder &builder, Location location, Matrix &matrix,
                         SmallVectorImpl<Value> &values) {
  for (unsigned at = 0; at + 1 < matrix.columns; ++at) {
    if (!areMirrored(getColumn(matrix, at), getColumn(matrix, at + 1)))
      continue;
    Value sum =
        arith::AddFOp::create(builder, location, values[at], values[at + 1],
                              arith::FastMathFlags::contract);
    Value difference =
        arith::SubFOp::create(builder, location, values[at], values[at + 1],
                              arith::FastMathFlags::contract);
    values[at] = sum;
    values[at + 1] = difference;
    for (unsigned row = 0; row < matrix.rows; ++row) {
      double &ofSum = matrix.at(row, at),
             &ofDifference = matrix.at(row, at + 1);
      bool isSum = ofSum == ofDifference;
      ofDifference = isSum ? 0 : ofSum;
      ofSum = isSum ? ofSum : 0;
    }
    ++at;
  }
}

SmallVector<Value> codegen::emitProduct(OpBuilder &builder, Location location,
                                        const Matrix &matrix,
                                        ArrayRef<Value> values) {
  Matrix merged = matrix;
  SmallVector<Value> operands = llvm::to_vector(values);
  mergeColumns(builder, location, merged, operands);
  SmallVector<Value> results(merged.rows);
  auto all = [](size_t) { return true; };
  for (unsigned row = 0; row < merged.rows; ++row) {
    ArrayRef<double> here = merged.row(row);
    if (row + 1 == merged.rows || !areMirrored(here, merged.row(row + 1))) {
      results[row] = emitSum(builder, location, here, operands, all);
      continue;
    }
    ArrayRef<double> next = merged.row(row + 1);
    Value same = emitSum(builder, location, here, operands,
                         [&](size_t i) { return here[i] == next[i]; });
    Value opposite = emitSum(builder, location, here, operands,
                             [&](size_t i) { return here[i] != next[i]; });
    results[row] = arith::AddFOp::create(builder, location, same, opposite,
                                         arith::FastMathFlags::contract);
    results[row + 1] = arith::SubFOp::create(builder, location, same, opposite,
                                             arith::FastMathFlags::contract);
    ++row;
  }
  return results;
}

/// matrix * block * matrix^T, blocks by rows.
static SmallVector<Value> emitOnBothSides(OpBuilder &builder, Location location,
                                          const Matrix &matrix,
                                          ArrayRef<Value> block) {
  unsigned size = matrix.columns, results = matrix.rows;
  SmallVector<Value> half(results * size), whole(results * results);
  for (unsigned column = 0; column < size; ++column) {
    SmallVector<Value> values;
    for (unsigned row = 0; row < size; ++row)
      values.push_back(block[row * size + column]);
    values = emitProduct(builder, location, matrix, values);
    for (unsigned row = 0; row < results; ++row)
      half[row * size + column] = values[row];
  }
  for (unsigned row = 0; row < results; ++row) {
    SmallVector<Value> values = emitProduct(
        builder, location, matrix, ArrayRef(half).slice(row * size, size));
    llvm::copy(values, whole.begin() + row * results);
  }
  return whole;
}

//===----------------------------------------------------------------------===//
// Loops over tiles
//===----------------------------------------------------------------------===//

namespace {

/// The position of a tile.
struct Tile {
  OpFoldResult image, down, across, channel;
};

/// Emits the code for a tile that writes to a tensor, and returns the new one;
/// or to a buffer, which it returns.
using TileBody = function_ref<Value(const Tile &, Value)>;

} // namespace

/// The number of lanes for `size` channels: a divisor of it.
static int64_t getLanesOf(int64_t size, int64_t most) {
  int64_t lanes = most;
  while (size % lanes != 0)
    lanes /= 2;
  return lanes;
}

/// Loops over images, tiles and vectors of channels that write to `target`. On
/// a tensor they carry it; on a buffer they are parallel.
static Value emitTileLoops(OpBuilder &builder, Location location,
                           const WinogradShape &shape, int64_t lanes,
                           Value target, TileBody body) {
  SmallVector<int64_t> ends = {shape.batch, shape.tilesDown, shape.tilesAcross,
                               shape.channels};
  SmallVector<OpFoldResult> at(4);
  bool isCarried = isa<TensorType>(target.getType());
  std::function<SmallVector<Value>(size_t, ValueRange)> nest =
      [&](size_t level, ValueRange carried) -> SmallVector<Value> {
    if (level == ends.size()) {
      Value written = body({at[0], at[1], at[2], at[3]},
                           isCarried ? carried.front() : target);
      return isCarried ? SmallVector<Value>{written} : SmallVector<Value>();
    }
    int64_t step = level + 1 == ends.size() ? lanes : 1;
    Segment segment{builder.getIndexAttr(0), builder.getIndexAttr(ends[level]),
                    step, 1, false};
    return buildLoop(
        builder, location, segment, carried,
        [&](OpFoldResult index, ValueRange values) {
          at[level] = index;
          return nest(level + 1, values);
        },
        isCarried ? LoopKind::Sequential : LoopKind::Parallel);
  };
  SmallVector<Value> results =
      nest(0, isCarried ? ValueRange(target) : ValueRange());
  return isCarried ? results.front() : target;
}

/// a * scale + b.
static OpFoldResult scaleAndAdd(OpBuilder &builder, Location location,
                                OpFoldResult a, int64_t scale, int64_t b) {
  return affine::makeComposedFoldedAffineApply(
      builder, location,
      AffineMap::get(1, 0, builder.getAffineDimExpr(0) * scale + b), {a});
}

/// The linear index of a tile.
static OpFoldResult getTileNumber(OpBuilder &builder, Location location,
                                  const WinogradShape &shape,
                                  const Tile &tile) {
  AffineExpr image = builder.getAffineDimExpr(0);
  AffineExpr down = builder.getAffineDimExpr(1);
  AffineExpr across = builder.getAffineDimExpr(2);
  AffineExpr number =
      (image * shape.tilesDown + down) * shape.tilesAcross + across;
  return affine::makeComposedFoldedAffineApply(
      builder, location, AffineMap::get(3, 0, number),
      {tile.image, tile.down, tile.across});
}

static SmallVector<Value> toValues(OpBuilder &builder, Location location,
                                   ArrayRef<OpFoldResult> indices) {
  return llvm::map_to_vector(indices, [&](OpFoldResult index) {
    return getValueOrCreateConstantIndexOp(builder, location, index);
  });
}

/// The row, or the column, of output `number` of a tile; that of the last one
/// before `end` if the tile reaches beyond it.
static OpFoldResult getOutput(OpBuilder &builder, Location location,
                              OpFoldResult tile, int64_t outputs,
                              int64_t number, int64_t end) {
  if (end % outputs == 0)
    return scaleAndAdd(builder, location, tile, outputs, number);
  AffineExpr at = builder.getAffineDimExpr(0) * outputs + number;
  AffineExpr last = builder.getAffineConstantExpr(end - 1);
  return affine::makeComposedFoldedAffineMin(
      builder, location, AffineMap::get(1, 0, {at, last}, builder.getContext()),
      {tile});
}

static Value emitRead(OpBuilder &builder, Location location, Value source,
                      ArrayRef<OpFoldResult> indices, int64_t lanes,
                      Value padding) {
  auto type = VectorType::get({lanes}, padding.getType());
  return vector::TransferReadOp::create(builder, location, type, source,
                                        toValues(builder, location, indices),
                                        padding, ArrayRef<bool>{true});
}

/// Returns the new tensor, or the buffer.
static Value emitWrite(OpBuilder &builder, Location location, Value value,
                       Value target, ArrayRef<OpFoldResult> indices) {
  auto write = vector::TransferWriteOp::create(
      builder, location, value, target, toValues(builder, location, indices),
      ArrayRef<bool>{true});
  return write->getNumResults() == 0 ? target : write.getResult();
}

static Value emitZero(OpBuilder &builder, Location location, Value source) {
  Type element = getElementTypeOrSelf(source.getType());
  return arith::ConstantOp::create(builder, location,
                                   builder.getZeroAttr(element));
}

Value codegen::emitInputTransform(OpBuilder &builder, Location location,
                                  const CookToom &transform,
                                  const WinogradShape &shape, Value image,
                                  Value target) {
  int64_t size = transform.products;
  int64_t lanes = getLanesOf(shape.channels, shape.mostLanes);
  Value zero = emitZero(builder, location, image);
  return emitTileLoops(
      builder, location, shape, lanes, target,
      [&](const Tile &tile, Value result) {
        SmallVector<Value> block;
        for (int64_t row = 0; row < size; ++row)
          for (int64_t column = 0; column < size; ++column)
            block.push_back(
                emitRead(builder, location, image,
                         {tile.image,
                          scaleAndAdd(builder, location, tile.down,
                                      transform.outputs, row),
                          scaleAndAdd(builder, location, tile.across,
                                      transform.outputs, column),
                          tile.channel},
                         lanes, zero));
        block = emitOnBothSides(builder, location, transform.input, block);
        OpFoldResult number = getTileNumber(builder, location, shape, tile);
        for (auto [place, value] : llvm::enumerate(block))
          result =
              emitWrite(builder, location, value, result,
                        {builder.getIndexAttr(place), number, tile.channel});
        return result;
      });
}

/// Writes the outputs of a tile. Where it reaches beyond the image, its last
/// row and column overwrite those after them: the last output of all is written
/// first.
static Value emitOutputs(OpBuilder &builder, Location location,
                         const CookToom &transform, const Tile &tile,
                         SmallVector<Value> block, Value result,
                         FinishVector finish) {
  int64_t outputs = transform.outputs;
  auto type = cast<ShapedType>(result.getType());
  SmallVector<SmallVector<OpFoldResult>> places;
  for (int64_t row = 0; row < outputs; ++row)
    for (int64_t column = 0; column < outputs; ++column)
      places.push_back({tile.image,
                        getOutput(builder, location, tile.down, outputs, row,
                                  type.getDimSize(1)),
                        getOutput(builder, location, tile.across, outputs,
                                  column, type.getDimSize(2)),
                        tile.channel});
  for (auto [value, indices] : llvm::zip_equal(block, places))
    value = finish(value, indices);
  for (auto [value, indices] : llvm::reverse(llvm::zip_equal(block, places)))
    result = emitWrite(builder, location, value, result, indices);
  return result;
}

Value codegen::emitOutputTransform(OpBuilder &builder, Location location,
                                   const CookToom &transform,
                                   const WinogradShape &shape, Value products,
                                   Value target, FinishVector finish) {
  int64_t size = transform.products;
  int64_t lanes = getLanesOf(shape.channels, shape.mostLanes);
  Value zero = emitZero(builder, location, products);
  return emitTileLoops(
      builder, location, shape, lanes, target,
      [&](const Tile &tile, Value result) {
        OpFoldResult number = getTileNumber(builder, location, shape, tile);
        SmallVector<Value> block;
        for (int64_t place = 0; place < size * size; ++place)
          block.push_back(
              emitRead(builder, location, products,
                       {builder.getIndexAttr(place), number, tile.channel},
                       lanes, zero));
        block = emitOnBothSides(builder, location, transform.output, block);
        return emitOutputs(builder, location, transform, tile, std::move(block),
                           result, finish);
      });
}
