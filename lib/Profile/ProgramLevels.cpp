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

AncestorTable::AncestorTable(const Program &program, uint32_t level)
    : program(program), level(level), sets(program.nodes.size(), kEmpty),
      begins({0, 0, 0}), budget((size_t(1) << 22) + 16 * program.nodes.size()) {
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

uint32_t profile::getWholeOp(const Program &program, uint32_t node) {
  while (program.nodes[node].kind == NodeKind::Body &&
         program.nodes[node].container != kNone)
    node = program.nodes[node].container;
  return node;
}

void AncestorTable::addNode(uint32_t node) {
  const ProgramNode &description = program.nodes[node];
  if (description.level == level) {
    sets[node] = addSet(getWholeOp(program, node));
    return;
  }
  llvm::SmallVector<uint32_t> origins;
  for (uint32_t parent : description.parents)
    if (sets[parent] != kEmpty)
      origins.push_back(sets[parent]);
  llvm::sort(origins);
  origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
  if (origins.empty())
    return;
  if (origins.size() == 1 || origins.front() == kTooMany) {
    sets[node] = origins.front();
    return;
  }
  llvm::SmallVector<uint32_t> all, merged;
  for (uint32_t set : origins) {
    llvm::ArrayRef<uint32_t> more = llvm::ArrayRef(members).slice(
        begins[set], begins[set + 1] - begins[set]);
    merged.clear();
    std::set_union(all.begin(), all.end(), more.begin(), more.end(),
                   std::back_inserter(merged));
    std::swap(all, merged);
    if (all.size() > kMaxAncestors)
      break;
  }
  sets[node] = addSet(all);
}

llvm::ArrayRef<uint32_t> AncestorTable::get(uint32_t node) const {
  uint32_t set = sets[node];
  return llvm::ArrayRef(members).slice(begins[set],
                                       begins[set + 1] - begins[set]);
}

std::vector<uint32_t> profile::getInlinedCalls(const Program &program,
                                               uint32_t node) {
  // Calls inlined first are further up, and further in.
  std::vector<llvm::ArrayRef<uint32_t>> found;
  for (;;) {
    const ProgramNode &description = program.nodes[node];
    found.push_back(description.callers);
    if (description.parents.empty())
      break;
    node = description.parents.front();
  }
  std::vector<uint32_t> calls;
  for (llvm::ArrayRef<uint32_t> callers : llvm::reverse(found))
    calls.insert(calls.end(), callers.begin(), callers.end());
  return calls;
}

uint32_t profile::getFunction(const Program &program, uint32_t node) {
  while (node != kNone && program.nodes[node].kind != NodeKind::Function)
    node = program.nodes[node].container;
  return node;
}

std::vector<std::vector<uint32_t>> profile::getChain(const Program &program,
                                                     uint32_t instruction) {
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
      for (uint32_t parent : program.nodes[node].parents)
        chain[program.nodes[parent].level].push_back(parent);
  }
  return chain;
}
