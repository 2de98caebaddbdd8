//===- Aligner.cpp - Finding counterparts step by step --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stale profiles are matched in BOLT by hashes of blocks with their neighbors,
// from strict to loose (Ayupov, Panchenko, Pupyrev: Stale Profile Matching, CC
// 2024), syntax trees by identical subtrees from the largest and then the nodes
// around them (Falleri et al.: GumTree, ASE 2014). Here nodes are ops, and a
// node with a counterpart becomes an anchor, from which the hashes of all
// others start.
//
//===----------------------------------------------------------------------===//

#include "Aligner.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// Limit on the rounds in which new anchors make other nodes unique. Each
/// except the last pairs something; most modules need two or three.
static constexpr unsigned kMaxRounds = 32;

/// Pairs ops between the same two pairs of a block, where as many stand on both
/// sides.
void Aligner::pairByOrder() {
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
  BothColors colors = color(see);
  for (const Class &c : group([&](const Side &side, uint32_t node) {
         return colors.get(*this, side, node);
       }))
    if (c.before.size() == c.after.size())
      for (auto [from, to] : llvm::zip_equal(c.before, c.after))
        if (!areContrary(from, to))
          pair(from, to, PairEvidence::Order);
}

/// Ops that look alike up to two edges away share the time.
void Aligner::shareTheRest() {
  auto see = [](const Side &side) {
    return colorAround(side.features, side.features.label, side.anchors,
                       kSharedRadius);
  };
  BothColors colors = color(see);
  for (const Class &c : group([&](const Side &side, uint32_t node) {
         return colors.get(*this, side, node);
       })) {
    if (c.after.size() > kMostShared)
      continue;
    for (uint32_t node : c.before) {
      llvm::copy_if(c.after, std::back_inserter(shared[node]),
                    [&](uint32_t to) { return !areContrary(node, to); });
      if (!shared[node].empty())
        evidence[node] = PairEvidence::Ambiguous;
    }
  }
}

/// Contests nodes of which one may be what a new node was: each belongs to the
/// values on one side of that, and nothing tells which one it continues.
void Aligner::contestBetween() {
  for (uint32_t node = 0; node != after.features.size(); ++node)
    if (after.isOpen[node])
      for (uint32_t from :
           after.kin.findBetween(node, before.kin, before.isOpen))
        if (evidence[from] == PairEvidence::None)
          evidence[from] = PairEvidence::Contested;
}

void Aligner::pairInOrder() {
  for (uint32_t node = 0; node != before.features.size(); ++node)
    pair(node, node, PairEvidence::Identical);
}

Alignment Aligner::run() {
  Alignment result;
  result.isIdentical = areIdentical(before, after);
  if (result.isIdentical) {
    pairInOrder();
  } else {
    pairFunctions();
    forgetResultPlaces();
    pairByConstants();
    pairByNames();
    pairArguments();
    for (bool isLax : {false, true}) {
      mayBeContrary = isLax;
      for (unsigned round = 0; round != kMaxRounds; ++round)
        if (pairByStructure() == 0 && pairBySurroundings() == 0)
          break;
    }
    sharePointedTo();
    pairMerged();
    for (unsigned round = 0; round != kMaxRounds; ++round) {
      size_t count = pairBySurroundings();
      count += pairOtherSizes();
      if (count == 0)
        break;
    }
    pairRewritten();
    pairScaled();
    pairByOrder();
    shareTheRest();
    contestBetween();
  }
  result.ops.resize(before.features.ops);
  for (uint32_t node = 0; node != before.features.ops; ++node) {
    Counterpart &counterpart = result.ops[node];
    counterpart.evidence = evidence[node];
    if (before.partner[node] != kNone)
      counterpart.ops = {before.partner[node]};
    else
      counterpart.ops.assign(shared[node].begin(), shared[node].end());
    llvm::sort(counterpart.ops);
  }
  return result;
}

Alignment module::alignModules(mlir::Operation *before, mlir::Operation *after,
                               KnownValues valuesBefore,
                               KnownValues valuesAfter) {
  Side old(before, valuesBefore), now(after, valuesAfter);
  return Aligner(old, now).run();
}

llvm::StringRef module::toString(PairEvidence evidence) {
  switch (evidence) {
  case PairEvidence::Identical:
    return "identical";
  case PairEvidence::Constants:
    return "constants";
  case PairEvidence::Structure:
    return "structure";
  case PairEvidence::Name:
    return "name";
  case PairEvidence::Merged:
    return "merged";
  case PairEvidence::Surroundings:
    return "surroundings";
  case PairEvidence::OtherSizes:
    return "other sizes";
  case PairEvidence::Order:
    return "order";
  case PairEvidence::Ambiguous:
    return "ambiguous";
  case PairEvidence::Contested:
    return "contested";
  case PairEvidence::None:
    return "none";
  }
  return "";
}
