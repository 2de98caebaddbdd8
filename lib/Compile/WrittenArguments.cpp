//===- WrittenArguments.cpp - Arguments that a model writes ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrittenArguments.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlirprof;

namespace {
/// Follows an array through a function, and those that it calls, until an op
/// writes it.
class WriteSearch {
public:
  explicit WriteSearch(func::FuncOp entry) : entry(entry) {}

  bool find(Value array);

private:
  void follow(ValueRange values, bool takesNumbers);
  void followBlocks(Region &region, bool takesNumbers);
  bool visitCall(CallOpInterface call, OpOperand &use);
  bool visitTerminator(OpOperand &use);
  bool visit(OpOperand &use);

  func::FuncOp entry;
  SymbolTableCollection symbols;
  /// Values that may give access to the array.
  SetVector<Value> aliases;
};
} // namespace

/// Whether a value of `type` is a number or an array of them, and not an
/// address by its type.
static bool isNumeric(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type);
      shaped && !isa<BaseMemRefType>(type))
    type = shaped.getElementType();
  return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

/// Numbers follow only where an address may have become one.
void WriteSearch::follow(ValueRange values, bool takesNumbers) {
  for (Value value : values)
    if (takesNumbers || !isNumeric(value.getType()))
      aliases.insert(value);
}

void WriteSearch::followBlocks(Region &region, bool takesNumbers) {
  for (Block &block : region)
    follow(block.getArguments(), takesNumbers);
}

/// Whether the results of `op` that are numbers say nothing about where its
/// arrays are.
static bool givesPlainNumbers(Operation *op) {
  return isa<memref::DimOp, memref::RankOp, memref::ExtractStridedMetadataOp>(
             op) ||
         hasEffect<MemoryEffects::Read>(op);
}

/// Whether `op` writes what `use` gives access to, or hands it to others by
/// storing it.
static bool writes(Operation *op, OpOperand &use) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    // Ops with regions do what these do.
    return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  bool isRead = false, mayWrite = false;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool isOwn = effect.getValue() == use.get();
    if (isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect())) {
      if (isOwn || !effect.getValue())
        return true;
      mayWrite = true;
    }
    isRead |= isOwn && isa<MemoryEffects::Read>(effect.getEffect());
  }
  return mayWrite && !isRead;
}

/// Follows `use` into the function that is called; true if it is not known.
bool WriteSearch::visitCall(CallOpInterface call, OpOperand &use) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  OperandRange operands = call.getArgOperands();
  unsigned first = operands.getBeginOperandIndex();
  unsigned index = use.getOperandNumber();
  if (!callee || callee.isExternal() || index < first ||
      index - first >= callee.getNumArguments())
    return true;
  follow(callee.getArgument(index - first), isNumeric(use.get().getType()));
  follow(call->getResults(), /*takesNumbers=*/false);
  return false;
}

/// Follows what a terminator hands on; true if that is not known.
bool WriteSearch::visitTerminator(OpOperand &use) {
  Operation *op = use.getOwner(), *parent = op->getParentOp();
  bool isNumber = isNumeric(use.get().getType());
  for (Block *successor : op->getSuccessors())
    follow(successor->getArguments(), isNumber);
  // Callers follow the results of a function, but its numbers.
  if (auto function = dyn_cast<FunctionOpInterface>(parent))
    return isNumber && function != entry;
  follow(parent->getResults(), isNumber);
  for (Region &region : parent->getRegions())
    followBlocks(region, isNumber);
  return false;
}

/// Whether the op of `use` writes; else follows what it gives.
bool WriteSearch::visit(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call, use);
  if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
    return tensor.getWritable();
  if (writes(op, use))
    return true;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return visitTerminator(use);
  bool isNumber = isNumeric(use.get().getType());
  bool hasRegions = op->getNumRegions() != 0;
  follow(op->getResults(), hasRegions ? isNumber : !givesPlainNumbers(op));
  for (Region &region : op->getRegions())
    followBlocks(region, isNumber);
  return false;
}

bool WriteSearch::find(Value array) {
  aliases.insert(array);
  for (unsigned next = 0; next != aliases.size(); ++next)
    for (OpOperand &use : aliases[next].getUses())
      if (visit(use))
        return true;
  return false;
}

bool compile::isWritten(func::FuncOp entry, unsigned index) {
  if (isa<BaseMemRefType>(entry.getArgumentTypes()[index]))
    return WriteSearch(entry).find(entry.getArgument(index));
  auto writable = entry.getArgAttrOfType<BoolAttr>(
      index, bufferization::BufferizationDialect::kWritableAttrName);
  return writable && writable.getValue();
}
