//===- StaticCost.cpp - Static cost of an op, from its types --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/StaticCost.h"
#include "mlir-prof/Cost/OnnxOps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;

namespace {

uint64_t multiply(uint64_t a, uint64_t b) {
  return llvm::SaturatingMultiply(a, b);
}

uint64_t getSize(int64_t dimension) {
  return ShapedType::isDynamic(dimension) ? uint64_t(cost::kDynamicSize)
                                          : uint64_t(dimension);
}

uint64_t countElements(ArrayRef<int64_t> shape) {
  uint64_t count = 1;
  for (int64_t dimension : shape)
    count = multiply(count, getSize(dimension));
  return count;
}

std::optional<ArrayRef<int64_t>> getShape(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return std::nullopt;
  return shaped.getShape();
}

/// Number of elements of a value; unranked ones count as a matrix.
uint64_t countElements(Type type) {
  if (auto shape = getShape(type))
    return countElements(*shape);
  return isa<ShapedType>(type)
             ? uint64_t(cost::kDynamicSize) * cost::kDynamicSize
             : 1;
}

template <typename Range>
uint64_t getMaxElements(Range types) {
  uint64_t most = 0;
  for (Type type : types)
    most = std::max(most, countElements(type));
  return most;
}

/// The text of an attribute of an unregistered dialect, or "".
StringRef getOpaqueText(Operation *op, StringRef name) {
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    if (auto inherent = op->getInherentAttr(name))
      attribute = *inherent;
  auto opaque = dyn_cast_or_null<OpaqueAttr>(attribute);
  return opaque ? opaque.getAttrData() : StringRef();
}

/// The integers of `key = [1, 2]` in `text`.
SmallVector<int64_t> readList(StringRef text, StringRef key) {
  SmallVector<int64_t> numbers;
  size_t at = text.find(key);
  if (at == StringRef::npos)
    return numbers;
  text = text.drop_front(at + key.size()).ltrim(" =");
  if (!text.consume_front("["))
    return numbers;
  SmallVector<StringRef> parts;
  text.take_until([](char c) { return c == ']'; }).split(parts, ',');
  for (StringRef part : parts) {
    int64_t number;
    if (!part.trim().getAsInteger(10, number))
      numbers.push_back(number);
  }
  return numbers;
}

/// Length of the sums of a contraction.
uint64_t getContractionSize(Operation *op) {
  if (op->getNumOperands() < 2 || op->getNumResults() < 1)
    return 1;
  auto lhs = getShape(op->getOperand(0).getType());
  auto rhs = getShape(op->getOperand(1).getType());
  auto out = getShape(op->getResult(0).getType());
  SmallVector<int64_t> dimensions = readList(
      getOpaqueText(op, "dot_dimension_numbers"), "lhs_contracting_dimensions");
  if (lhs && !dimensions.empty()) {
    uint64_t size = 1;
    for (int64_t dimension : dimensions)
      if (dimension >= 0 && size_t(dimension) < lhs->size())
        size = multiply(size, getSize((*lhs)[dimension]));
    return size;
  }
  if (!lhs || lhs->empty())
    return cost::kDynamicSize;
  if (!rhs || !out || out->size() < 2)
    return getSize(lhs->back());
  // lhs * rhs / out is batch * size^2.
  double batch = double(countElements(out->drop_back(2)));
  double square = double(countElements(*lhs)) / double(countElements(*out)) *
                  double(countElements(*rhs)) / batch;
  if (!(square >= 1) || square > double(cost::kMax))
    return 1;
  return uint64_t(std::llround(std::sqrt(square)));
}

/// Position of the feature dimension in a convolution's result: given by
/// `...->[b, 0, 1, f]` if the dialect is not registered, else the last one.
size_t getFeatureDimension(Operation *op, size_t rank) {
  StringRef text = getOpaqueText(op, "dimension_numbers");
  StringRef result = text.split("->[").second;
  SmallVector<StringRef> parts;
  result.take_until([](char c) { return c == ']'; }).split(parts, ',');
  for (size_t i = 0; i < parts.size() && i < rank; ++i)
    if (parts[i].trim() == "f")
      return i;
  return rank - 1;
}

/// Number of multiplications per element of a convolution's result.
uint64_t getWindowSize(Operation *op) {
  if (op->getNumOperands() < 2 || op->getNumResults() < 1)
    return 1;
  // TensorFlow reads filters from variables of unknown shape; most windows of
  // expensive convolutions are 3 by 3.
  auto in = getShape(op->getOperand(0).getType());
  if (!getShape(op->getOperand(1).getType()))
    return 9 * (in && !in->empty() ? getSize(in->back()) : cost::kDynamicSize);
  uint64_t filter = countElements(op->getOperand(1).getType());
  auto out = getShape(op->getResult(0).getType());
  if (!out || out->empty())
    return filter;
  uint64_t features = getSize((*out)[getFeatureDimension(op, out->size())]);
  return std::max<uint64_t>(1, filter / std::max<uint64_t>(1, features));
}

uint64_t getCost(Operation *op, OpKind kind) {
  uint64_t out = getMaxElements(op->getResultTypes());
  uint64_t in = getMaxElements(op->getOperandTypes());
  switch (kind) {
  case OpKind::Free:
    return 0;
  case OpKind::Control:
    // The ops that they contain or call have the cost.
    return 1;
  case OpKind::Contraction:
    return multiply(2 * out, getContractionSize(op));
  case OpKind::Convolution:
    return multiply(2 * out, getWindowSize(op));
  case OpKind::Reduction:
  case OpKind::Window:
    return multiply(in, cost::kReduced);
  case OpKind::Transcendental:
    return multiply(std::max(in, out), cost::kTranscendental);
  case OpKind::Movement:
    // Slices read what they write, updates write what they insert.
    return multiply(std::min(std::max<uint64_t>(in, 1), out), cost::kMoved);
  case OpKind::Broadcast:
    return multiply(out, cost::kBroadcast);
  case OpKind::Elementwise:
  case OpKind::Other:
    return multiply(std::max(in, out), cost::kElement);
  }
  llvm_unreachable("unknown kind of op");
}

} // namespace

uint64_t cost::getSendCost(Operation *op) {
  return std::clamp<uint64_t>(getMaxElements(op->getResultTypes()), 1,
                              cost::kMax);
}

uint64_t cost::getStaticCost(Operation *op) {
  if (std::optional<uint64_t> onnx = getOnnxCost(op))
    return std::min(*onnx, cost::kMax);
  OpKind kind = getKind(op);
  if (kind == OpKind::Free)
    return 0;
  std::optional<uint64_t> linalg = getLinalgCost(op);
  uint64_t result = linalg ? *linalg : getCost(op, kind);
  return std::clamp<uint64_t>(result, 1, cost::kMax);
}
