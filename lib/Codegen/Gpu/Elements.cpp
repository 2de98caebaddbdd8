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

static ArrayRef<int64_t> getShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// Emits the error about an op without code.
static LogicalResult refuse(Operation *op, const Twine &why) {
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

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

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

/// Whether `index - offset` is below `size`, and the difference.
static std::pair<Value, Value> shift(IndexBuilder &math, Value index,
                                     Value offset, int64_t size) {
  Value inner = math.subtract(index, offset);
  return {math.isBelow(inner, size), inner};
}

FailureOr<Value> ElementBuilder::getPadded(Operation *op,
                                           ArrayRef<Value> indices) {
  auto pad = cast<tensor::PadOp>(op);
  IndexBuilder math(builder, op->getLoc());
  Value inside;
  SmallVector<Value> inner(indices);
  ArrayRef<int64_t> shape = getShape(pad.getSource());
  for (auto [dim, low] : llvm::enumerate(pad.getMixedLowPad())) {
    std::optional<int64_t> amount = getConstantIntValue(low);
    if (!amount)
      return refuse(op, "the size of its border is not known");
    if (shape[dim] == pad.getType().getDimSize(dim))
      continue;
    auto [isInner, index] =
        shift(math, indices[dim], math.constant(*amount), shape[dim]);
    inner[dim] = index;
    inside = inside ? builder.createOrFold<arith::AndIOp>(op->getLoc(), inside,
                                                          isInner)
                    : isInner;
  }
  if (!inside)
    return get(pad.getSource(), indices);
  return choose(
      op->getLoc(), inside, [&] { return get(pad.getSource(), inner); },
      [&]() -> FailureOr<Value> {
        IRMapping values;
        values.map(pad.getBody()->getArguments(), indices);
        FailureOr<ElementValues> border =
            copyBody(*pad.getBody(), indices, values);
        return failed(border) ? FailureOr<Value>(failure())
                              : FailureOr<Value>(border->front());
      });
}

FailureOr<Value> ElementBuilder::getInserted(Operation *op,
                                             ArrayRef<Value> indices) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  IndexBuilder math(builder, op->getLoc());
  Value inside;
  SmallVector<Value> inner;
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  for (auto [dim, index] : llvm::enumerate(indices)) {
    std::optional<int64_t> size =
        getConstantIntValue(insert.getMixedSizes()[dim]);
    std::optional<int64_t> stride =
        getConstantIntValue(insert.getMixedStrides()[dim]);
    if (!size || stride != 1)
      return refuse(op, "it does not insert a dense part of known size");
    OpFoldResult offset = insert.getMixedOffsets()[dim];
    std::optional<int64_t> known = getConstantIntValue(offset);
    if (known == 0 && *size == insert.getDestType().getDimSize(dim)) {
      inner.push_back(index);
      continue;
    }
    auto [isInner, shifted] =
        shift(math, index, known ? math.constant(*known) : cast<Value>(offset),
              *size);
    inside = inside ? builder.createOrFold<arith::AndIOp>(op->getLoc(), inside,
                                                          isInner)
                    : isInner;
    if (!dropped.test(dim))
      inner.push_back(shifted);
  }
  if (!inside)
    return get(insert.getSource(), inner);
  return choose(
      op->getLoc(), inside, [&] { return get(insert.getSource(), inner); },
      [&] { return get(insert.getDest(), indices); });
}

FailureOr<Value> ElementBuilder::getPart(Operation *op,
                                         ArrayRef<Value> indices) {
  auto concat = cast<tensor::ConcatOp>(op);
  uint64_t dim = concat.getDim();
  IndexBuilder math(builder, op->getLoc());
  int64_t end = concat.getResultType().getDimSize(dim);
  // From the last part to the first.
  std::function<FailureOr<Value>(size_t, int64_t)> choosePart =
      [&](size_t part, int64_t end) -> FailureOr<Value> {
    Value source = concat.getInputs()[part];
    int64_t begin = end - getShape(source)[dim];
    auto getThis = [&, source] {
      SmallVector<Value> inner(indices);
      inner[dim] = IndexBuilder(builder, op->getLoc())
                       .subtract(indices[dim], math.constant(begin));
      return get(source, inner);
    };
    if (part == 0)
      return getThis();
    Value isBefore = math.isBelow(indices[dim], begin);
    return choose(
        op->getLoc(), isBefore, [&] { return choosePart(part - 1, begin); },
        getThis);
  };
  return choosePart(concat.getInputs().size() - 1, end);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Copies the ops of `body` and returns what it yields. `values` has its
/// arguments; `dims` are the values of linalg.index.
FailureOr<ElementValues>
ElementBuilder::copyBody(Block &body, ArrayRef<Value> dims, IRMapping &values) {
  for (Operation &op : body.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      values.map(index.getResult(), dims[index.getDim()]);
      continue;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      SmallVector<Value> indices;
      for (Value index : extract.getIndices())
        indices.push_back(values.lookupOrDefault(index));
      FailureOr<Value> element =
          get(values.lookupOrDefault(extract.getTensor()), indices);
      if (failed(element))
        return failure();
      values.map(extract.getResult(), *element);
      continue;
    }
    WalkResult inner = op.walk([](Operation *nested) {
      return isa<tensor::ExtractOp, linalg::IndexOp>(nested)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (inner.wasInterrupted())
      return refuse(&op, "a branch of a body reads a tensor");
    builder.clone(op, values);
  }
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value yielded) { return values.lookupOrDefault(yielded); });
}

FailureOr<ElementValues> ElementBuilder::computeBody(LinalgOp op,
                                                     ArrayRef<Value> dims,
                                                     ArrayRef<Value> outputs) {
  Block &body = op->getRegion(0).front();
  IRMapping values;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    if (!isa<RankedTensorType>(input->get().getType())) {
      values.map(argument, input->get());
      continue;
    }
    IndexBuilder math(builder, op->getLoc());
    FailureOr<Value> element = get(
        input->get(), math.evaluate(op.getMatchingIndexingMap(input), dims));
    if (failed(element))
      return failure();
    values.map(argument, *element);
  }
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), outputs))
    values.map(argument, value);
  return copyBody(body, dims, values);
}

FailureOr<ElementValues> ElementBuilder::computeBody(LinalgOp op,
                                                     ArrayRef<Value> dims,
                                                     ArrayRef<Value> inputs,
                                                     ArrayRef<Value> outputs) {
  IRMapping values;
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionInputArgs(), inputs))
    values.map(argument, value);
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), outputs))
    values.map(argument, value);
  return copyBody(op->getRegion(0).front(), dims, values);
}

FailureOr<SmallVector<Value>>
codegen::getIteration(LinalgOp op, unsigned result, ArrayRef<Value> indices) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  SmallVector<Value> dims(op.getNumLoops());
  for (auto [expression, index] : llvm::zip_equal(map.getResults(), indices)) {
    auto dim = dyn_cast<AffineDimExpr>(expression);
    if (dim)
      dims[dim.getPosition()] = index;
    else if (!isa<AffineConstantExpr>(expression))
      return refuse(op, "it does not index its result by single loops");
  }
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if ((kind == utils::IteratorType::parallel) != bool(dims[dim])) {
      if (kind == utils::IteratorType::parallel &&
          op.getStaticLoopRanges()[dim] == 1)
        continue;
      return refuse(op, "it writes elements of its result several times");
    }
  return dims;
}

/// The element of result `number` of `op` at `indices`.
FailureOr<Value> ElementBuilder::getStructured(LinalgOp op, unsigned number,
                                               ArrayRef<Value> indices) {
  FailureOr<SmallVector<Value>> dims = getIteration(op, number, indices);
  if (failed(dims))
    return failure();
  Location location = op.getLoc();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [dim, value] : llvm::enumerate(*dims))
    if (!value &&
        op.getIteratorTypesArray()[dim] == utils::IteratorType::parallel)
      value = IndexBuilder(builder, location).constant(0);
  bool isReduction = op.getNumReductionLoops() != 0;
  ElementValues state;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!isReduction && op.getMatchingBlockArgument(&init).use_empty()) {
      state.push_back(Value());
      continue;
    }
    SmallVector<Value> place;
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (AffineExpr expression : map.getResults())
      place.push_back(
          IndexBuilder(builder, location).evaluate(expression, *dims));
    FailureOr<Value> value = get(init.get(), place);
    if (failed(value))
      return failure();
    state.push_back(*value);
  }
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<scf::ForOp> loops;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if ((*dims)[dim])
      continue;
    IndexBuilder math(builder, location);
    auto loop =
        scf::ForOp::create(builder, location, math.constant(0),
                           math.constant(size), math.constant(1), state);
    loops.push_back(loop);
    (*dims)[dim] = loop.getInductionVar();
    state.assign(loop.getRegionIterArgs().begin(),
                 loop.getRegionIterArgs().end());
    builder.setInsertionPointToStart(loop.getBody());
  }
  FailureOr<ElementValues> results = computeBody(op, *dims, state);
  if (failed(results))
    return failure();
  for (scf::ForOp loop : llvm::reverse(loops)) {
    builder.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(builder, location, *results);
    results->assign(loop.getResults().begin(), loop.getResults().end());
  }
  // Other results at the same place.
  for (auto [index, value] : llvm::enumerate(*results))
    if (index != number &&
        op.getMatchingIndexingMap(op.getDpsInitOperand(index)) ==
            op.getMatchingIndexingMap(op.getDpsInitOperand(number)))
      known[op->getResult(index)].push_back(
          {SmallVector<Value>(indices), value});
  return (*results)[number];
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
                      getShape(view.getSrc())));
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
  return refuse(op, "there is no code for its elements");
}
