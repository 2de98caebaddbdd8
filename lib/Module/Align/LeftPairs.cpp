//===- LeftPairs.cpp - Nodes that all other steps left open ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;

/// Pairs ops between the same two pairs of a block, where as many stand on both
/// sides.
void align::pairByOrder(Pairing &pairing) {
  auto see = [](const Side &side) {
    const Features &f = side.features;
    Colors keys(f.size());
    Colors last(f.ops);
    for (uint32_t node = 1; node < f.ops; ++node) {
      keys[node] =
          combine(combine(f.label[node], f.name[node]), last[f.parent[node]]);
      if (side.anchors[node])
        last[f.parent[node]] = side.anchors[node];
    }
    std::fill(last.begin(), last.end(), 0);
    for (uint32_t node = f.ops; node-- > 1;) {
      keys[node] = combine(combine(keys[node], last[f.parent[node]]),
                           side.anchors[f.parent[node]]);
      if (!side.anchors[f.parent[node]])
        keys[node] = 0;
      if (side.anchors[node])
        last[f.parent[node]] = side.anchors[node];
    }
    return keys;
  };
  for (const ColorClass &c : pairing.group(pairing.color(see)))
    if (c.before.size() == c.after.size())
      for (auto [from, to] : llvm::zip_equal(c.before, c.after))
        if (!pairing.areContrary(from, to))
          pairing.pair(from, to, PairEvidence::Order);
}

/// Ops that look alike up to two edges away share the time.
void align::shareTheRest(Pairing &pairing) {
  auto see = [](const Side &side) {
    return colorAround(side.features, side.features.label, side.anchors,
                       kSharedRadius);
  };
  for (const ColorClass &c : pairing.group(pairing.color(see))) {
    if (c.after.size() > kMostShared)
      continue;
    for (uint32_t node : c.before) {
      llvm::SmallVector<uint32_t, 1> &ops = pairing.shared[node];
      llvm::copy_if(c.after, std::back_inserter(ops), [&](uint32_t to) {
        return !pairing.areContrary(node, to);
      });
      if (!ops.empty())
        pairing.evidence[node] = PairEvidence::Ambiguous;
    }
  }
}

/// Contests nodes of which one may be what a new node was: each belongs to the
/// values on one side of that, and nothing tells which one it continues.
void align::contestBetween(Pairing &pairing) {
  const Side &before = pairing.before, &after = pairing.after;
  for (uint32_t node = 0; node != after.features.size(); ++node)
    if (after.isOpen[node])
      for (uint32_t from :
           after.kin.findBetween(node, before.kin, before.isOpen))
        if (pairing.evidence[from] == PairEvidence::None)
          pairing.evidence[from] = PairEvidence::Contested;
}
