//===- Indices.cpp - Arithmetic of indices --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

Value IndexBuilder::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, location, value);
}

Value IndexBuilder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(location, a, b);
}

Value IndexBuilder::subtract(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(location, a, b);
}

Value IndexBuilder::multiply(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(location, a, b);
}

Value IndexBuilder::divide(Value a, int64_t b) {
  return builder.createOrFold<arith::DivUIOp>(location, a, constant(b));
}

Value IndexBuilder::remainder(Value a, int64_t b) {
  if (b == 1)
    return constant(0);
  return builder.createOrFold<arith::RemUIOp>(location, a, constant(b));
}

Value IndexBuilder::exclusiveOr(Value a, Value b) {
  return builder.createOrFold<arith::XOrIOp>(location, a, b);
}

Value IndexBuilder::isBelow(Value a, int64_t b) {
  return builder.createOrFold<arith::CmpIOp>(
      location, arith::CmpIPredicate::ult, a, constant(b));
}

Value IndexBuilder::isInside(Value inside, Value index, int64_t size,
                             int64_t tile) {
  if (size % tile == 0)
    return inside;
  Value isBelowSize = isBelow(index, size);
  return inside ? Value(arith::AndIOp::create(builder, location, inside,
                                              isBelowSize))
                : isBelowSize;
}

Value IndexBuilder::evaluate(AffineExpr expression, ArrayRef<Value> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto number = dyn_cast<AffineConstantExpr>(expression))
    return constant(number.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Value left = evaluate(binary.getLHS(), dims);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return add(left, evaluate(binary.getRHS(), dims));
  case AffineExprKind::Mul:
    return multiply(left, evaluate(binary.getRHS(), dims));
  case AffineExprKind::FloorDiv:
    return divide(left, cast<AffineConstantExpr>(binary.getRHS()).getValue());
  case AffineExprKind::Mod:
    return remainder(left,
                     cast<AffineConstantExpr>(binary.getRHS()).getValue());
  default: {
    int64_t by = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    return divide(add(left, constant(by - 1)), by);
  }
  }
}

SmallVector<Value> IndexBuilder::evaluate(AffineMap map, ArrayRef<Value> dims) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expression) {
    return evaluate(expression, dims);
  });
}

SmallVector<Value> IndexBuilder::split(Value number, ArrayRef<int64_t> shape) {
  SmallVector<Value> indices(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    // The number is below the product of the sizes.
    bool isFirst = llvm::all_of(shape.take_front(dim),
                                [](int64_t size) { return size == 1; });
    if (shape[dim] == 1) {
      indices[dim] = constant(0);
      continue;
    }
    indices[dim] = isFirst ? number : remainder(number, shape[dim]);
    if (!isFirst)
      number = divide(number, shape[dim]);
  }
  return indices;
}

Value IndexBuilder::join(ArrayRef<Value> indices, ArrayRef<int64_t> shape) {
  Value number = constant(0);
  for (auto [index, size] : llvm::zip_equal(indices, shape))
    number = add(multiply(number, constant(size)), index);
  return number;
}
