//===- StructurePairs.cpp - Pairs of what is alike above or below ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StructurePairs.h"
#include "Votes.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// How much more the evidence counts that a name agrees with.
static constexpr uint32_t kStrongly = 8;

/// Finds what all above each open node, and all below it, points to.
void StructurePairs::findPointersNow() {
  // Nodes without operands (arguments, constants, empty tensors) are told apart
  // by their users alone, which are decided first.
  auto see = [](const Side &side, auto compute) {
    Colors colors = compute(side.features, side.features.label, side.anchors);
    for (uint32_t node = 0; node != side.features.size(); ++node)
      if (!side.isOpen[node] || side.features.getOperands(node).empty())
        colors[node] = 0;
    return colors;
  };
  findPointers(
      before.features, after.features,
      {see(before, colorUp), see(after, colorUp)},
      {see(before, colorDown), see(after, colorDown)},
      [&](uint32_t from, uint32_t to) { return areContrary(from, to); },
      pointers, pointersBack);
}

/// Pairs what is unique in all above it or in all below it, between anchors.
/// Where these two point to different ops, what hangs together with clearly
/// more ops decides, or a name; else both are equally good. Returns the
/// number of new pairs.
size_t StructurePairs::pairByStructure() {
  findPointersNow();
  Unique named = findUnique([&](const Side &side, uint32_t node) -> Hash {
    return getNamed(side, side.features.label, node);
  });
  Unique namedBack(after.features.size(), kNone);
  for (auto [from, to] : llvm::enumerate(named))
    if (to != kNone)
      namedBack[to] = uint32_t(from);
  Votes votes;
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    if (pointers.isInDoubt(node))
      continue;
    auto add = [&](std::vector<Targets> Pointers::*where,
                   std::vector<uint32_t> Pointers::*support,
                   bool (Pointers::*isBetter)(uint32_t, uint64_t) const) {
      const Targets &targets = (pointers.*where)[node];
      if (targets.size() != 1)
        return;
      uint32_t to = targets.front();
      if ((pointersBack.*where)[to].size() != 1 || pointersBack.isInDoubt(to) ||
          haveOtherUsers(node, to))
        return;
      bool isNamed = named[node] == to;
      if (!isNamed && (named[node] != kNone || namedBack[to] != kNone))
        return;
      uint32_t factor = isNamed ? kStrongly : 1;
      auto isClear = [&](const Pointers &side, uint32_t place) {
        return !side.isTied(place) || (side.*isBetter)(place, factor);
      };
      if (isClear(pointers, node) && isClear(pointersBack, to))
        votes.add(node, to, (pointers.*support)[node] * factor);
    };
    add(&Pointers::up, &Pointers::ofUp, &Pointers::isUpBetter);
    add(&Pointers::down, &Pointers::ofDown, &Pointers::isDownBetter);
  }
  size_t count = 0;
  for (auto [from, to] : votes.elect(/*least=*/1, kClearly)) {
    pair(from, to, PairEvidence::Structure);
    ++count;
  }
  return count;
}

/// Settles the ops that pairByStructure left undecided, since weaker evidence
/// must not decide them. Ops that point to the same targets are settled
/// together: if there are fewer targets than ops, some ops are gone, and it is
/// not known which.
void StructurePairs::sharePointedTo() {
  findPointersNow();
  uint32_t size = before.features.size();
  BothColors around = color([](const Side &side) {
    return colorAround(side.features, side.features.label,
                       Colors(side.features.size()), kSharedRadius);
  });
  // Targets that are used alike, or all if there are none.
  auto add = [&](uint32_t node, const Targets &targets, Targets &all) {
    Targets alike;
    llvm::copy_if(targets, std::back_inserter(alike), [&](uint32_t to) {
      return around.before[node] == around.after[to];
    });
    for (uint32_t to : alike.empty() ? targets : alike)
      if (!llvm::is_contained(all, to))
        all.push_back(to);
  };
  auto getTargets = [&](uint32_t node) {
    Targets all;
    if (!pointers.both[node].empty()) {
      add(node, pointers.both[node], all);
    } else {
      add(node, pointers.up[node], all);
      add(node, pointers.down[node], all);
    }
    return all;
  };
  llvm::EquivalenceClasses<uint32_t> groups;
  for (uint32_t node = 0; node != size; ++node)
    for (uint32_t to : getTargets(node))
      groups.unionSets(node, size + to);
  for (const auto &group : groups) {
    if (!group->isLeader())
      continue;
    Class found;
    bool isTied = false;
    for (uint32_t member : groups.members(*group)) {
      if (member < size)
        found.before.push_back(member);
      else
        found.after.push_back(member - size);
      isTied |= member < size ? pointers.isTied(member)
                              : pointersBack.isTied(member - size);
    }
    // Equally many ops that nothing tells apart are paired by their order.
    if (!isTied)
      continue;
    bool areGone = found.before.size() > found.after.size();
    for (uint32_t node : found.before) {
      if (!areGone)
        shared[node] = getTargets(node);
      evidence[node] =
          areGone ? PairEvidence::Contested : PairEvidence::Ambiguous;
      before.isOpen[node] = false;
    }
    for (uint32_t to : found.after)
      after.isOpen[to] = false;
  }
  followUsers();
}

/// Settles ops that are computed from constants or weights alone, which look
/// alike: each follows its users.
void StructurePairs::followUsers() {
  auto isUndecided = [&](const Edge &user) {
    return !before.isOpen[user.node] && before.partner[user.node] == kNone;
  };
  auto isInDoubt = [&](uint32_t node) {
    // Only its users tell a node without operands from others.
    llvm::ArrayRef<Edge> users = before.features.getUsers(node);
    if (before.features.getOperands(node).empty())
      return !users.empty() && llvm::all_of(users, isUndecided);
    auto isBack = [&](uint32_t to) { return pointersBack.isInDoubt(to); };
    return pointers.isInDoubt(node) ||
           llvm::any_of(pointers.up[node], isBack) ||
           llvm::any_of(pointers.down[node], isBack);
  };
  for (uint32_t node : before.features.usersFirst) {
    if (!before.isOpen[node] || !isInDoubt(node))
      continue;
    Targets found;
    forEachUserNow(node, [&](uint32_t to) {
      if (before.features.label[node] == after.features.label[to] &&
          !llvm::is_contained(found, to))
        found.push_back(to);
    });
    shared[node] = found;
    evidence[node] =
        found.empty() ? PairEvidence::Contested : PairEvidence::Ambiguous;
    before.isOpen[node] = false;
  }
  for (const Targets &targets : shared)
    for (uint32_t to : targets)
      after.isOpen[to] = false;
}
