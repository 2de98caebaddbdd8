//===- ModuleIndex.cpp - The ops of a module by number, name and function -===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Module/ModuleIndex.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::trace;

namespace {

/// Attributes in which unregistered ops name the functions that they call.
bool isCalleeAttribute(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"callee", "f", "body", "cond", "then_branch", "else_branch",
              "decomposition"},
             true)
      .Default(false);
}

CallKind getCallKind(StringRef attribute) {
  return llvm::StringSwitch<CallKind>(attribute)
      .Case("body", CallKind::LoopBody)
      .Case("cond", CallKind::LoopCondition)
      .Case("then_branch", CallKind::Then)
      .Case("else_branch", CallKind::Else)
      .Default(CallKind::Call);
}

/// Calls `visit(attribute name, symbol)` for the callees of `op`.
void forEachCallee(Operation *op,
                   llvm::function_ref<void(StringRef, SymbolRefAttr)> visit) {
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    CallInterfaceCallable callee = call.getCallableForCallee();
    if (auto symbol = dyn_cast<SymbolRefAttr>(callee))
      visit("callee", symbol);
    return;
  }
  // On registered ops, attributes that name callees are discardable ones.
  DictionaryAttr attributes =
      op->isRegistered() ? op->getRawDictionaryAttrs() : getAllAttributes(op);
  for (NamedAttribute attribute : attributes)
    if (isCalleeAttribute(attribute.getName()))
      if (auto symbol = dyn_cast<SymbolRefAttr>(attribute.getValue()))
        visit(attribute.getName(), symbol);
}

} // namespace

ModuleIndex::ModuleIndex(Operation *root) {
  addOps(root);
  addNames();
}

const OpNameTraits &ModuleIndex::addTraits(Operation *op) {
  auto [entry, inserted] = traits.try_emplace(op->getName());
  if (!inserted)
    return entry->second;
  StringRef name = op->getName().getStringRef();
  OpNameTraits &result = entry->second;
  result.isFunction = isa<FunctionOpInterface>(op) || name == "func.func";
  result.isTerminator = op->hasTrait<OpTrait::IsTerminator>() ||
                        name.ends_with(".return") || name.ends_with(".yield");
  result.isWrapper = name.starts_with("tf_executor.");
  result.mayCall = isa<CallOpInterface>(op) || !op->isRegistered();
  tensorFlowOps |= name.starts_with("tf.");
  return result;
}

void ModuleIndex::addOps(Operation *root) {
  // An explicit stack: regions may nest to any depth.
  struct Pending {
    Operation *op;
    uint32_t parent;
    uint32_t function;
  };
  functions.push_back({});
  SmallVector<uint32_t> callingOps;
  std::vector<Pending> stack = {{root, 0, 0}};
  while (!stack.empty()) {
    auto [op, parent, function] = stack.back();
    stack.pop_back();
    uint32_t number = uint32_t(ops.size());
    const OpNameTraits &opTraits = addTraits(op);
    ops.push_back(
        {op, parent, number + 1, function, locations.add(op->getLoc())});
    if (opTraits.mayCall)
      callingOps.push_back(number);
    if (opTraits.isFunction) {
      function = uint32_t(functions.size());
      auto name =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      functions.push_back({number, name ? name.getValue() : "", false});
    }
    size_t first = stack.size();
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        stack.push_back({&nested, number, function});
    std::reverse(stack.begin() + first, stack.end());
  }
  for (size_t i = ops.size() - 1; i > 0; --i)
    ops[ops[i].parent].end = std::max(ops[ops[i].parent].end, ops[i].end);
  addCalls(callingOps);
  markReachable();
}

void ModuleIndex::markReachable() {
  std::vector<SmallVector<uint32_t, 1>> callees(functions.size());
  for (const IndexedCall &call : calls)
    callees[call.caller].push_back(call.callee);
  std::vector<uint32_t> todo;
  for (uint32_t i = 0; i < functions.size(); ++i) {
    auto visibility = ops[functions[i].op].op->getAttrOfType<StringAttr>(
        SymbolTable::getVisibilityAttrName());
    if (i == 0 || !visibility || visibility.getValue() != "private")
      todo.push_back(i);
  }
  while (!todo.empty()) {
    uint32_t function = todo.back();
    todo.pop_back();
    if (functions[function].isReachable)
      continue;
    functions[function].isReachable = true;
    llvm::append_range(todo, callees[function]);
  }
}

void ModuleIndex::addCalls(ArrayRef<uint32_t> callingOps) {
  llvm::StringMap<uint32_t> byName;
  for (uint32_t i = 1; i < functions.size(); ++i)
    byName[functions[i].name] = i;
  for (uint32_t number : callingOps) {
    Operation *op = ops[number].op;
    forEachCallee(op, [&](StringRef attribute, SymbolRefAttr symbol) {
      auto callee = byName.find(symbol.getLeafReference().getValue());
      if (callee == byName.end())
        return;
      functions[callee->second].isCalled = true;
      calls.push_back({ops[number].function, number, callee->second,
                       getCallKind(attribute)});
    });
  }
}

void ModuleIndex::addNames() {
  // A counting sort by name; within a name ops are nearly always in order of
  // their functions already.
  size_t count = locations.getNameCount();
  nameBegin.assign(count + 1, 0);
  auto isJoined = [&](uint32_t number) {
    const OpNameTraits &opTraits = getTraits(number);
    return !opTraits.isWrapper && !opTraits.isFunction && number != 0;
  };
  for (uint32_t i = 0; i < ops.size(); ++i)
    if (isJoined(i))
      for (uint32_t name : getLocation(i).names)
        ++nameBegin[name + 1];
  for (size_t i = 0; i < count; ++i)
    nameBegin[i + 1] += nameBegin[i];
  named.resize(nameBegin[count]);
  std::vector<size_t> next(nameBegin.begin(), nameBegin.end());
  for (uint32_t i = 0; i < ops.size(); ++i)
    if (isJoined(i))
      for (uint32_t name : getLocation(i).names)
        named[next[name]++] = i;
  for (size_t i = 0; i < count; ++i)
    llvm::sort(named.begin() + nameBegin[i], named.begin() + nameBegin[i + 1],
               [&](uint32_t a, uint32_t b) {
                 return std::make_pair(ops[a].function, a) <
                        std::make_pair(ops[b].function, b);
               });
}

const OpNameTraits &ModuleIndex::getTraits(uint32_t number) const {
  return traits.find(ops[number].op->getName())->second;
}

ArrayRef<uint32_t> ModuleIndex::getNamed(uint32_t name) const {
  if (name == kNone)
    return {};
  return ArrayRef(named).slice(nameBegin[name],
                               nameBegin[name + 1] - nameBegin[name]);
}

ArrayRef<uint32_t> ModuleIndex::getNamed(uint32_t name,
                                         uint32_t function) const {
  ArrayRef<uint32_t> all = getNamed(name);
  auto functionOf = [&](uint32_t number) { return ops[number].function; };
  auto begin = llvm::partition_point(
      all, [&](uint32_t number) { return functionOf(number) < function; });
  auto end = std::partition_point(begin, all.end(), [&](uint32_t number) {
    return functionOf(number) == function;
  });
  return ArrayRef<uint32_t>(begin, end);
}

uint32_t ModuleIndex::find(Operation *op) const {
  if (numbers.empty()) {
    numbers.reserve(ops.size());
    for (uint32_t i = 0; i < ops.size(); ++i)
      numbers.try_emplace(ops[i].op, i);
  }
  auto found = numbers.find(op);
  return found == numbers.end() ? kNone : found->second;
}

Operation *ModuleIndex::getProducer(Value value) {
  // The results of an island are the operands of its yield; its last one is
  // control.
  for (unsigned depth = 0; depth < 64; ++depth) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return nullptr;
    Operation *op = result.getOwner();
    if (op->getName().getStringRef() != "tf_executor.island" ||
        op->getNumRegions() != 1 || op->getRegion(0).empty() ||
        op->getRegion(0).front().empty())
      return op;
    Operation &yield = op->getRegion(0).front().back();
    if (result.getResultNumber() >= yield.getNumOperands())
      return nullptr;
    value = yield.getOperand(result.getResultNumber());
  }
  return nullptr;
}
