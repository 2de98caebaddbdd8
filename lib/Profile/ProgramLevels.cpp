//===- ProgramLevels.cpp - Origins of a program's ops ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/ProgramLevels.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Limit on the origins of one op. Beyond it they are not informative, and a
/// damaged program could create sets that exhaust the memory.
static constexpr size_t kMaxAncestors = 4096;

std::vector<std::string> profile::getLevels(const Profile &profile) {
  std::vector<std::string> levels;
  bool hasCode = false;
  for (const Program &program : profile.programs) {
    hasCode |= !program.instructions.empty();
    for (const std::string &level : program.levels)
      if (!llvm::is_contained(levels, level))
        levels.push_back(level);
  }
  if (hasCode)
    levels.push_back(kAsmLevel.str());
  return levels;
}

llvm::StringRef profile::getEntry(const Program &program) {
  if (!program.entry.empty())
    return program.entry;
  const ProgramNode *only = nullptr;
  for (const ProgramNode &node : program.nodes) {
    if (node.level != 0 || node.kind != NodeKind::Function)
      continue;
    if (only)
      return "";
    only = &node;
  }
  return only ? llvm::StringRef(program.strings[only->name])
              : llvm::StringRef();
}

std::vector<uint32_t> profile::getOpIndices(const Program &program) {
  std::vector<bool> isKnown(program.levels.size());
  for (const ProgramNode &node : program.nodes)
    if (node.position != kNone)
      isKnown[node.level] = true;
  std::vector<uint32_t> indices, last(program.levels.size());
  for (const ProgramNode &node : program.nodes)
    indices.push_back(isKnown[node.level] ? node.position : ++last[node.level]);
  return indices;
}

uint32_t profile::findLevel(const Program &program, llvm::StringRef level) {
  auto it = llvm::find(program.levels, level);
  if (it != program.levels.end())
    return uint32_t(it - program.levels.begin());
  return level == kAsmLevel && !program.instructions.empty()
             ? uint32_t(program.levels.size())
             : kNone;
}

uint32_t profile::getWholeOp(const Program &program, uint32_t node) {
  while (program.nodes[node].kind == NodeKind::Body &&
         program.nodes[node].container != kNone)
    node = program.nodes[node].container;
  return node;
}

std::vector<uint32_t> profile::descend(
    const Program &program, uint32_t outside,
    llvm::function_ref<uint32_t(uint32_t node, uint32_t above)> step) {
  size_t count = program.nodes.size();
  std::vector<uint32_t> results(count, outside);
  std::vector<bool> done(count);
  std::vector<uint32_t> path;
  for (uint32_t start = 0; start < count; ++start) {
    uint32_t at = start;
    for (; at < count && !done[at]; at = program.nodes[at].container) {
      done[at] = true;
      path.push_back(at);
    }
    for (; !path.empty(); path.pop_back()) {
      uint32_t above = program.nodes[path.back()].container;
      results[path.back()] =
          step(path.back(), above < count ? results[above] : outside);
    }
  }
  return results;
}

std::vector<uint32_t> profile::findFunctions(const Program &program) {
  return descend(program, kNone, [&](uint32_t node, uint32_t above) {
    return program.nodes[node].kind == NodeKind::Function ? node : above;
  });
}

uint32_t profile::getFunction(const Program &program, uint32_t node) {
  while (node != kNone && program.nodes[node].kind != NodeKind::Function)
    node = program.nodes[node].container;
  return node;
}

uint32_t profile::getInstanceLevel(const Program &program) {
  return program.instances.empty()
             ? kNone
             : program.nodes[program.instances.front().node].level;
}

//===----------------------------------------------------------------------===//
// Parents and instances
//===----------------------------------------------------------------------===//

/// Whether the parents of `node`, in `function`, are those of the dispatch.
static bool isOfKernel(const Program &program, uint32_t function,
                       uint32_t instance) {
  return instance < program.instances.size() &&
         function == program.instances[instance].kernel;
}

/// The origins of an op of the instance's kernel.
static llvm::ArrayRef<std::pair<uint32_t, uint32_t>>
getOrigins(const ProgramInstance &instance, uint32_t op) {
  llvm::ArrayRef<std::pair<uint32_t, uint32_t>> origins = instance.origins;
  const auto *begin = llvm::lower_bound(origins, std::make_pair(op, 0u));
  return origins.drop_front(size_t(begin - origins.begin()))
      .take_while([&](const auto &each) { return each.first == op; });
}

std::vector<uint32_t> profile::getParents(const Program &program, uint32_t node,
                                          uint32_t instance) {
  const ProgramNode &info = program.nodes[node];
  if (instance >= program.instances.size() ||
      info.level != getInstanceLevel(program) ||
      !isOfKernel(program, getFunction(program, node), instance))
    return info.parents;
  const ProgramInstance &which = program.instances[instance];
  if (node == which.kernel)
    return program.nodes[which.node].parents;
  std::vector<uint32_t> parents;
  for (auto [op, origin] : getOrigins(which, node))
    parents.push_back(origin);
  return parents;
}

//===----------------------------------------------------------------------===//
// Ancestors
//===----------------------------------------------------------------------===//

/// Limit on the steps for single instances: more than a program of a thousand
/// dispatches takes, and few enough for a damaged one.
static constexpr size_t kMaxInstanceSteps = size_t(1) << 24;

AncestorTable::AncestorTable(const Program &program, uint32_t level)
    : program(program), level(level), instanceLevel(getInstanceLevel(program)),
      sets(program.nodes.size(), kEmpty), begins({0, 0, 0}),
      budget((size_t(1) << 22) + 16 * program.nodes.size()),
      instanceBudget(kMaxInstanceSteps) {
  // Origins come first, since they are at earlier levels.
  std::vector<uint32_t> order;
  for (uint32_t node = 0; node != program.nodes.size(); ++node)
    if (program.nodes[node].level >= level)
      order.push_back(node);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return std::make_tuple(program.nodes[a].level, a) <
           std::make_tuple(program.nodes[b].level, b);
  });
  for (uint32_t node : order)
    addNode(node);
}

uint32_t AncestorTable::addSet(llvm::ArrayRef<uint32_t> set) {
  if (set.size() > kMaxAncestors || set.size() > budget)
    return kTooMany;
  budget -= set.size();
  members.insert(members.end(), set.begin(), set.end());
  begins.push_back(members.size());
  return uint32_t(begins.size() - 2);
}

void AncestorTable::addNode(uint32_t node) {
  const ProgramNode &description = program.nodes[node];
  if (description.level == level) {
    sets[node] = addSet(getWholeOp(program, node));
    return;
  }
  llvm::SmallVector<uint32_t> origins;
  for (uint32_t parent : description.parents)
    origins.push_back(sets[parent]);
  sets[node] = mergeSets(origins);
}

/// The union of `origins`, sets.
uint32_t AncestorTable::mergeSets(llvm::SmallVectorImpl<uint32_t> &origins) {
  llvm::erase(origins, kEmpty);
  llvm::sort(origins);
  origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
  if (origins.empty())
    return kEmpty;
  if (origins.size() == 1 || origins.front() == kTooMany)
    return origins.front();
  llvm::SmallVector<uint32_t> all, merged;
  for (uint32_t set : origins) {
    llvm::ArrayRef<uint32_t> more = getSet(set);
    merged.clear();
    std::set_union(all.begin(), all.end(), more.begin(), more.end(),
                   std::back_inserter(merged));
    std::swap(all, merged);
    if (all.size() > kMaxAncestors)
      break;
  }
  return addSet(all);
}

/// Whether the origins of `node` may differ between instances.
bool AncestorTable::dependsOn(uint32_t instance, uint32_t node) const {
  return instance < program.instances.size() && level < instanceLevel &&
         program.nodes[node].level >= instanceLevel;
}

uint32_t AncestorTable::find(uint32_t node, uint32_t instance) {
  if (!dependsOn(instance, node))
    return sets[node];
  if (functions.empty())
    functions = findFunctions(program);
  llvm::SmallVector<uint32_t> left = {node};
  while (!left.empty()) {
    uint32_t at = left.back();
    size_t before = left.size();
    if (ofInstance.contains({at, instance})) {
      left.pop_back();
      continue;
    }
    llvm::ArrayRef<uint32_t> parents = program.nodes[at].parents;
    if (parents.size() >= instanceBudget)
      return kTooMany;
    instanceBudget -= 1 + parents.size();
    // The origins of an op of the instances' level are of earlier levels.
    for (uint32_t parent : parents)
      if (dependsOn(instance, parent) &&
          !ofInstance.contains({parent, instance}))
        left.push_back(parent);
    if (left.size() != before)
      continue;
    left.pop_back();
    ofInstance[{at, instance}] = findDirect(at, instance);
  }
  return ofInstance.lookup({node, instance});
}

/// The set of a node whose parents are known.
uint32_t AncestorTable::findDirect(uint32_t node, uint32_t instance) {
  llvm::SmallVector<uint32_t> origins;
  if (program.nodes[node].level == instanceLevel) {
    if (!isOfKernel(program, functions[node], instance))
      return sets[node];
    // The function itself comes from the op that runs it.
    const ProgramInstance &which = program.instances[instance];
    if (node == which.kernel)
      return sets[which.node];
    for (auto [op, origin] : getOrigins(which, node))
      origins.push_back(sets[origin]);
    return mergeSets(origins);
  }
  for (uint32_t parent : program.nodes[node].parents)
    origins.push_back(dependsOn(instance, parent)
                          ? ofInstance.lookup({parent, instance})
                          : sets[parent]);
  return mergeSets(origins);
}

std::vector<uint32_t> profile::getInlinedCalls(const Program &program,
                                               uint32_t node,
                                               uint32_t instance) {
  // Calls inlined first are further up, and further in.
  std::vector<llvm::ArrayRef<uint32_t>> found;
  for (;;) {
    found.push_back(program.nodes[node].callers);
    std::vector<uint32_t> parents = getParents(program, node, instance);
    if (parents.empty())
      break;
    node = parents.front();
  }
  std::vector<uint32_t> calls;
  for (llvm::ArrayRef<uint32_t> callers : llvm::reverse(found))
    calls.insert(calls.end(), callers.begin(), callers.end());
  return calls;
}

std::vector<std::vector<uint32_t>> profile::getChain(const Program &program,
                                                     uint32_t instruction,
                                                     uint32_t instance) {
  std::vector<std::vector<uint32_t>> chain(program.levels.size());
  uint32_t last = program.instructions[instruction].node;
  if (last == kNone)
    return chain;
  // Each level is complete before its nodes' origins are visited.
  chain[program.nodes[last].level].push_back(last);
  for (std::vector<uint32_t> &nodes : llvm::reverse(chain)) {
    llvm::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (uint32_t node : nodes)
      for (uint32_t parent : getParents(program, node, instance))
        chain[program.nodes[parent].level].push_back(parent);
  }
  return chain;
}
