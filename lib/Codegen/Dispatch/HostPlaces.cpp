//===- HostPlaces.cpp - Places of operands in memory of callers -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostPlaces.h"
#include "BufferPlaces.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// "4x8xf32".
static std::string describe(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer) {
    os << type;
    return text;
  }
  for (int64_t size : buffer.getShape())
    os << size << 'x';
  os << buffer.getElementType();
  return text;
}

/// Numbers lie in memory too.
std::optional<uint64_t> HostPlaces::getBytes(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer)
    return layout.getTypeSize(type).getFixedValue();
  if (buffer.getElementType().isIndex())
    return uint64_t(buffer.getNumElements()) *
           layout.getTypeSize(buffer.getElementType()).getFixedValue();
  std::optional<int64_t> bytes = getStaticBytes(buffer);
  return bytes ? std::optional(uint64_t(*bytes)) : std::nullopt;
}

LogicalResult HostPlaces::addConstant(Operation *op, Attribute value, Type type,
                                      uint64_t alignment, HostPlace &place) {
  place.kind = PlaceKind::Constant;
  auto [entry, isNew] =
      constants.insert({op, uint32_t(graph.constants.size())});
  place.index = entry->second;
  if (!isNew)
    return success();
  std::optional<uint64_t> size = getBytes(type);
  std::optional<std::vector<char>> bytes =
      size ? readConstant(value, *size) : std::nullopt;
  if (!bytes)
    return op->emitOpError("is a constant without bytes that are known");
  graph.constants.push_back({std::move(*bytes), alignment, describe(type)});
  return success();
}

/// Sets the memory of which `base` is the begin, and adds its offset in it.
LogicalResult HostPlaces::findMemory(Operation *op, Value base,
                                     HostPlace &place) {
  auto argument = dyn_cast<BlockArgument>(base);
  if (argument && argument.getOwner()->getParentOp() == function) {
    unsigned number = argument.getArgNumber();
    auto offset = function.getArgAttrOfType<IntegerAttr>(number, kWorkspace);
    if (offset) {
      place.kind = PlaceKind::Arena;
      place.offset += uint64_t(offset.getInt());
    } else if (function.getArgAttr(number, kState)) {
      place.kind = PlaceKind::State;
    } else {
      bool isResult = number >= arguments;
      place.kind = isResult ? PlaceKind::Result : PlaceKind::Argument;
      place.index = isResult ? number - arguments : number;
    }
    return success();
  }
  Operation *source = base.getDefiningOp();
  if (auto get = dyn_cast_if_present<memref::GetGlobalOp>(source)) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    if (global && global.getConstant() && global.getInitialValue())
      return addConstant(
          global, *global.getInitialValue(), global.getType(),
          std::max<uint64_t>(global.getAlignment().value_or(64), 64), place);
  }
  Attribute value;
  if (matchPattern(base, m_Constant(&value)) &&
      isa<IntegerAttr, FloatAttr>(value))
    return addConstant(source, value, base.getType(), 16, place);
  if (numbers.getBits(base.getType()) == 0)
    return (source ? source : op)
        ->emitOpError("computes an operand of a dispatch, which the steps of a "
                      "host side cannot");
  FailureOr<HostNumber> number = numbers.get(op, base);
  if (failed(number))
    return failure();
  place.kind = PlaceKind::Number;
  place.index = uint32_t(number->value);
  return success();
}

LogicalResult HostPlaces::addBinding(Operation *op, Value operand,
                                     bool isWritten, HostStep &step) {
  HostPlace place;
  place.isWritten = isWritten;
  Type type = operand.getType();
  if (auto buffer = dyn_cast<MemRefType>(type)) {
    BufferPlace found = findPlace(operand);
    MemRefType known = getKnownType(operand);
    if (!buffer.getLayout().isIdentity() || !known.hasStaticShape())
      return op->emitOpError("has an operand of type ")
             << buffer << ", which does not have a place of known size";
    for (auto [size, given] :
         llvm::zip_equal(known.getShape(), buffer.getShape()))
      if (ShapedType::isDynamic(given))
        step.parameters.push_back(size);
    type = known;
    operand = found.base;
    place.offset = uint64_t(found.offset);
  }
  place.type = describe(type);
  std::optional<uint64_t> bytes = getBytes(type);
  if (!bytes)
    return op->emitOpError("has an operand of type ")
           << type << ", whose elements are not whole bytes";
  place.bytes = *bytes;
  if (failed(findMemory(op, operand, place)))
    return failure();
  step.bindings.push_back(std::move(place));
  return success();
}

/// The place of one element.
FailureOr<HostPlace> HostPlaces::getElement(Operation *op, Value buffer,
                                            ValueRange indices) {
  HostStep all;
  if (failed(addBinding(op, buffer, isa<memref::StoreOp>(op), all)))
    return failure();
  auto type = getKnownType(buffer);
  int64_t element = 0;
  for (auto [size, index] : llvm::zip_equal(type.getShape(), indices)) {
    std::optional<int64_t> known = getConstantIntValue(index);
    if (!known || *known < 0 || *known >= size)
      return op->emitOpError("accesses an element whose place is not known, "
                             "which the steps of a host side cannot");
    element = element * size + *known;
  }
  HostPlace place = std::move(all.bindings.front());
  std::optional<uint64_t> bytes = getBytes(type.getElementType());
  if (!bytes)
    return failure();
  place.offset += uint64_t(element) * *bytes;
  place.bytes = *bytes;
  place.type = describe(type.getElementType());
  return place;
}
