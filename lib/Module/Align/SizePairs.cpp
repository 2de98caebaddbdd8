//===- SizePairs.cpp - Pairs of ops of other sizes ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// Layers that became wider or narrower stand between the same neighbors, or
/// keep their names.
size_t align::pairOtherSizes(Pairing &pairing) {
  BothColors colors = pairing.color([](const Side &side) {
    const Features &f = side.features;
    Colors up = colorUp(f, f.sizeless, side.anchors);
    Colors down = colorDown(f, f.sizeless, side.anchors);
    std::vector<bool> above = findAnchorsAbove(f, side.anchors);
    std::vector<bool> below = findAnchorsBelow(f, side.anchors);
    for (uint32_t node = 0; node != f.size(); ++node)
      up[node] = above[node] && below[node] ? combine(up[node], down[node]) : 0;
    return up;
  });
  size_t count = pairing.pairUnique(colors, PairEvidence::OtherSizes);
  count += pairing.pairUnique(
      [&](const Side &side, uint32_t node) {
        return pairing.getNamed(side, side.features.kind, node);
      },
      PairEvidence::OtherSizes);
  return count;
}

/// Drops pairs of `found` in which a size occurs that became several other
/// sizes: in a model with another batch size, for example, each size becomes
/// one other size throughout.
static void dropUnclearSizes(const Pairing &pairing, Pairing::Unique &found) {
  const Side &before = pairing.before, &after = pairing.after;
  // DenseMap reserves some of the sizes that a file may have.
  std::unordered_map<int64_t, int64_t> became;
  std::unordered_set<int64_t> unclear;
  auto forEachSize = [&](uint32_t from, uint32_t to, auto visit) {
    for (auto [mine, theirs] :
         llvm::zip(before.features.sizes[from], after.features.sizes[to]))
      visit(mine, theirs);
  };
  for (uint32_t node = 0; node != before.features.size(); ++node) {
    uint32_t to = found[node] != kNone ? found[node] : before.partner[node];
    if (to != kNone)
      forEachSize(node, to, [&](int64_t mine, int64_t theirs) {
        if (became.try_emplace(mine, theirs).first->second != theirs)
          unclear.insert(mine);
      });
  }
  for (auto [from, to] : llvm::enumerate(found)) {
    bool isClear = to != kNone;
    if (isClear)
      forEachSize(uint32_t(from), to, [&](int64_t mine, int64_t) {
        isClear &= !unclear.count(mine);
      });
    if (!isClear)
      to = kNone;
  }
}

/// The products of a module that are open, by their names: 0 for other nodes.
static Colors colorProducts(const Side &side) {
  Colors colors(side.features.size());
  uint32_t node = 0;
  side.root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    uint32_t own = node++;
    if (!side.isOpen[own] || side.features.name[own] == 0)
      return;
    if (cost::isProduct(op))
      colors[own] =
          combine(uint64_t(cost::getKind(op)), side.features.name[own]);
  });
  return colors;
}

/// Optimizers write products in other forms: with packed weights, as another
/// op. They keep the name, which tells if no other product has it.
void align::pairRewritten(Pairing &pairing) {
  if (pairing.areNumberedAnew)
    return;
  const TellingNames &names = pairing.names;
  Pairing::Unique found = pairing.findUnique(pairing.color(colorProducts));
  for (auto [from, to] : llvm::enumerate(found))
    if (to != kNone && names.before[from] && names.after[to] &&
        pairing.before.features.kind[from] != pairing.after.features.kind[to])
      pairing.pair(uint32_t(from), to, PairEvidence::Name);
}

/// Pairs ops that stand alone for all that is above and below them, then for
/// one of these, but for sizes.
void align::pairScaled(Pairing &pairing) {
  auto see = [&](auto compute) {
    return pairing.color([&](const Side &side) {
      return compute(side.features, side.features.sizeless, side.anchors);
    });
  };
  BothColors above = see(colorUp), below = see(colorDown);
  auto getBoth = [&](const Side &side, uint32_t node) {
    return combine(above(side, node), below(side, node));
  };
  const Features &features = pairing.before.features;
  for (Pairing::KeyOf getKey : {Pairing::KeyOf(getBoth), Pairing::KeyOf(above),
                                Pairing::KeyOf(below)}) {
    Pairing::Unique found = pairing.findUnique(getKey);
    dropUnclearSizes(pairing, found);
    for (auto [from, to] : llvm::enumerate(found))
      if (to != kNone && !features.isTerminator[from] &&
          !features.getOperands(uint32_t(from)).empty())
        pairing.pair(uint32_t(from), to, PairEvidence::OtherSizes);
  }
}
