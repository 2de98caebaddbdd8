//===- Lineage.cpp - Links between ops of levels --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lineage.h"
#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::serve;

std::vector<LinkedOp> serve::findOrigins(const Program &program,
                                         uint32_t number, uint32_t node) {
  std::vector<bool> seen(program.nodes.size());
  std::vector<uint32_t> open = {node};
  std::vector<LinkedOp> found;
  while (!open.empty()) {
    uint32_t next = open.back();
    open.pop_back();
    for (uint32_t parent : program.nodes[next].parents)
      if (parent < seen.size() && !seen[parent]) {
        seen[parent] = true;
        open.push_back(parent);
        found.push_back({number, program.nodes[parent].level, parent});
      }
  }
  llvm::sort(found, [](const LinkedOp &a, const LinkedOp &b) {
    return a.index < b.index;
  });
  return found;
}

std::vector<LinkedOp> serve::findResults(const Program &program,
                                         uint32_t number, uint32_t node) {
  std::vector<std::vector<uint32_t>> children(program.nodes.size());
  for (auto [i, each] : llvm::enumerate(program.nodes))
    for (uint32_t parent : each.parents)
      if (parent < children.size())
        children[parent].push_back(uint32_t(i));
  std::vector<bool> seen(program.nodes.size());
  std::vector<uint32_t> open = {node};
  std::vector<LinkedOp> found;
  seen[node] = true;
  while (!open.empty()) {
    uint32_t next = open.back();
    open.pop_back();
    for (uint32_t child : children[next])
      if (!seen[child]) {
        seen[child] = true;
        open.push_back(child);
        found.push_back({number, program.nodes[child].level, child});
      }
  }
  for (auto [i, instruction] : llvm::enumerate(program.instructions))
    if (instruction.node < seen.size() && seen[instruction.node])
      found.push_back({number, uint32_t(program.levels.size()), uint32_t(i)});
  llvm::sort(found, [](const LinkedOp &a, const LinkedOp &b) {
    return std::tie(a.level, a.index) < std::tie(b.level, b.index);
  });
  return found;
}

std::vector<uint32_t>
serve::findNearest(const Program &program, llvm::ArrayRef<uint32_t> nodes,
                   llvm::function_ref<bool(uint32_t node)> isShown) {
  std::vector<uint32_t> open = nodes.vec(), found;
  llvm::DenseSet<uint32_t> seen;
  while (!open.empty()) {
    uint32_t node = open.back();
    open.pop_back();
    if (node >= program.nodes.size() || !seen.insert(node).second)
      continue;
    if (isShown(node))
      found.push_back(node);
    else
      llvm::append_range(open, program.nodes[node].parents);
  }
  return found;
}
