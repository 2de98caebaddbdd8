//===- ScalarBody.cpp - Numbers that a body computes ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarBody.h"
#include "../Constants/Weights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Constants with more elements are not for computing with indices.
static constexpr int64_t kMostElements = 4096;

/// Bytes of an element of a resource; 0 if it does not have whole bytes.
static int64_t getBytes(Type type) {
  if (type.isIndex())
    return sizeof(int64_t);
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits % 8 == 0 ? bits / 8 : 0;
}

/// The elements of `value`, if it is a small constant.
static DenseElementsAttr readConstant(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Attribute attribute;
  if (!type || !type.hasStaticShape() ||
      type.getNumElements() > kMostElements ||
      !matchPattern(value, m_Constant(&attribute)))
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return dense;
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || getBytes(type.getElementType()) == 0 ||
      int64_t(blob->getData().size()) !=
          type.getNumElements() * getBytes(type.getElementType()))
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
}

ScalarBody::ScalarBody(linalg::GenericOp op) : op(op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    DenseElementsAttr elements = readConstant(input->get());
    if (!elements)
      continue;
    constants[argument] = elements;
    AffineMap map = op.getMatchingIndexingMap(input);
    Facts &known = facts[argument];
    known.isKnown = true;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (map.isFunctionOfDim(loop))
        known.loops.push_back(loop);
  }
  for (Operation &inner : op.getBody()->without_terminator())
    if (inner.getNumResults() == 1)
      facts[inner.getResult(0)] = describe(inner);
}

ScalarBody::Facts ScalarBody::describe(Operation &inner) {
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return {true, {unsigned(index.getDim())}};
  Facts result;
  if (!isa<arith::ArithDialect, math::MathDialect>(inner.getDialect()) ||
      inner.getNumRegions() != 0)
    return result;
  for (Value operand : inner.getOperands()) {
    Attribute number;
    if (operand.getParentBlock() != op.getBody()) {
      if (!matchPattern(operand, m_Constant(&number)))
        return {};
      continue;
    }
    const Facts &known = facts[operand];
    if (!known.isKnown)
      return {};
    for (unsigned loop : known.loops)
      if (!llvm::is_contained(result.loops, loop))
        result.loops.push_back(loop);
  }
  result.isKnown = true;
  return result;
}

bool ScalarBody::canEvaluate(Value value) {
  Attribute number;
  return value.getParentBlock() == op.getBody()
             ? facts[value].isKnown
             : matchPattern(value, m_Constant(&number));
}

Attribute ScalarBody::evaluateOp(Operation &inner, ArrayRef<int64_t> point) {
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return IntegerAttr::get(index.getType(), point[index.getDim()]);
  SmallVector<Attribute> operands;
  for (Value operand : inner.getOperands()) {
    Attribute number;
    if (operand.getParentBlock() != op.getBody())
      matchPattern(operand, m_Constant(&number));
    else
      number = current.lookup(operand);
    if (!number)
      return {};
    operands.push_back(number);
  }
  SmallVector<OpFoldResult> results;
  if (failed(inner.fold(operands, results)) || results.size() != 1)
    return {};
  // (Not what stands for no number: poison.)
  if (auto number = dyn_cast<Attribute>(results.front()))
    return isa<IntegerAttr, FloatAttr>(number) ? number : Attribute();
  // One of the operands.
  auto same = cast<Value>(results.front());
  for (auto [value, number] : llvm::zip_equal(inner.getOperands(), operands))
    if (value == same)
      return number;
  return {};
}

bool ScalarBody::readConstants(ArrayRef<int64_t> point) {
  for (auto [argument, elements] : constants) {
    OpOperand *operand = op.getMatchingOpOperand(cast<BlockArgument>(argument));
    SmallVector<int64_t> index =
        op.getMatchingIndexingMap(operand).compose(point);
    SmallVector<uint64_t> place(index.begin(), index.end());
    if (!cast<ElementsAttr>(elements).isValidIndex(place))
      return false;
    noteRead(operand->get());
    current[argument] = elements.getValues<Attribute>()[place];
  }
  return true;
}

SmallVector<Attribute> ScalarBody::evaluate(ArrayRef<Value> values,
                                            ArrayRef<int64_t> point) {
  current.clear();
  if (!readConstants(point))
    return SmallVector<Attribute>(values.size());
  DenseSet<Value> left(values.begin(), values.end());
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (inner.getNumResults() != 1 || !facts[inner.getResult(0)].isKnown)
      continue;
    current[inner.getResult(0)] = evaluateOp(inner, point);
    if (left.erase(inner.getResult(0)) && left.empty())
      break;
  }
  return llvm::map_to_vector(values, [&](Value value) {
    Attribute number = current.lookup(value);
    if (value.getParentBlock() != op.getBody())
      matchPattern(value, m_Constant(&number));
    return number;
  });
}
