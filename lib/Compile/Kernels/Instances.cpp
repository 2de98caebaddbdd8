//===- Instances.cpp - The dispatches of a model --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instances.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static uint32_t getNode(Operation *op) {
  prof::Identities identities = prof::getIdentities(op->getLoc());
  return identities.owners.empty() ? kNone : identities.owners.front();
}

/// The origins of `run`, whose entries stand for the ops of the kernel that
/// have identities, in pre-order, as the numbers of their nodes do.
static std::vector<std::pair<uint32_t, uint32_t>>
readOrigins(dispatch::RunOp run, uint32_t kernel) {
  std::vector<std::pair<uint32_t, uint32_t>> origins;
  ArrayAttr entries = run.getOriginsAttr();
  if (!entries)
    return origins;
  for (auto [index, entry] : llvm::enumerate(entries)) {
    SmallVector<int32_t> ids(cast<DenseI32ArrayAttr>(entry).asArrayRef());
    llvm::sort(ids);
    ids.erase(llvm::unique(ids), ids.end());
    for (int32_t id : ids)
      if (id >= 0)
        origins.emplace_back(kernel + 1 + uint32_t(index), uint32_t(id));
  }
  return origins;
}

std::vector<ProgramInstance> compile::readInstances(ModuleOp module) {
  std::vector<ProgramInstance> instances;
  SymbolTable symbols(module);
  bool isComplete = true;
  module.walk([&](dispatch::RunOp run) {
    auto kernel = symbols.lookup<func::FuncOp>(run.getKernel());
    uint32_t node = getNode(run);
    uint32_t kernelNode = kernel ? getNode(kernel) : kNone;
    if (!run.getInstance() || node == kNone || kernelNode == kNone) {
      isComplete = false;
      return;
    }
    uint32_t number = *run.getInstance();
    if (number >= instances.size())
      instances.resize(number + 1);
    instances[number] = {node, kernelNode, readOrigins(run, kernelNode)};
  });
  isComplete &= llvm::none_of(instances, [](const ProgramInstance &instance) {
    return instance.node == kNone;
  });
  return isComplete ? instances : std::vector<ProgramInstance>();
}

/// Without a list, each op of the kernel has its own parents as origins.
static void addOwnOrigins(ProgramInstance &instance, const Program &program) {
  if (!instance.origins.empty())
    return;
  for (auto node = instance.kernel + 1;
       node < program.nodes.size() && program.nodes[node].container != kNone;
       ++node)
    for (uint32_t parent : program.nodes[node].parents)
      instance.origins.emplace_back(node, parent);
}

void compile::setInstances(std::vector<ProgramInstance> instances,
                           Program &program) {
  for (ProgramInstance &instance : instances) {
    addOwnOrigins(instance, program);
    // A location does not hold the identities of hundreds of dispatches.
    for (auto [node, origin] : instance.origins) {
      std::vector<uint32_t> &parents = program.nodes[node].parents;
      auto place = llvm::lower_bound(parents, origin);
      if (place == parents.end() || *place != origin)
        parents.insert(place, origin);
    }
  }
  program.instances = std::move(instances);
}

void compile::findCalls(Program &program) {
  llvm::DenseMap<uint32_t, uint32_t> instanceOf;
  llvm::StringSet<> functions;
  for (const MachineFunction &function : program.functions)
    functions.insert(function.name);
  for (auto [number, instance] : llvm::enumerate(program.instances))
    instanceOf.try_emplace(instance.node, uint32_t(number));
  for (size_t i = 0; i + 1 < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    // "call", or "bl", and the callee.
    StringRef text = program.strings[instruction.text];
    if (!functions.contains(text.rsplit(' ').second))
      continue;
    // Host ops between the levels have one origin each.
    uint32_t node = instruction.node;
    while (node != kNone && !instanceOf.count(node)) {
      const std::vector<uint32_t> &parents = program.nodes[node].parents;
      node = parents.size() == 1 ? parents.front() : kNone;
    }
    if (node != kNone)
      program.calls.push_back(
          {program.instructions[i + 1].address, instanceOf.lookup(node)});
  }
}
