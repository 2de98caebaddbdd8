//===- CommandBuffers.cpp - Instructions in command buffers ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandBuffers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

CommandBuffers::Key CommandBuffers::getKey(const EventStats &stats) {
  return {stats.hloModule, stats.getProgramId(), stats.hloOp,
          stats.has(StatKind::GraphId) ? stats.get(StatKind::GraphId) : 0};
}

void CommandBuffers::add(const EventStats &stats, llvm::StringRef kernel) {
  Node &node = buffers[getKey(stats)][stats.get(StatKind::GraphNode)];
  if (node.kernel == kNone)
    node.kernel = texts.get(kernel);
}

std::vector<CommandBuffers::Program> CommandBuffers::getPrograms() const {
  std::vector<Program> programs;
  for (const auto &[key, nodes] : buffers) {
    Program program(std::get<0>(key), std::get<1>(key));
    if (programs.empty() || programs.back() != program)
      programs.push_back(program);
  }
  return programs;
}

uint32_t CommandBuffers::find(const EventStats &stats) const {
  auto buffer = buffers.find(getKey(stats));
  if (buffer == buffers.end())
    return kNone;
  auto node = buffer->second.find(stats.get(StatKind::GraphNode));
  return node == buffer->second.end() ? kNone : node->second.instruction;
}

namespace {

using Items = std::vector<LaunchOrder::Item>;

/// Assigns the instructions of one computation to the nodes of a graph.
class Assignment {
public:
  struct Node {
    llvm::StringRef kernel;
    /// The instruction after which it is named, or null.
    const LaunchOrder::Item *named = nullptr;
    /// Position in the computation, or kNone.
    uint32_t item = kNone;
  };

  Assignment(std::vector<Node> &nodes, const Items &items,
             const HloModule &module)
      : nodes(nodes), items(items), module(module), isUsed(items.size()) {}

  void run() {
    assignByName();
    assignByCode();
    assignBetween();
    assignRest();
  }

private:
  /// Whether nothing is known of it, not even by its name.
  static bool isOpen(const Node &node) {
    return node.item == kNone && !node.named;
  }
  void take(Node &node, uint32_t item) {
    node.item = item;
    isUsed[item] = true;
  }
  void assignByName();
  void assignByCode();
  void assignRest();
  bool assignRange(size_t first, size_t last);
  void assignBetween();

  std::vector<Node> &nodes;
  const Items &items;
  const HloModule &module;
  std::vector<bool> isUsed;
};

/// Kernels that are named after an instruction of this computation.
void Assignment::assignByName() {
  llvm::StringMap<uint32_t> byKernel;
  for (uint32_t i = 0; i != items.size(); ++i)
    byKernel.try_emplace(LaunchOrder::getKernelName(
                             module.instructions[items[i].instruction].name),
                         i);
  for (Node &node : nodes) {
    auto it = byKernel.find(node.kernel);
    if (it != byKernel.end() && !isUsed[it->second])
      take(node, it->second);
  }
}

/// Kernels that are named after another instruction with the same code: the
/// next one here that has it.
void Assignment::assignByCode() {
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> byCode;
  for (uint32_t i = items.size(); i-- != 0;)
    if (!isUsed[i])
      byCode[items[i].code].push_back(i);
  for (Node &node : nodes) {
    if (node.item != kNone || !node.named)
      continue;
    std::vector<uint32_t> &left = byCode[node.named->code];
    if (left.empty())
      continue;
    take(node, left.back());
    left.pop_back();
  }
}

/// Pairs what is left of nodes and of items [first, last] in their order, if
/// there are as many.
bool Assignment::assignRange(size_t first, size_t last) {
  std::vector<uint32_t> spare;
  for (size_t i = first; i <= last && i < items.size(); ++i)
    if (!isUsed[i])
      spare.push_back(uint32_t(i));
  size_t open = llvm::count_if(nodes, isOpen);
  if (spare.size() != open)
    return false;
  size_t next = 0;
  for (Node &node : nodes)
    if (isOpen(node))
      take(node, spare[next++]);
  return true;
}

/// Copies and libraries' kernels, whose names say nothing: a command buffer is
/// a part of the computation, or all of it.
void Assignment::assignRest() {
  size_t first = items.size(), last = 0;
  for (const Node &node : nodes)
    if (node.item != kNone) {
      first = std::min<size_t>(first, node.item);
      last = std::max<size_t>(last, node.item);
    }
  if (!assignRange(first, last))
    assignRange(0, items.size());
}

/// A library may launch several kernels for an instruction: all nodes between
/// two known ones, if the schedule has one instruction between them.
void Assignment::assignBetween() {
  for (size_t begin = 0; begin != nodes.size();) {
    size_t end = begin;
    while (end != nodes.size() && isOpen(nodes[end]))
      ++end;
    uint32_t before = begin == 0 ? kNone : nodes[begin - 1].item;
    if (end != begin && before != kNone && end != nodes.size() &&
        nodes[end].item == before + 2 && !isUsed[before + 1])
      for (size_t i = begin; i != end; ++i)
        take(nodes[i], before + 1);
    begin = std::max(end, begin + 1);
  }
}

/// The computation that has most of the kernels' code, or null.
const Items *findComputation(const LaunchOrder &order,
                             llvm::ArrayRef<Assignment::Node> nodes) {
  std::vector<uint32_t> wanted(order.getCodeCount());
  for (const Assignment::Node &node : nodes)
    if (node.named)
      ++wanted[node.named->code];
  const Items *best = nullptr;
  size_t most = 0;
  for (const Items &items : order.getComputations()) {
    llvm::DenseMap<uint32_t, uint32_t> found;
    size_t explained = 0;
    for (const LaunchOrder::Item &item : items)
      explained += found[item.code]++ < wanted[item.code];
    if (explained > most) {
      most = explained;
      best = &items;
    }
  }
  return best;
}

} // namespace

void CommandBuffers::resolve(Program program, const LaunchOrder &order,
                             const HloModule &module) {
  auto isOfProgram = [&](const Key &key) {
    return Program(std::get<0>(key), std::get<1>(key)) == program;
  };
  for (auto &[key, all] : buffers) {
    if (!isOfProgram(key))
      continue;
    std::vector<Assignment::Node> nodes;
    for (const auto &[number, node] : all) {
      llvm::StringRef kernel = texts[node.kernel];
      const LaunchOrder::Item *named = order.findKernel(kernel);
      nodes.push_back({kernel, named, kNone});
    }
    const Items *items = findComputation(order, nodes);
    if (!items)
      continue;
    Assignment(nodes, *items, module).run();
    size_t next = 0;
    for (auto &[number, node] : all) {
      const Assignment::Node &found = nodes[next++];
      // Bodies of loops inside of the graph, and second kernels of a fusion.
      const LaunchOrder::Item *item =
          found.item == kNone ? found.named : &(*items)[found.item];
      if (item)
        node.instruction =
            texts.get(module.instructions[item->instruction].name);
    }
  }
}
