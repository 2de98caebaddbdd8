//===- DataGraph.cpp - Dependences of data --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataGraph.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::trace;

DataGraph match::makeDataGraph(llvm::ArrayRef<uint32_t> roots, size_t size,
                               GetInputs getInputs) {
  struct Visit {
    uint32_t item;
    size_t next = 0;
    llvm::SmallVector<uint32_t, 4> inputs;
  };
  DataGraph graph;
  graph.places.assign(size, kNone);
  std::vector<bool> seen(size, false);
  std::vector<Visit> open;
  auto enter = [&](uint32_t item) {
    if (item >= size || seen[item])
      return;
    seen[item] = true;
    open.push_back({item, 0, {}});
    getInputs(item, open.back().inputs);
  };
  for (uint32_t root : roots) {
    enter(root);
    while (!open.empty()) {
      Visit &visit = open.back();
      if (visit.next < visit.inputs.size()) {
        enter(visit.inputs[visit.next++]);
        continue;
      }
      llvm::SmallVector<uint32_t, 2> operands;
      for (uint32_t input : visit.inputs)
        if (input < size && graph.places[input] != kNone)
          operands.push_back(graph.places[input]);
      graph.places[visit.item] = uint32_t(graph.items.size());
      graph.items.push_back(visit.item);
      graph.operands.push_back(std::move(operands));
      open.pop_back();
    }
  }
  return graph;
}

namespace {

/// Finds the inputs of ops across calls and regions.
class ModuleInputs {
public:
  explicit ModuleInputs(const ModuleIndex &index) : index(index) {
    for (const IndexedCall &call : index.getCalls()) {
      callees[call.op].push_back(call.callee);
      auto [it, isFirst] = callers.try_emplace(call.callee, call.op);
      if (!isFirst && it->second != call.op)
        it->second = kNone;
    }
  }

  void addResults(Operation *op, llvm::SmallVectorImpl<uint32_t> &inputs) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          for (Value value : block.back().getOperands())
            add(value, inputs);
  }

  void addInputs(uint32_t number, llvm::SmallVectorImpl<uint32_t> &inputs) {
    Operation *op = index[number].op;
    for (Value value : op->getOperands())
      add(value, inputs);
    addResults(op, inputs);
    auto found = callees.find(number);
    if (found != callees.end())
      for (uint32_t callee : found->second)
        addResults(index[index.getFunctions()[callee].op].op, inputs);
  }

private:
  void add(Value value, llvm::SmallVectorImpl<uint32_t> &inputs) {
    // Arguments are the operands of the only call.
    for (unsigned depth = 0; depth < 64; ++depth) {
      if (Operation *producer = ModuleIndex::getProducer(value)) {
        inputs.push_back(index.find(producer));
        return;
      }
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument)
        return;
      uint32_t owner = index.find(argument.getOwner()->getParentOp());
      if (owner == kNone)
        return;
      uint32_t function = index[owner].function;
      auto caller = callers.find(function);
      if (index.getFunctions()[function].op != owner ||
          caller == callers.end() || caller->second == kNone)
        return;
      Operation *call = index[caller->second].op;
      if (argument.getArgNumber() >= call->getNumOperands())
        return;
      value = call->getOperand(argument.getArgNumber());
    }
  }

  const ModuleIndex &index;
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>> callees;
  /// The only calling op by function; kNone for several.
  llvm::DenseMap<uint32_t, uint32_t> callers;
};

} // namespace

DataGraph match::makeDataGraph(const ModuleIndex &index) {
  ModuleInputs inputs(index);
  llvm::SmallVector<uint32_t> roots;
  llvm::ArrayRef<IndexedFunction> functions = index.getFunctions();
  for (size_t i = 1; i < functions.size(); ++i)
    if (!functions[i].isCalled && functions[i].isReachable)
      inputs.addResults(index[functions[i].op].op, roots);
  return makeDataGraph(
      roots, index.size(),
      [&](uint32_t op, llvm::SmallVectorImpl<uint32_t> &found) {
        inputs.addInputs(op, found);
      });
}

NearestMarks match::findNearestMarks(const DataGraph &graph,
                                     llvm::ArrayRef<uint32_t> marks,
                                     const llvm::BitVector &isPassed) {
  size_t size = graph.items.size();
  std::vector<uint32_t> markOf(size, kNone);
  for (size_t i = 0; i < marks.size(); ++i)
    markOf[marks[i]] = uint32_t(i);
  NearestMarks nearest;
  nearest.before.assign(size, llvm::BitVector(unsigned(marks.size())));
  nearest.behind = nearest.before;
  auto add = [&](std::vector<llvm::BitVector> &all, size_t to, size_t from) {
    uint32_t mark = markOf[from];
    if (mark != kNone)
      all[to].set(mark);
    if (mark == kNone || isPassed.test(mark))
      all[to] |= all[from];
  };
  for (size_t place = 0; place < size; ++place)
    for (uint32_t operand : graph.operands[place])
      add(nearest.before, place, operand);
  for (size_t place = size; place-- > 0;)
    for (uint32_t operand : graph.operands[place])
      add(nearest.behind, operand, place);
  return nearest;
}
