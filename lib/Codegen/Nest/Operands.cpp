//===- Operands.cpp - Loads of a nest -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

SmallVector<Value> OperandLoader::getIndices(AffineMap map, int64_t row,
                                             int64_t lane) {
  MLIRContext *context = builder.getContext();
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults()) {
    AffineExpr vectorDim = getAffineDimExpr(plan.vectorDim, context);
    expr = expr.replace(vectorDim, vectorDim + lane);
    if (plan.rowDim) {
      AffineExpr rowDim = getAffineDimExpr(*plan.rowDim, context);
      expr = expr.replace(rowDim, rowDim + row);
    }
    OpFoldResult index = affine::makeComposedFoldedAffineApply(
        builder, location, AffineMap::get(map.getNumDims(), 0, expr),
        position.indices);
    indices.push_back(
        getValueOrCreateConstantIndexOp(builder, location, index));
  }
  return indices;
}

Value OperandLoader::getIndex(unsigned dim, int64_t row, int64_t vector) {
  unsigned loops = position.indices.size();
  AffineMap map =
      AffineMap::get(loops, 0, getAffineDimExpr(dim, builder.getContext()));
  Value index = getIndices(map, row, vector * plan.lanes).front();
  if (dim != plan.vectorDim)
    return index;
  auto type = VectorType::get({plan.lanes}, builder.getIndexType());
  Value base = vector::BroadcastOp::create(builder, location, type, index);
  Value step = vector::StepOp::create(builder, location, type);
  return arith::AddIOp::create(builder, location, base, step);
}

Value OperandLoader::loadScalar(const NestOperand &operand, int64_t row) {
  if (!isa<ShapedType>(operand.value.getType()))
    return operand.value;
  return memref::LoadOp::create(builder, location, operand.value,
                                getIndices(operand.map, row, 0));
}

static Type getElement(const NestOperand &operand) {
  return getElementTypeOrSelf(operand.value.getType());
}

static Value createZero(OpBuilder &builder, Location location, Type type) {
  return arith::ConstantOp::create(builder, location,
                                   builder.getZeroAttr(type));
}

static AffineMapAttr getLastDim(OpBuilder &builder, unsigned rank) {
  return AffineMapAttr::get(
      AffineMap::getMinorIdentityMap(rank, 1, builder.getContext()));
}

Value OperandLoader::loadAt(Value buffer, ValueRange indices, int64_t row,
                            int64_t vector) {
  SmallVector<Value> places(indices);
  if (places.empty() || !isa<VectorType>(places.back().getType()))
    return memref::LoadOp::create(builder, location, buffer, places);
  AffineMap first = AffineMap::get(position.indices.size(), 0,
                                   builder.getAffineDimExpr(plan.vectorDim));
  places.back() = getIndices(first, row, vector * plan.lanes).front();
  Type element = getElementTypeOrSelf(buffer.getType());
  return vector::TransferReadOp::create(
      builder, location, VectorType::get({plan.lanes}, element), buffer, places,
      getLastDim(builder, places.size()),
      createZero(builder, location, element), position.mask,
      builder.getBoolArrayAttr({true}));
}

/// Whether the operand is in panels of whole vectors, the last one as large as
/// the others, so that any lane may be read.
static bool isFilledUp(const NestOperand &operand, int64_t lanes) {
  int64_t panel = operand.alongVector.panel;
  return panel != 0 && panel % lanes == 0 &&
         cast<ShapedType>(operand.value.getType()).getShape().back() == panel;
}

Value OperandLoader::loadContiguous(const NestOperand &operand, int64_t row,
                                    int64_t vector) {
  Type element = getElement(operand);
  auto type = VectorType::get({plan.lanes}, element);
  SmallVector<Value> indices =
      getIndices(operand.map, row, vector * plan.lanes);
  return vector::TransferReadOp::create(
      builder, location, type, operand.value, indices,
      getLastDim(builder, indices.size()),
      createZero(builder, location, element),
      isFilledUp(operand, plan.lanes) ? Value() : position.mask,
      builder.getBoolArrayAttr({true}));
}

Value OperandLoader::loadRun(const NestOperand &operand, int64_t row,
                             int64_t vector, int64_t count, int64_t valid) {
  Type element = getElement(operand);
  auto type = VectorType::get({count}, element);
  SmallVector<Value> indices =
      getIndices(operand.map, row, vector * plan.lanes);
  Value mask;
  if (valid < count)
    mask = vector::ConstantMaskOp::create(
        builder, location, VectorType::get({count}, builder.getI1Type()),
        ArrayRef<int64_t>{valid});
  return vector::TransferReadOp::create(builder, location, type, operand.value,
                                        indices,
                                        getLastDim(builder, indices.size()),
                                        createZero(builder, location, element),
                                        mask, builder.getBoolArrayAttr({true}));
}

Value OperandLoader::loadEveryNth(const NestOperand &operand, int64_t row,
                                  int64_t vector) {
  int64_t stride = operand.alongVector.stride, lanes = plan.lanes;
  Type element = getElement(operand);
  auto type = VectorType::get({lanes}, element);
  Value result;
  for (int64_t part = 0; part < stride; ++part) {
    // The last part ends at the last lane: without a mask, all elements read
    // are valid.
    int64_t begin = std::min(part * lanes, (lanes - 1) * (stride - 1));
    SmallVector<AffineExpr> results(operand.map.getResults());
    results.back() = results.back() + begin;
    AffineMap map = AffineMap::get(operand.map.getNumDims(), 0, results,
                                   builder.getContext());
    SmallVector<Value> indices = getIndices(map, row, vector * lanes);
    Value loaded = vector::TransferReadOp::create(
        builder, location, type, operand.value, indices,
        getLastDim(builder, indices.size()),
        createZero(builder, location, element), Value(),
        builder.getBoolArrayAttr({!position.mask}));
    // Lanes of the previous parts are kept, or do not matter.
    SmallVector<int64_t> mask;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t offset = lane * stride - begin;
      bool isHere = offset >= 0 && offset < lanes;
      mask.push_back(isHere ? (result ? lanes : 0) + offset : lane);
    }
    result = vector::ShuffleOp::create(builder, location,
                                       result ? result : loaded, loaded, mask);
  }
  return result;
}

/// The elements of all groups that share a vector are contiguous: each lane
/// gets its group's element, whose place in the group is a constant.
Value OperandLoader::loadGroups(const NestOperand &operand, int64_t row,
                                int64_t vector) {
  const Access &access = operand.alongVector;
  int64_t inner = *getConstantIntValue(position.indices[access.inner]);
  SmallVector<AffineExpr> results(operand.map.getResults());
  results.back() = results.back() - inner;
  NestOperand block = operand;
  block.map = AffineMap::get(operand.map.getNumDims(), 0, results,
                             builder.getContext());
  int64_t count = plan.lanes / access.group * access.stride;
  Value elements = loadRun(block, row, vector, count, count);
  SmallVector<int64_t> mask;
  for (int64_t lane = 0; lane < plan.lanes; ++lane)
    mask.push_back(lane / access.group * access.stride + inner);
  return vector::ShuffleOp::create(builder, location, elements, elements, mask);
}

/// Whether `operand` has whole groups in each vector, at a constant place. Only
/// for the groups of the plan is it known that the inner loop stays in a group,
/// that all elements in between exist, and that they are few.
static bool hasWholeGroups(const NestOperand &operand, const NestPlan &plan,
                           const NestPosition &position) {
  const Access &access = operand.alongVector;
  const std::optional<JoinedGroups> &groups = plan.sharedGroups;
  return groups && access.kind == AccessKind::Grouped && !position.mask &&
         groups->filterDim == plan.vectorDim &&
         access.group == groups->filters && access.stride == groups->channels &&
         access.inner == groups->channelDim && plan.lanes % access.group == 0 &&
         getConstantIntValue(position.indices[access.inner]);
}

Value OperandLoader::loadLanes(const NestOperand &operand, int64_t row,
                               int64_t vector) {
  Value last;
  if (position.mask)
    last = getValueOrCreateConstantIndexOp(
        builder, location,
        affine::makeComposedFoldedAffineApply(
            builder, location,
            AffineMap::get(1, 0, builder.getAffineDimExpr(0) - 1),
            {position.validLanes}));
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < plan.lanes; ++lane) {
    SmallVector<Value> indices;
    if (!last) {
      indices = getIndices(operand.map, row, vector * plan.lanes + lane);
    } else {
      // Invalid lanes read the element of the last valid lane.
      Value index = arith::ConstantIndexOp::create(builder, location, lane);
      Value clamped = arith::MinSIOp::create(builder, location, index, last);
      NestPosition moved = position;
      AffineMap sum = AffineMap::get(
          2, 0, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1));
      moved.indices[plan.vectorDim] = affine::makeComposedFoldedAffineApply(
          builder, location, sum, {position.indices[plan.vectorDim], clamped});
      indices = OperandLoader(builder, location, plan, moved)
                    .getIndices(operand.map, row, vector * plan.lanes);
    }
    lanes.push_back(
        memref::LoadOp::create(builder, location, operand.value, indices));
  }
  auto type = VectorType::get({plan.lanes}, getElement(operand));
  return vector::FromElementsOp::create(builder, location, type, lanes);
}

SmallVector<Value> codegen::transposeBlock(OpBuilder &builder,
                                           Location location,
                                           SmallVector<Value> rows) {
  int64_t count = rows.size();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < count / 2; ++i) {
    low.append({i, count + i});
    high.append({count / 2 + i, count + count / 2 + i});
  }
  // Interleaving rows i and i + count/2 rotates the bits of an element's
  // position (row, column) by one; log2(count) interleavings swap rows and
  // columns.
  for (int64_t stage = 1; stage < count; stage *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < count / 2; ++i)
      for (ArrayRef<int64_t> mask : {ArrayRef(low), ArrayRef(high)})
        next.push_back(vector::ShuffleOp::create(builder, location, rows[i],
                                                 rows[i + count / 2], mask));
    rows = std::move(next);
  }
  return rows;
}

void OperandLoader::loadTransposed(const NestOperand &operand, int64_t vector) {
  Type element = getElement(operand);
  auto type = VectorType::get({plan.lanes}, element);
  SmallVector<Value> block;
  for (int64_t lane = 0; lane < plan.lanes; ++lane) {
    SmallVector<Value> indices =
        getIndices(operand.map, 0, vector * plan.lanes + lane);
    block.push_back(vector::TransferReadOp::create(
        builder, location, type, operand.value, indices,
        getLastDim(builder, indices.size()),
        createZero(builder, location, element), Value(),
        builder.getBoolArrayAttr({true})));
  }
  block = transposeBlock(builder, location, std::move(block));
  for (auto [row, value] : llvm::enumerate(block))
    loaded[{&operand, {row, vector}}] = value;
}

Value OperandLoader::load(const NestOperand &operand, int64_t row,
                          int64_t vector) {
  bool isScalar = operand.alongVector.kind == AccessKind::Invariant;
  int64_t keyRow = operand.alongRow.kind == AccessKind::Invariant ? 0 : row;
  std::pair<const NestOperand *, std::pair<int64_t, int64_t>> key = {
      &operand, {keyRow, isScalar ? 0 : vector}};
  if (Value value = loaded.lookup(key))
    return value;
  Value value;
  if (isScalar) {
    value = loadScalar(operand, row);
  } else if (operand.alongVector.kind == AccessKind::Contiguous) {
    value = loadContiguous(operand, row, vector);
  } else if (isEveryNth(operand.alongVector)) {
    value = loadEveryNth(operand, row, vector);
  } else if (hasWholeGroups(operand, plan, position)) {
    value = loadGroups(operand, row, vector);
  } else if (operand.alongRow.kind == AccessKind::Contiguous &&
             position.rows == plan.lanes && !position.mask) {
    loadTransposed(operand, vector);
    return loaded.lookup(key);
  } else {
    value = loadLanes(operand, row, vector);
  }
  loaded[key] = value;
  return value;
}
