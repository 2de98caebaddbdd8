//===- LowerConvolutions.cpp - Convolutions of bytes in linalg ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerConvolutions.h"
#include "mlir-prof/Codegen/SmallCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// A tensor of `type` whose innermost dimension is `values`, or all of which is
/// the only one.
static Value spread(ImplicitLocOpBuilder &builder, Value values,
                    RankedTensorType type) {
  Value empty =
      tensor::EmptyOp::create(builder, type.getShape(), type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  bool isOne = cast<RankedTensorType>(values.getType()).getNumElements() == 1;
  AffineMap read = isOne ? AffineMap::get(type.getRank(), 0,
                                          builder.getAffineConstantExpr(0))
                         : identity.getMinorSubMap(1);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, TypeRange{type}, ValueRange{values}, ValueRange{empty},
             ArrayRef<AffineMap>{read, identity}, iterators,
             [](OpBuilder &body, Location location, ValueRange inputs) {
               linalg::YieldOp::create(body, location, inputs[0]);
             })
      .getResult(0);
}

/// `value`, of rank 4, with its last two dimensions as one.
static Value joinLast(ImplicitLocOpBuilder &builder, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.back() *= type.getShape().back();
  SmallVector<ReassociationIndices> groups = {{0}, {1}, {2, 3}};
  return tensor::CollapseShapeOp::create(builder, type.clone(shape), value,
                                         groups);
}

/// Adds a product of bytes to a sum of 32 bits.
static void addProduct(OpBuilder &builder, Location location,
                       ValueRange values) {
  Type word = builder.getI32Type();
  Value left = arith::ExtSIOp::create(builder, location, word, values[0]);
  Value right = arith::ExtSIOp::create(builder, location, word, values[1]);
  Value product = arith::MulIOp::create(builder, location, left, right);
  Value sum = arith::AddIOp::create(builder, location, values[2], product);
  linalg::YieldOp::create(builder, location, sum);
}

void codegen::lowerByRows(tosa::Conv2DOp op) {
  constexpr int64_t group = 4;
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  auto weights = cast<RankedTensorType>(op.getWeight().getType());
  int64_t channels = weights.getDimSize(3), taps = weights.getDimSize(2);
  if (taps == 1 || channels * taps < group || op.getDilation()[1] != 1)
    return;
  // The number of channels is a part of this form, but not of others' code.
  if (channels % group == 0 &&
      op->getParentOfType<func::FuncOp>()->hasAttr(kSmallCode))
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value start = spread(builder, op.getBias(), type);
  // Batch, rows, columns and filters of the result; rows of the window and
  // numbers in one of them.
  AffineExpr n, y, x, f, row, at;
  bindDims(builder.getContext(), n, y, x, f, row, at);
  AffineExpr line = y * op.getStride()[0] + row * op.getDilation()[0];
  AffineExpr place = x * (op.getStride()[1] * channels) + at;
  SmallVector<AffineMap> maps = AffineMap::inferFromExprList(
      {ArrayRef<AffineExpr>{n, line, place}, ArrayRef<AffineExpr>{f, row, at},
       ArrayRef<AffineExpr>{n, y, x, f}},
      builder.getContext());
  SmallVector<utils::IteratorType> iterators(4, utils::IteratorType::parallel);
  iterators.append(2, utils::IteratorType::reduction);
  auto made =
      linalg::GenericOp::create(builder, TypeRange{type},
                                ValueRange{joinLast(builder, op.getInput()),
                                           joinLast(builder, op.getWeight())},
                                ValueRange{start}, maps, iterators, addProduct);
  op.getOutput().replaceAllUsesWith(made.getResult(0));
  op.erase();
}

void codegen::lowerDepthwise(tosa::DepthwiseConv2DOp op) {
  if (cast<RankedTensorType>(op.getWeight().getType()).getDimSize(3) != 1)
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  Value start = spread(builder, op.getBias(), type);
  Value filters = joinLast(builder, op.getWeight());
  auto made = linalg::DepthwiseConv2DNhwcHwcOp::create(
      builder, TypeRange{type}, ValueRange{op.getInput(), filters},
      ValueRange{start}, builder.getI64VectorAttr(op.getStride()),
      builder.getI64VectorAttr(op.getDilation()));
  op.getOutput().replaceAllUsesWith(made.getResult(0));
  op.erase();
}
