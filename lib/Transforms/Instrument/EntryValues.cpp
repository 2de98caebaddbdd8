//===- EntryValues.cpp - Numbers among the arguments of a call ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/EntryValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

bool transforms::operator==(const EntryValue &a, const EntryValue &b) {
  return a.argument == b.argument && a.dimension == b.dimension;
}

std::string EntryValue::getText() const {
  return dimension ? llvm::formatv("arg{0}.dim{1}", argument, *dimension).str()
                   : llvm::formatv("arg{0}", argument).str();
}

std::optional<EntryValue> transforms::parseEntryValue(StringRef text) {
  EntryValue value;
  if (!text.consume_front("arg") || text.consumeInteger(10, value.argument))
    return std::nullopt;
  if (text.empty())
    return value;
  unsigned dimension = 0;
  if (!text.consume_front(".dim") || text.getAsInteger(10, dimension))
    return std::nullopt;
  value.dimension = dimension;
  return value;
}

SmallVector<EntryValue> transforms::getEntryDimensions(func::FuncOp function) {
  SmallVector<EntryValue> values;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!isa<RankedTensorType, MemRefType>(type))
      continue;
    for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
      if (shaped.isDynamicDim(dim))
        values.push_back({unsigned(index), unsigned(dim)});
  }
  return values;
}

static bool isNumber(Type type) {
  if (isa<RankedTensorType, MemRefType>(type)) {
    auto shaped = cast<ShapedType>(type);
    if (!shaped.hasStaticShape() || shaped.getNumElements() != 1)
      return false;
    type = shaped.getElementType();
  }
  return type.isIndex() ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() >= 1 &&
          type.getIntOrFloatBitWidth() <= 64);
}

SmallVector<EntryValue> transforms::getEntryNumbers(func::FuncOp function) {
  SmallVector<EntryValue> values;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isNumber(type))
      values.push_back({unsigned(index), std::nullopt});
  return values;
}

Value transforms::readEntryValue(OpBuilder &builder, func::FuncOp function,
                                 const EntryValue &value) {
  Location location = function.getLoc();
  Value argument = function.getArgument(value.argument);
  bool isMemRef = isa<MemRefType>(argument.getType());
  if (value.dimension) {
    Value number =
        arith::ConstantIndexOp::create(builder, location, *value.dimension);
    if (isMemRef)
      return memref::DimOp::create(builder, location, argument, number);
    return tensor::DimOp::create(builder, location, argument, number);
  }
  auto shaped = dyn_cast<ShapedType>(argument.getType());
  if (!shaped)
    return argument;
  SmallVector<Value> indices;
  if (shaped.getRank() > 0)
    indices.assign(shaped.getRank(),
                   arith::ConstantIndexOp::create(builder, location, 0));
  if (isMemRef)
    return memref::LoadOp::create(builder, location, argument, indices);
  return tensor::ExtractOp::create(builder, location, argument, indices);
}
