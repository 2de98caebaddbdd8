//===- HostGraph.cpp - The host side of a model as data -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/HostGraph.h"
#include "BufferPlaces.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

namespace {
/// Reads the steps of one function.
class GraphExtractor {
public:
  GraphExtractor(func::FuncOp function, unsigned arguments,
                 ConstantReader readConstant)
      : function(function), arguments(arguments), readConstant(readConstant),
        layout(function->getParentOfType<ModuleOp>()) {}

  LogicalResult extract();

  HostGraph graph;

private:
  LogicalResult addStep(Operation *op);
  LogicalResult addRun(RunOp run);
  LogicalResult addCopy(memref::CopyOp copy);
  LogicalResult addBinding(Operation *op, Value operand, bool isWritten,
                           HostStep &step);
  LogicalResult findMemory(Operation *op, Value base, HostPlace &place);
  LogicalResult addConstant(Operation *op, Attribute value, Type type,
                            uint64_t alignment, HostPlace &place);
  std::optional<uint64_t> getBytes(Type type);

  func::FuncOp function;
  unsigned arguments;
  ConstantReader readConstant;
  DataLayout layout;
  /// By global or op.
  llvm::DenseMap<Operation *, uint32_t> constants;
};
} // namespace

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
std::optional<uint64_t> GraphExtractor::getBytes(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer)
    return layout.getTypeSize(type).getFixedValue();
  if (buffer.getElementType().isIndex())
    return uint64_t(buffer.getNumElements()) *
           layout.getTypeSize(buffer.getElementType()).getFixedValue();
  std::optional<int64_t> bytes = getStaticBytes(buffer);
  return bytes ? std::optional(uint64_t(*bytes)) : std::nullopt;
}

LogicalResult GraphExtractor::addConstant(Operation *op, Attribute value,
                                          Type type, uint64_t alignment,
                                          HostPlace &place) {
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
LogicalResult GraphExtractor::findMemory(Operation *op, Value base,
                                         HostPlace &place) {
  if (auto argument = dyn_cast<BlockArgument>(base)) {
    unsigned number = argument.getArgNumber();
    auto offset = function.getArgAttrOfType<IntegerAttr>(number, kWorkspace);
    place.kind = offset               ? PlaceKind::Arena
                 : number < arguments ? PlaceKind::Argument
                                      : PlaceKind::Result;
    if (offset)
      place.offset += uint64_t(offset.getInt());
    else
      place.index = number < arguments ? number : number - arguments;
    return success();
  }
  Operation *source = base.getDefiningOp();
  if (auto get = dyn_cast<memref::GetGlobalOp>(source)) {
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
  return source->emitOpError("computes an operand of a dispatch, which a plan "
                             "of dispatches cannot");
}

LogicalResult GraphExtractor::addBinding(Operation *op, Value operand,
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

LogicalResult GraphExtractor::addRun(RunOp run) {
  HostStep step;
  step.kernel = run.getKernel().str();
  step.instance = run.getInstance();
  for (OpOperand &operand : run->getOpOperands())
    if (failed(addBinding(run, operand.get(), run.isDpsInit(&operand), step)))
      return failure();
  graph.steps.push_back(std::move(step));
  return success();
}

LogicalResult GraphExtractor::addCopy(memref::CopyOp copy) {
  HostStep step;
  if (failed(addBinding(copy, copy.getSource(), false, step)) ||
      failed(addBinding(copy, copy.getTarget(), true, step)))
    return failure();
  step.parameters.clear();
  graph.steps.push_back(std::move(step));
  return success();
}

LogicalResult GraphExtractor::addStep(Operation *op) {
  if (auto run = dyn_cast<RunOp>(op))
    return addRun(run);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return addCopy(copy);
  // Dispatches that use their results look at them.
  if (isMemoryEffectFree(op) || isa<ViewLikeOpInterface, func::ReturnOp>(op))
    return success();
  return op->emitOpError(
      "is not a dispatch; a plan of dispatches does not have "
      "others");
}

LogicalResult GraphExtractor::extract() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError(
        "has branches, which a plan of dispatches does not have");
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (function.getArgAttr(unsigned(number), kWorkspace))
      continue;
    std::optional<uint64_t> bytes = getBytes(type);
    if (!bytes)
      return function.emitOpError("has an argument of unknown size");
    auto &sizes = number < arguments ? graph.argumentBytes : graph.resultBytes;
    sizes.push_back(*bytes);
  }
  for (Operation &op : function.getBody().front())
    if (failed(addStep(&op)))
      return failure();
  return success();
}

FailureOr<HostGraph> codegen::extractHostGraph(func::FuncOp function,
                                               unsigned arguments,
                                               ConstantReader readConstant) {
  GraphExtractor extractor(function, arguments, readConstant);
  if (failed(extractor.extract()))
    return failure();
  return std::move(extractor.graph);
}
