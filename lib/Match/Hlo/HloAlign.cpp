//===- HloAlign.cpp - Programs of a changed module ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloNear.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Finds the instructions of a program again in a changed module.
class Aligner : HloNear {
public:
  using HloNear::HloNear;

  bool run() {
    if (!collect() || isForDevices())
      return false;
    bool isChanged = hasChanged();
    if ((!isChanged && countNameless() == 0) || !isSmall())
      return false;
    pairProducts();
    look();
    nameProducts(isChanged);
    if (isChanged)
      replaceMatches();
    return isChanged;
  }

private:
  void nameProducts(bool isChanged);
  void replaceMatches();
  void dropCompeting();
};

/// Names nameless products after the instruction. In an unchanged module, one
/// that is not found has its neighbors' owners, like all nameless instructions.
void Aligner::nameProducts(bool isChanged) {
  for (uint32_t l = 0; l < recorded.size(); ++l)
    if (recorded[l].isNameless && (isChanged || found[l].size() == 1)) {
      OwnerCandidates candidates;
      for (uint32_t r : found[l])
        candidates.push_back(makeCandidate(products[r].item));
      program.matches[recorded[l].item].names.push_back(
          {program.module.instructions[recorded[l].item].name,
           std::move(candidates), MatchTier::Neighborhood});
    }
}

void Aligner::replaceMatches() {
  llvm::DenseMap<uint32_t, uint32_t> recordedOf;
  for (uint32_t l = 0; l < recorded.size(); ++l)
    recordedOf[recorded[l].item] = l;
  for (uint32_t i = 0; i < program.matches.size(); ++i) {
    const HloInstruction &instruction = program.module.instructions[i];
    uint32_t place = hlo.places[i];
    auto product = recordedOf.find(i);
    for (auto &name : program.matches[i].names) {
      name.tier = MatchTier::Neighborhood;
      name.candidates.clear();
      if (product != recordedOf.end()) {
        for (uint32_t r : found[product->second])
          name.candidates.push_back(makeCandidate(products[r].item));
        llvm::sort(name.candidates,
                   [](const auto &a, const auto &b) { return a.op < b.op; });
        continue;
      }
      if (place == kNone)
        continue;
      for (uint32_t label : getLabels(name.name, ""))
        name.candidates = findBetween(place, label);
      for (const NarrowingTier &narrowing : getNarrowingTiers())
        // Ops that only move data may have any shape.
        if (countOps(name.candidates) > 1 &&
            (narrowing.tier != MatchTier::Shape ||
             !isMovedFreely(instruction.opcode)))
          narrowing.narrow(index, {program.module, instruction},
                           MatchRule::Best, name.candidates);
    }
  }
  // Neighbors of what came or went mislead.
  if (spare.none() &&
      llvm::all_of(found, [](const Found &pair) { return pair.size() == 1; }))
    narrowByNeighbors(index, program);
  dropCompeting();
}

/// If products are gone, the instructions before and after them may look like
/// one op. It belongs to the one with more evidence, or to none.
void Aligner::dropCompeting() {
  if (llvm::none_of(found, [](const Found &pair) { return pair.empty(); }))
    return;
  struct Claim {
    uint32_t place, sides;
    OwnerCandidates *candidates;
  };
  std::map<std::pair<uint32_t, std::string>, std::vector<Claim>> byOp;
  for (uint32_t place = 0; place < hlo.items.size(); ++place)
    for (auto &name : program.matches[hlo.items[place]].names)
      for (const OwnerCandidate &candidate : name.candidates)
        if (!isProduct(index[candidate.op].op))
          byOp[{candidate.op,
                program.module.instructions[hlo.items[place]].opcode}]
              .push_back({place, countKnownSides(place), &name.candidates});
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
        areTied |=
            hloMarks.before[claim.place] != hloMarks.before[first->place] ||
            hloMarks.behind[claim.place] != hloMarks.behind[first->place];
      }
    for (const Claim &claim : claims)
      if (claim.sides < most || (areTied && most < 2))
        llvm::erase_if(*claim.candidates, [&](const auto &candidate) {
          return candidate.op == op;
        });
  }
}

} // namespace

ModuleData::ModuleData(const ModuleIndex &index) : graph(makeDataGraph(index)) {
  for (uint32_t op : graph.items)
    for (uint32_t own : index.getLocation(op).names) {
      ScopeName scopes(index.getLocations().getName(own));
      names.insert(scopes.getText(scopes.parts.size()));
    }
}

bool match::alignByData(const ModuleIndex &index, PathResolver &resolver,
                        const ModuleData &data, HloProgram &program) {
  return Aligner(index, resolver, data, program).run();
}
