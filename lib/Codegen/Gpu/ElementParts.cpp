//===- ElementParts.cpp - Elements of padded and joined tensors ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

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
  ArrayRef<int64_t> shape = pad.getSourceType().getShape();
  for (auto [dim, low] : llvm::enumerate(pad.getMixedLowPad())) {
    std::optional<int64_t> amount = getConstantIntValue(low);
    if (!amount)
      return refuseElements(op, "the size of its border is not known");
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
      return refuseElements(op,
                            "it does not insert a dense part of known size");
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
    int64_t begin =
        end - cast<RankedTensorType>(source.getType()).getDimSize(dim);
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
