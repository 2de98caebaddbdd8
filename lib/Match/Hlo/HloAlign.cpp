//===- HloAlign.cpp - Programs of a changed module ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloNear.h"
#include "HloSteps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Names nameless products after the instruction. In an unchanged module, one
/// that is not found has its neighbors' owners, like all nameless instructions.
static void nameProducts(HloPairing &pairing, bool isChanged) {
  for (uint32_t l = 0; l < pairing.recorded.size(); ++l)
    if (pairing.recorded[l].isNameless &&
        (isChanged || pairing.found[l].size() == 1)) {
      OwnerCandidates candidates;
      for (uint32_t r : pairing.found[l])
        candidates.push_back(pairing.makeCandidate(pairing.products[r].item));
      pairing.program.matches[pairing.recorded[l].item].names.push_back(
          {pairing.program.module.instructions[pairing.recorded[l].item].name,
           std::move(candidates), MatchTier::Neighborhood});
    }
}

/// If products are gone, the instructions before and after them may look like
/// one op. It belongs to the one with more evidence, or to none.
static void dropCompeting(HloPairing &pairing, const HloNear &near) {
  if (llvm::none_of(pairing.found,
                    [](const HloPairing::Found &pair) { return pair.empty(); }))
    return;
  struct Claim {
    uint32_t place, sides;
    OwnerCandidates *candidates;
  };
  std::map<std::pair<uint32_t, std::string>, std::vector<Claim>> byOp;
  for (uint32_t place = 0; place < pairing.hlo.items.size(); ++place)
    for (auto &name : pairing.program.matches[pairing.hlo.items[place]].names)
      for (const OwnerCandidate &candidate : name.candidates)
        if (!cost::isProduct(pairing.index[candidate.op].op))
          byOp[{candidate.op,
                pairing.program.module.instructions[pairing.hlo.items[place]]
                    .opcode}]
              .push_back(
                  {place, near.countKnownSides(place), &name.candidates});
  for (auto &[key, claims] : byOp) {
    uint32_t op = key.first;
    unsigned most = 0;
    for (const Claim &claim : claims)
      most = std::max(most, claim.sides);
    const Claim *first = nullptr;
    bool areTied = false;
    for (const Claim &claim : claims)
      if (claim.sides == most) {
        first = first ? first : &claim;
        areTied |= !near.areBetweenTheSame(claim.place, first->place);
      }
    for (const Claim &claim : claims)
      if (claim.sides < most || (areTied && most < 2))
        llvm::erase_if(*claim.candidates, [&](const auto &candidate) {
          return candidate.op == op;
        });
  }
}

static void replaceMatches(HloPairing &pairing, const HloNear &near) {
  llvm::DenseMap<uint32_t, uint32_t> recordedOf;
  for (uint32_t l = 0; l < pairing.recorded.size(); ++l)
    recordedOf[pairing.recorded[l].item] = l;
  for (uint32_t i = 0; i < pairing.program.matches.size(); ++i) {
    const HloInstruction &instruction = pairing.program.module.instructions[i];
    uint32_t place = pairing.hlo.places[i];
    auto product = recordedOf.find(i);
    for (auto &name : pairing.program.matches[i].names) {
      name.tier = MatchTier::Neighborhood;
      name.candidates.clear();
      if (product != recordedOf.end()) {
        for (uint32_t r : pairing.found[product->second])
          name.candidates.push_back(
              pairing.makeCandidate(pairing.products[r].item));
        llvm::sort(name.candidates,
                   [](const auto &a, const auto &b) { return a.op < b.op; });
        continue;
      }
      if (place == kNone)
        continue;
      for (uint32_t label : pairing.getLabels(name.name, ""))
        name.candidates = near.findBetween(place, label);
      for (const NarrowingTier &narrowing : getNarrowingTiers())
        // Ops that only move data may have any shape.
        if (countOps(name.candidates) > 1 &&
            (narrowing.tier != MatchTier::Shape ||
             !isMovedFreely(instruction.opcode)))
          narrowing.narrow(pairing.index, {pairing.program.module, instruction},
                           MatchRule::Best, name.candidates);
    }
  }
  // Neighbors of what came or went mislead.
  if (pairing.spare.none() &&
      llvm::all_of(pairing.found, [](const HloPairing::Found &pair) {
        return pair.size() == 1;
      }))
    narrowByNeighbors(pairing.index, pairing.program);
  dropCompeting(pairing, near);
}

ModuleData::ModuleData(const ModuleIndex &index) : graph(makeDataGraph(index)) {
  for (uint32_t op : graph.items)
    for (uint32_t own : index.getLocation(op).names) {
      ScopeName scopes(index.getLocations().getName(own));
      names.insert(scopes.getText(scopes.parts.size()));
    }
}

/// Finds the instructions of a program again in a changed module.
bool match::alignByData(const ModuleIndex &index, PathResolver &resolver,
                        const ModuleData &data, HloProgram &program) {
  HloPairing pairing(index, resolver, data, program);
  if (!collectProducts(pairing) || isForDevices(program))
    return false;
  bool isChanged = hasChanged(pairing);
  if ((!isChanged && pairing.countNameless() == 0) ||
      !HloNear::isSmall(pairing))
    return false;
  addLabels(pairing);
  pairProducts(pairing);
  HloNear near(pairing);
  nameProducts(pairing, isChanged);
  if (isChanged)
    replaceMatches(pairing, near);
  return isChanged;
}
