//===- Pointers.cpp - What structure says that nodes became ---------------===//
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

/// Nodes of one color that are compared, each with each.
static constexpr size_t kMostAlike = 64;

using IsContrary = llvm::function_ref<bool(uint32_t, uint32_t)>;

/// Adds to `mine` and `theirs` what nodes of one color point to.
static void point(const PointerColors &colors, IsContrary isContrary,
                  std::vector<Targets> &mine, std::vector<Targets> &theirs) {
  // The map keeps the largest two for itself.
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

/// What a node points to in both directions.
static void intersect(Pointers &pointers) {
  for (auto [up, down, both] :
       llvm::zip(pointers.up, pointers.down, pointers.both))
    llvm::copy_if(up, std::back_inserter(both), [&down = down](uint32_t to) {
      return llvm::is_contained(down, to);
    });
}

/// For each node that points to some how many such hang together with it, and
/// whether some of them have nothing in `others`.
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

/// Doubt spreads from ties to what hangs on them in the one direction that
/// tells it from others.
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

void align::findPointers(const Features &before, const Features &after,
                         const PointerColors &up, const PointerColors &down,
                         IsContrary isContrary, Pointers &ofBefore,
                         Pointers &ofAfter) {
  ofBefore = Pointers(before.size());
  ofAfter = Pointers(after.size());
  point(up, isContrary, ofBefore.up, ofAfter.up);
  point(down, isContrary, ofBefore.down, ofAfter.down);
  for (auto [features, pointers] :
       {std::pair(&before, &ofBefore), std::pair(&after, &ofAfter)}) {
    intersect(*pointers);
    countSupport(*features, pointers->up, pointers->down, pointers->ofUp,
                 pointers->isUpReal);
    countSupport(*features, pointers->down, pointers->up, pointers->ofDown,
                 pointers->isDownReal);
    spreadDoubt(*features, *pointers);
  }
}
