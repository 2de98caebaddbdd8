//===- Loops.cpp - Loops of a nest ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "../Marks.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The largest multiple of `step` that is not above `size`.
static OpFoldResult roundDown(OpBuilder &builder, Location location,
                              OpFoldResult size, int64_t step) {
  AffineExpr expr = getAffineSymbolExpr(0, builder.getContext());
  return affine::makeComposedFoldedAffineApply(
      builder, location, expr.floorDiv(step) * step, {size});
}

/// `size` less `rest`.
static OpFoldResult subtract(OpBuilder &builder, Location location,
                             OpFoldResult size, int64_t rest) {
  return affine::makeComposedFoldedAffineApply(
      builder, location, builder.getAffineSymbolExpr(0) - rest, {size});
}

/// The segments of vectors of a size that is not constant but leaves `rest`.
static SmallVector<Segment> cutRest(OpBuilder &builder, Location location,
                                    OpFoldResult size, int64_t lanes,
                                    int64_t count, int64_t rest) {
  int64_t whole = rest / lanes, single = rest % lanes;
  OpFoldResult mainEnd = subtract(builder, location, size, rest),
               wholeEnd = subtract(builder, location, size, single);
  SmallVector<Segment> segments = {
      {builder.getIndexAttr(0), mainEnd, lanes * count, count, false}};
  if (whole)
    segments.push_back({mainEnd, wholeEnd, whole * lanes, whole, false, true});
  if (single)
    segments.push_back({wholeEnd, size, lanes, 1, true, true});
  return segments;
}

SmallVector<Segment> codegen::cutVectors(OpBuilder &builder, Location location,
                                         OpFoldResult size, int64_t lanes,
                                         int64_t count,
                                         std::optional<int64_t> rest) {
  OpFoldResult zero = builder.getIndexAttr(0);
  SmallVector<Segment> segments;
  if (std::optional<int64_t> constant = getConstantIntValue(size)) {
    int64_t main = *constant / (lanes * count) * (lanes * count);
    int64_t whole = *constant / lanes * lanes;
    OpFoldResult mainEnd = builder.getIndexAttr(main);
    OpFoldResult wholeEnd = builder.getIndexAttr(whole);
    if (main > 0)
      segments.push_back({zero, mainEnd, lanes * count, count, false});
    if (whole > main)
      segments.push_back(
          {mainEnd, wholeEnd, whole - main, (whole - main) / lanes, false});
    if (*constant > whole)
      segments.push_back({wholeEnd, size, lanes, 1, true});
    return segments;
  }
  if (rest)
    return cutRest(builder, location, size, lanes, count, *rest);
  OpFoldResult wholeEnd = roundDown(builder, location, size, lanes);
  OpFoldResult begin = zero;
  if (count > 1) {
    OpFoldResult mainEnd = roundDown(builder, location, size, lanes * count);
    segments.push_back({zero, mainEnd, lanes * count, count, false});
    begin = mainEnd;
  }
  segments.push_back({begin, wholeEnd, lanes, 1, false});
  segments.push_back({wholeEnd, size, lanes, 1, true});
  return segments;
}

SmallVector<Segment> codegen::cutRows(OpBuilder &builder, Location location,
                                      OpFoldResult size, int64_t count,
                                      std::optional<int64_t> left) {
  OpFoldResult zero = builder.getIndexAttr(0);
  if (count == 1)
    return {{zero, size, 1, 1, false}};
  if (std::optional<int64_t> constant = getConstantIntValue(size)) {
    int64_t rest = *constant % count;
    OpFoldResult mainEnd = builder.getIndexAttr(*constant - rest);
    SmallVector<Segment> segments = {{zero, mainEnd, count, count, false}};
    if (rest)
      segments.push_back({mainEnd, size, rest, rest, false});
    return segments;
  }
  if (left) {
    OpFoldResult mainEnd = subtract(builder, location, size, *left);
    SmallVector<Segment> segments = {{zero, mainEnd, count, count, false}};
    if (*left)
      segments.push_back({mainEnd, size, *left, *left, false, true});
    return segments;
  }
  // The rest in ever smaller blocks: a single row would wait for its own sums.
  SmallVector<Segment> segments;
  OpFoldResult begin = zero;
  for (int64_t rows = count; rows > 1; rows /= 2) {
    AffineExpr first = getAffineSymbolExpr(0, builder.getContext());
    AffineExpr last = getAffineSymbolExpr(1, builder.getContext());
    OpFoldResult end = affine::makeComposedFoldedAffineApply(
        builder, location, first + (last - first).floorDiv(rows) * rows,
        {begin, size});
    segments.push_back({begin, end, rows, rows, false});
    begin = end;
  }
  segments.push_back({begin, size, 1, 1, false});
  return segments;
}

SmallVector<Value> codegen::buildLoop(OpBuilder &builder, Location location,
                                      const Segment &segment,
                                      ValueRange initial, LoopBody body,
                                      LoopKind kind) {
  std::optional<int64_t> begin = getConstantIntValue(segment.begin);
  std::optional<int64_t> end = getConstantIntValue(segment.end);
  if (begin && end && *begin >= *end)
    return initial;
  if (segment.isOnce || (begin && end && *end - *begin <= segment.step))
    return body(segment.begin, initial);
  auto toValue = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, location, value);
  };
  Value step = toValue(builder.getIndexAttr(segment.step));
  auto loop = scf::ForOp::create(builder, location, toValue(segment.begin),
                                 toValue(segment.end), step, initial);
  if (kind == LoopKind::Parallel)
    loop->setAttr(kParallelLoop, builder.getUnitAttr());
  if (segment.trips > 0 && !(begin && end))
    loop->setAttr(kExpectedTrips, builder.getI64IntegerAttr(segment.trips));
  OpBuilder::InsertionGuard guard(builder);
  // The builder adds a terminator to a loop that does not carry values.
  if (!initial.empty())
    builder.setInsertionPointToEnd(loop.getBody());
  else
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  SmallVector<Value> results =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(builder, location, results);
  return SmallVector<Value>(loop.getResults());
}
