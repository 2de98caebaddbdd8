//===- NeighborPairs.cpp - Pairs that their neighbors tell ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "Votes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// Users of a value that are compared, each with each.
static constexpr size_t kMostUsers = 64;

/// Lets the counterparts of an op's neighbors name its own.
size_t align::pairBySurroundings(Pairing &pairing,
                                 const BothPointers &pointers) {
  const Side &before = pairing.before, &after = pairing.after;
  Votes votes;
  auto isSame = [&](uint32_t from, uint32_t to) {
    return before.isOpen[from] && after.isOpen[to] &&
           !pointers.ofBefore.isTied(from) && !pointers.ofAfter.isTied(to) &&
           before.features.label[from] == after.features.label[to] &&
           !pairing.areContrary(from, to) && !pairing.haveOtherUsers(from, to);
  };
  auto addVote = [&](uint32_t from, uint32_t to) {
    if (!isSame(from, to))
      return;
    Hash name = pairing.getNamed(before, before.features.label, from);
    bool isNamed =
        name && name == pairing.getNamed(after, after.features.label, to);
    votes.add(from, to, isNamed ? 3 : 2);
  };
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    uint32_t partner = before.partner[node];
    if (partner == kNone)
      continue;
    // A node with many users does not distinguish them.
    if (before.features.getUsers(node).size() <= kMostUsers &&
        after.features.getUsers(partner).size() <= kMostUsers)
      for (const Edge &mine : before.features.getUsers(node))
        for (const Edge &theirs : after.features.getUsers(partner))
          if (mine.port == theirs.port)
            addVote(mine.node, theirs.node);
    for (auto [mine, theirs] : llvm::zip(before.features.getOperands(node),
                                         after.features.getOperands(partner)))
      if (mine.port == theirs.port)
        addVote(mine.node, theirs.node);
  }
  size_t count = 0;
  // Neighbors that disagree do not decide.
  for (auto [from, to] : votes.elect(/*least=*/1, /*ratio=*/1)) {
    pairing.pair(from, to, PairEvidence::Surroundings);
    ++count;
  }
  return count;
}

/// Ops that compute the same from the same are one where common subexpressions
/// were eliminated, and several where they were not yet.
void align::pairMerged(Pairing &pairing) {
  const Side &before = pairing.before, &after = pairing.after;
  auto see = [&](const Side &side) {
    Colors base = side.features.label;
    for (uint32_t node = 0; node != side.features.size(); ++node) {
      const Features &f = side.features;
      if (f.content[node])
        base[node] = combine(base[node], f.content[node]);
      else if (!f.isOp(node) || f.isUnknown[node])
        // A node without a counterpart gets a color that no other node has.
        base[node] =
            combine(base[node], side.anchors[node]
                                    ? side.anchors[node]
                                    : combine(&side == &before ? 1 : 2, node));
    }
    return colorUp(side.features, base, Colors(side.features.size()));
  };
  BothColors colors = pairing.color(see);
  // Users first: the counterparts of the users show what these are computed
  // from now.
  for (uint32_t node : before.features.usersFirst) {
    if (!before.isOpen[node] || !before.features.isOp(node) ||
        before.features.isTerminator[node] ||
        before.features.getOperands(node).empty())
      continue;
    llvm::SmallVector<uint32_t, 1> same;
    pairing.forEachUserNow(node, [&](uint32_t to) {
      // One that has come to compute it, and computed something else, has time
      // of its own.
      uint32_t partner = after.partner[to];
      if (colors.before[node] == colors.after[to] &&
          (partner == kNone || colors.before[partner] == colors.before[node]) &&
          !llvm::is_contained(same, to))
        same.push_back(to);
    });
    if (same.empty() || same.size() > kMostShared)
      continue;
    pairing.share(node, same,
                  same.size() == 1 ? PairEvidence::Merged
                                   : PairEvidence::Ambiguous);
  }
}
