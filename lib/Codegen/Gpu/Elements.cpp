//===- Elements.cpp - Code that computes one element ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

LogicalResult codegen::refuseElements(Operation *op, const Twine &why) {
  return op->emitOpError("cannot be computed on a GPU: ") << why;
}

//===----------------------------------------------------------------------===//
// Known elements
//===----------------------------------------------------------------------===//

void ElementBuilder::define(Value tensor, Maker maker) {
  makers[tensor] = std::move(maker);
}

/// Whether `value` may be used in `block`.
static bool isVisible(Value value, Block *block) {
  return value.getParentBlock()->findAncestorOpInBlock(*block->getParentOp()) ||
         value.getParentBlock() == block;
}

FailureOr<Value> ElementBuilder::get(Value tensor, ArrayRef<Value> indices) {
  if (auto maker = makers.find(tensor); maker != makers.end())
    return maker->second(indices);
  for (const Known &entry : known[tensor])
    if (ArrayRef<Value>(entry.indices) == indices &&
        isVisible(entry.value, builder.getInsertionBlock()))
      return entry.value;
  FailureOr<Value> value = make(tensor, indices);
  if (succeeded(value))
    known[tensor].push_back({SmallVector<Value>(indices), *value});
  return value;
}

FailureOr<Value>
ElementBuilder::choose(Location location, Value condition,
                       llvm::function_ref<FailureOr<Value>()> ifTrue,
                       llvm::function_ref<FailureOr<Value>()> ifFalse) {
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return constant.isZero() ? ifFalse() : ifTrue();
  OpBuilder::InsertionGuard guard(builder);
  // The type of the result is that of the values.
  auto make =
      [&](Block *block,
          llvm::function_ref<FailureOr<Value>()> branch) -> FailureOr<Value> {
    builder.setInsertionPointToEnd(block);
    FailureOr<Value> value = branch();
    if (succeeded(value))
      scf::YieldOp::create(builder, location, *value);
    return value;
  };
  auto fork = scf::IfOp::create(builder, location, TypeRange(), condition,
                                /*withElseRegion=*/true);
  fork.thenBlock()->getTerminator()->erase();
  fork.elseBlock()->getTerminator()->erase();
  FailureOr<Value> first = make(fork.thenBlock(), ifTrue);
  FailureOr<Value> second = make(fork.elseBlock(), ifFalse);
  if (failed(first) || failed(second))
    return failure();
  builder.setInsertionPointAfter(fork);
  auto typed = scf::IfOp::create(builder, location, first->getType(), condition,
                                 /*withElseRegion=*/true);
  typed.getThenRegion().takeBody(fork.getThenRegion());
  typed.getElseRegion().takeBody(fork.getElseRegion());
  fork.erase();
  return typed.getResult(0);
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

static SmallVector<Value> expand(IndexBuilder &math, ArrayRef<Value> indices,
                                 ArrayRef<ReassociationIndices> groups,
                                 ArrayRef<int64_t> shape) {
  SmallVector<Value> result;
  for (auto [index, group] : llvm::zip_equal(indices, groups))
    llvm::append_range(
        result, math.split(index, shape.slice(group.front(), group.size())));
  return result;
}

static SmallVector<Value> collapse(IndexBuilder &math, ArrayRef<Value> indices,
                                   ArrayRef<ReassociationIndices> groups,
                                   ArrayRef<int64_t> shape) {
  SmallVector<Value> result;
  for (const ReassociationIndices &group : groups)
    result.push_back(math.join(indices.slice(group.front(), group.size()),
                               shape.slice(group.front(), group.size())));
  return result;
}

/// The indices in the source of `slice` of its element at `indices`.
static SmallVector<Value> getSourceIndices(IndexBuilder &math,
                                           tensor::ExtractSliceOp slice,
                                           ArrayRef<Value> indices) {
  auto getValue = [&](OpFoldResult value) {
    std::optional<int64_t> known = getConstantIntValue(value);
    return known ? math.constant(*known) : cast<Value>(value);
  };
  SmallVector<Value> result;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  const Value *next = indices.begin();
  for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    Value place = getValue(offset);
    if (!dropped.test(dim))
      place = math.add(
          place,
          math.multiply(*next++, getValue(slice.getMixedStrides()[dim])));
    result.push_back(place);
  }
  return result;
}

FailureOr<Value> ElementBuilder::make(Value tensor, ArrayRef<Value> indices) {
  Operation *op = tensor.getDefiningOp();
  assert(op && "kernels take buffers");
  Location location = op->getLoc();
  IndexBuilder math(builder, location);
  if (auto read = dyn_cast<bufferization::ToTensorOp>(op))
    return Value(
        memref::LoadOp::create(builder, location, read.getBuffer(), indices));
  if (auto structured = dyn_cast<LinalgOp>(op))
    return getStructured(structured, cast<OpResult>(tensor).getResultNumber(),
                         indices);
  if (auto placed = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return get(placed.getSource(), indices);
  if (isa<tensor::CastOp>(op))
    return get(op->getOperand(0), indices);
  if (auto view = dyn_cast<tensor::ExpandShapeOp>(op))
    return get(view.getSrc(),
               collapse(math, indices, view.getReassociationIndices(),
                        view.getType().getShape()));
  if (auto view = dyn_cast<tensor::CollapseShapeOp>(op))
    return get(view.getSrc(),
               expand(math, indices, view.getReassociationIndices(),
                      view.getSrcType().getShape()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return get(slice.getSource(), getSourceIndices(math, slice, indices));
  if (isa<tensor::PadOp>(op))
    return getPadded(op, indices);
  if (isa<tensor::InsertSliceOp>(op))
    return getInserted(op, indices);
  if (isa<tensor::ConcatOp>(op))
    return getPart(op, indices);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return splat.getInput();
  if (auto generate = dyn_cast<tensor::GenerateOp>(op)) {
    IRMapping values;
    values.map(generate.getBody().getArguments(), indices);
    FailureOr<ElementValues> made =
        copyBody(generate.getBody().front(), indices, values);
    return failed(made) ? FailureOr<Value>(failure())
                        : FailureOr<Value>(made->front());
  }
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  SplatElementsAttr splat;
  if (matchPattern(tensor, m_Constant(&splat)))
    return Value(arith::ConstantOp::create(
        builder, location, cast<TypedAttr>(splat.getSplatValue<Attribute>())));
  // Its content does not matter.
  if (isa<tensor::EmptyOp>(op))
    return Value(arith::ConstantOp::create(builder, location,
                                           builder.getZeroAttr(element)));
  return refuseElements(op, "there is no code for its elements");
}
