//===- Pointers.cpp - Candidates by structure -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pointers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;

/// Maximum number of nodes of one color that are compared pairwise.
static constexpr size_t kMostAlike = 64;

using IsContrary = llvm::function_ref<bool(uint32_t, uint32_t)>;

/// Adds the targets of nodes of one color to `mine` and `theirs`.
static void point(const PointerColors &colors, IsContrary isContrary,
                  std::vector<Targets> &mine, std::vector<Targets> &theirs) {
  // The map reserves the largest two keys.
  llvm::DenseMap<Hash, Targets> classes;
  for (auto [node, color] : llvm::enumerate(colors.after))
    if (color)
      classes[color >> 1].push_back(uint32_t(node));
  for (auto [node, color] : llvm::enumerate(colors.before)) {
    auto found = color ? classes.find(color >> 1) : classes.end();
    if (found == classes.end() || found->second.size() > kMostAlike)
      continue;
    for (uint32_t to : found->second)
      if (!isContrary(uint32_t(node), to)) {
        mine[node].push_back(to);
        theirs[to].push_back(uint32_t(node));
      }
  }
}

/// The targets of a node in both directions.
static void intersect(Pointers &pointers) {
  for (auto [up, down, both] :
       llvm::zip(pointers.up, pointers.down, pointers.both))
    llvm::copy_if(up, std::back_inserter(both), [&down = down](uint32_t to) {
      return llvm::is_contained(down, to);
    });
}

/// For each node with targets, the number of such nodes that hang together with
/// it, and whether some of them lack targets in `others`.
static void countSupport(const Features &features,
                         llvm::ArrayRef<Targets> targets,
                         llvm::ArrayRef<Targets> others,
                         std::vector<uint32_t> &support,
                         std::vector<bool> &isReal) {
  llvm::EquivalenceClasses<uint32_t> groups;
  for (uint32_t node = 0; node != features.size(); ++node) {
    if (targets[node].empty())
      continue;
    groups.insert(node);
    for (const Edge &edge : features.getOperands(node))
      if (!targets[edge.node].empty())
        groups.unionSets(node, edge.node);
  }
  llvm::DenseMap<uint32_t, std::pair<uint32_t, bool>> found;
  for (uint32_t node = 0; node != features.size(); ++node)
    if (!targets[node].empty()) {
      auto &[size, isAlone] = found[groups.getLeaderValue(node)];
      ++size;
      isAlone |= others[node].empty();
    }
  for (uint32_t node = 0; node != features.size(); ++node)
    if (!targets[node].empty()) {
      auto [size, isAlone] = found.lookup(groups.getLeaderValue(node));
      support[node] = size;
      isReal[node] = isAlone;
    }
}

/// Doubt spreads from ties to the nodes that hang on them in the only direction
/// that distinguishes them.
static void spreadDoubt(const Features &features, Pointers &pointers) {
  auto spread = [&](uint32_t node, llvm::ArrayRef<Edge> edges,
                    const std::vector<Targets> &others,
                    std::vector<bool> &isDoubtful) {
    isDoubtful[node] =
        pointers.isOpenTie(node) ||
        (others[node].size() != 1 && llvm::any_of(edges, [&](const Edge &edge) {
           return isDoubtful[edge.node];
         }));
  };
  for (uint32_t node : features.usersFirst)
    spread(node, features.getUsers(node), pointers.up, pointers.isDownDoubtful);
  for (uint32_t node = 0; node != features.ops; ++node)
    spread(node, features.getOperands(node), pointers.down,
           pointers.isUpDoubtful);
}

BothPointers align::findPointers(const Features &before, const Features &after,
                                 const PointerColors &up,
                                 const PointerColors &down,
                                 IsContrary isContrary) {
  BothPointers both{Pointers(before.size()), Pointers(after.size())};
  point(up, isContrary, both.ofBefore.up, both.ofAfter.up);
  point(down, isContrary, both.ofBefore.down, both.ofAfter.down);
  for (auto [features, pointers] :
       {std::pair(&before, &both.ofBefore), std::pair(&after, &both.ofAfter)}) {
    intersect(*pointers);
    countSupport(*features, pointers->up, pointers->down, pointers->ofUp,
                 pointers->isUpReal);
    countSupport(*features, pointers->down, pointers->up, pointers->ofDown,
                 pointers->isDownReal);
    spreadDoubt(*features, *pointers);
  }
  return both;
}
