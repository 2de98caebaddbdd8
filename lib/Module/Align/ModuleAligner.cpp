//===- ModuleAligner.cpp - Finding counterparts step by step --------------===//
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

#include "Steps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// Limit on the rounds in which new anchors make other nodes unique. Each
/// except the last pairs something; most modules need two or three.
static constexpr unsigned kMaxRounds = 32;

namespace {

/// Aligns two modules: the steps in their order, from strict to loose.
class ModuleAligner {
public:
  ModuleAligner(Side &before, Side &after) : pairing(before, after) {}

  Alignment run();

private:
  void pairInOrder();
  void pairStepByStep();
  Alignment makeAlignment(bool isIdentical) const;

  Pairing pairing;
};

} // namespace

void ModuleAligner::pairInOrder() {
  for (uint32_t node = 0; node != pairing.before.features.size(); ++node)
    pairing.pair(node, node, PairEvidence::Identical);
}

void ModuleAligner::pairStepByStep() {
  pairFunctions(pairing);
  forgetResultPlaces(pairing);
  pairByConstants(pairing);
  pairByNames(pairing);
  pairArguments(pairing);
  BothPointers pointers;
  for (bool isLax : {false, true}) {
    pairing.mayBeContrary = isLax;
    for (unsigned round = 0; round != kMaxRounds; ++round)
      if (pairByStructure(pairing, pointers) == 0 &&
          pairBySurroundings(pairing, pointers) == 0)
        break;
  }
  sharePointedTo(pairing, pointers);
  pairMerged(pairing);
  for (unsigned round = 0; round != kMaxRounds; ++round) {
    size_t count = pairBySurroundings(pairing, pointers);
    count += pairOtherSizes(pairing);
    if (count == 0)
      break;
  }
  pairRewritten(pairing);
  pairScaled(pairing);
  pairByOrder(pairing);
  shareTheRest(pairing);
  contestBetween(pairing);
}

Alignment ModuleAligner::makeAlignment(bool isIdentical) const {
  const Side &before = pairing.before;
  Alignment result;
  result.isIdentical = isIdentical;
  result.ops.resize(before.features.ops);
  for (uint32_t node = 0; node != before.features.ops; ++node) {
    Counterpart &counterpart = result.ops[node];
    counterpart.evidence = pairing.evidence[node];
    if (before.partner[node] != kNone)
      counterpart.ops = {before.partner[node]};
    else
      counterpart.ops.assign(pairing.shared[node].begin(),
                             pairing.shared[node].end());
    llvm::sort(counterpart.ops);
  }
  return result;
}

Alignment ModuleAligner::run() {
  bool isIdentical = areIdentical(pairing.before, pairing.after);
  if (isIdentical)
    pairInOrder();
  else
    pairStepByStep();
  return makeAlignment(isIdentical);
}

Alignment module::alignModules(mlir::Operation *before, mlir::Operation *after,
                               KnownValues valuesBefore,
                               KnownValues valuesAfter) {
  Side old(before, valuesBefore), now(after, valuesAfter);
  return ModuleAligner(old, now).run();
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
