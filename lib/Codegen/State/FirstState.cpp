//===- FirstState.cpp - The first values of variables as bytes ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Dispatch/BufferPlaces.h"
#include "mlir-prof/Codegen/HostGraph.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {
/// Does what a function that resets variables does.
class FirstStateReader {
public:
  FirstStateReader(func::FuncOp reset, ConstantReader readConstant)
      : layout(reset->getParentOfType<ModuleOp>()), readConstant(readConstant) {
    state.resize(size_t(
        cast<MemRefType>(reset.getArgumentTypes().front()).getDimSize(0)));
  }

  LogicalResult run(Operation *op);

  std::vector<char> state;

private:
  /// The bytes of the variable `buffer`.
  MutableArrayRef<char> getVariable(Value buffer);

  DataLayout layout;
  ConstantReader readConstant;
};
} // namespace

MutableArrayRef<char> FirstStateReader::getVariable(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  uint64_t bytes = uint64_t(type.getNumElements()) *
                   layout.getTypeSize(type.getElementType());
  return MutableArrayRef(state).slice(size_t(findPlace(buffer).offset),
                                      size_t(bytes));
}

/// The op that a copy reads and the value of the constant there.
static Attribute getSourceValue(memref::CopyOp copy) {
  auto get = copy.getSource().getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                          get, get.getNameAttr())
                    : memref::GlobalOp();
  return global && global.getConstant() && global.getInitialValue()
             ? *global.getInitialValue()
             : Attribute();
}

LogicalResult FirstStateReader::run(Operation *op) {
  Attribute value;
  MutableArrayRef<char> variable;
  uint64_t bytes = 0;
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    matchPattern(fill.getInputs().front(), m_Constant(&value));
    variable = getVariable(fill.getOutputs().front());
    bytes = layout.getTypeSize(fill.getInputs().front().getType());
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    value = getSourceValue(copy);
    variable = getVariable(copy.getTarget());
    bytes = variable.size();
  } else {
    return success();
  }
  std::optional<std::vector<char>> first =
      value ? readConstant(value, bytes) : std::nullopt;
  if (!first || first->empty() != variable.empty())
    return op->emitOpError("gives a variable a first value that is not known");
  for (size_t at = 0; at != variable.size(); ++at)
    variable[at] = (*first)[at % first->size()];
  return success();
}

FailureOr<std::vector<char>>
codegen::takeFirstState(ModuleOp module, ConstantReader readConstant) {
  SymbolTable symbols(module);
  auto reset = symbols.lookup<func::FuncOp>(kResetSymbol);
  if (!reset || reset.getNumArguments() != 1)
    return std::vector<char>();
  FirstStateReader reader(reset, readConstant);
  for (Operation &op : reset.getBody().front())
    if (failed(reader.run(&op)))
      return failure();
  symbols.erase(reset);
  return std::move(reader.state);
}
