//===- StructurePairs.cpp - Pairs of what is alike above or below ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
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
static BothPointers findPointersNow(const Pairing &pairing) {
  // Nodes without operands (arguments, constants, empty tensors) are told apart
  // by their users alone, which are decided first.
  auto see = [](const Side &side, auto compute) {
    Colors colors = compute(side.features, side.features.label, side.anchors);
    for (uint32_t node = 0; node != side.features.size(); ++node)
      if (!side.isOpen[node] || side.features.getOperands(node).empty())
        colors[node] = 0;
    return colors;
  };
  const Side &before = pairing.before, &after = pairing.after;
  return findPointers(before.features, after.features,
                      {see(before, colorUp), see(after, colorUp)},
                      {see(before, colorDown), see(after, colorDown)},
                      [&](uint32_t from, uint32_t to) {
                        return pairing.areContrary(from, to);
                      });
}

/// Pairs what is unique in all above it or in all below it, between anchors.
/// Where these two point to different ops, what hangs together with clearly
/// more ops decides, or a name; else both are equally good.
size_t align::pairByStructure(Pairing &pairing, BothPointers &pointers) {
  pointers = findPointersNow(pairing);
  const Pointers &forth = pointers.ofBefore, &back = pointers.ofAfter;
  Pairing::Unique named =
      pairing.findUnique([&](const Side &side, uint32_t node) -> Hash {
        return pairing.getNamed(side, side.features.label, node);
      });
  Pairing::Unique namedBack(pairing.after.features.size(), kNone);
  for (auto [from, to] : llvm::enumerate(named))
    if (to != kNone)
      namedBack[to] = uint32_t(from);
  Votes votes;
  for (uint32_t node = 0; node != pairing.before.features.size(); ++node) {
    if (forth.isInDoubt(node))
      continue;
    auto add = [&](std::vector<Targets> Pointers::*where,
                   std::vector<uint32_t> Pointers::*support,
                   bool (Pointers::*isBetter)(uint32_t, uint64_t) const) {
      const Targets &targets = (forth.*where)[node];
      if (targets.size() != 1)
        return;
      uint32_t to = targets.front();
      if ((back.*where)[to].size() != 1 || back.isInDoubt(to) ||
          pairing.haveOtherUsers(node, to))
        return;
      bool isNamed = named[node] == to;
      if (!isNamed && (named[node] != kNone || namedBack[to] != kNone))
        return;
      uint32_t factor = isNamed ? kStrongly : 1;
      auto isClear = [&](const Pointers &side, uint32_t place) {
        return !side.isTied(place) || (side.*isBetter)(place, factor);
      };
      if (isClear(forth, node) && isClear(back, to))
        votes.add(node, to, (forth.*support)[node] * factor);
    };
    add(&Pointers::up, &Pointers::ofUp, &Pointers::isUpBetter);
    add(&Pointers::down, &Pointers::ofDown, &Pointers::isDownBetter);
  }
  size_t count = 0;
  for (auto [from, to] : votes.elect(/*least=*/1, kClearly)) {
    pairing.pair(from, to, PairEvidence::Structure);
    ++count;
  }
  return count;
}

/// Settles ops that are computed from constants or weights alone, which look
/// alike: each follows its users.
static void followUsers(Pairing &pairing, const BothPointers &pointers) {
  Side &before = pairing.before, &after = pairing.after;
  const Pointers &forth = pointers.ofBefore, &back = pointers.ofAfter;
  auto isUndecided = [&](const Edge &user) {
    return !before.isOpen[user.node] && before.partner[user.node] == kNone;
  };
  auto isInDoubt = [&](uint32_t node) {
    // Only its users tell a node without operands from others.
    llvm::ArrayRef<Edge> users = before.features.getUsers(node);
    if (before.features.getOperands(node).empty())
      return !users.empty() && llvm::all_of(users, isUndecided);
    auto isBack = [&](uint32_t to) { return back.isInDoubt(to); };
    return forth.isInDoubt(node) || llvm::any_of(forth.up[node], isBack) ||
           llvm::any_of(forth.down[node], isBack);
  };
  for (uint32_t node : before.features.usersFirst) {
    if (!before.isOpen[node] || !isInDoubt(node))
      continue;
    Targets found;
    pairing.forEachUserNow(node, [&](uint32_t to) {
      if (before.features.label[node] == after.features.label[to] &&
          !llvm::is_contained(found, to))
        found.push_back(to);
    });
    pairing.share(node, found,
                  found.empty() ? PairEvidence::Contested
                                : PairEvidence::Ambiguous);
  }
  for (const Targets &targets : pairing.shared)
    for (uint32_t to : targets)
      after.isOpen[to] = false;
}

/// Settles the ops that pairByStructure left undecided, since weaker evidence
/// must not decide them. Ops that point to the same targets are settled
/// together: if there are fewer targets than ops, some ops are gone, and it is
/// not known which.
void align::sharePointedTo(Pairing &pairing, BothPointers &pointers) {
  Side &before = pairing.before, &after = pairing.after;
  pointers = findPointersNow(pairing);
  const Pointers &forth = pointers.ofBefore, &back = pointers.ofAfter;
  uint32_t size = before.features.size();
  BothColors around = pairing.color([](const Side &side) {
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
    if (!forth.both[node].empty()) {
      add(node, forth.both[node], all);
    } else {
      add(node, forth.up[node], all);
      add(node, forth.down[node], all);
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
    ColorClass found;
    bool isTied = false;
    for (uint32_t member : groups.members(*group)) {
      if (member < size)
        found.before.push_back(member);
      else
        found.after.push_back(member - size);
      isTied |=
          member < size ? forth.isTied(member) : back.isTied(member - size);
    }
    // Equally many ops that nothing tells apart are paired by their order.
    if (!isTied)
      continue;
    bool areGone = found.before.size() > found.after.size();
    for (uint32_t node : found.before)
      pairing.share(node, areGone ? Targets() : getTargets(node),
                    areGone ? PairEvidence::Contested
                            : PairEvidence::Ambiguous);
    for (uint32_t to : found.after)
      after.isOpen[to] = false;
  }
  followUsers(pairing, pointers);
}
