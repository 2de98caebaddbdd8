//===- HloNear.cpp - Surroundings of products -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloNear.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Bits that the tables of nearest products may take on one side.
static constexpr uint64_t kMostBits = uint64_t(1) << 27;
/// Limit on compared pairs of products of both sides.
static constexpr uint64_t kMostPairs = uint64_t(1) << 24;
static constexpr unsigned kMaxSweeps = 4;

/// An added layer separates former neighbors, and a removed one stood between
/// them: products that may belong to such a layer are passed through.
void HloNear::findMarks() {
  auto find = [](const DataGraph &graph, llvm::ArrayRef<HloProduct> all,
                 const llvm::BitVector &isPassed) {
    llvm::SmallVector<uint32_t> places;
    for (const HloProduct &product : all)
      places.push_back(product.place);
    return findNearestMarks(graph, places, isPassed);
  };
  llvm::BitVector isOpen(unsigned(pairing.recorded.size()));
  for (uint32_t l = 0; l < pairing.recorded.size(); ++l)
    isOpen[l] = pairing.found[l].empty();
  pairing.contested &= isOpen;
  hloMarks = find(pairing.hlo, pairing.recorded, isOpen);
  opMarks = find(pairing.ops, pairing.products, pairing.spare);
  strictMarks = find(pairing.ops, pairing.products,
                     llvm::BitVector(unsigned(pairing.products.size())));
  for (auto [r, product] : llvm::enumerate(pairing.products))
    productOf[product.item] = uint32_t(r);
}

HloNear::Near HloNear::getNear(const llvm::BitVector &marks) const {
  Near near;
  near.others = certain;
  near.isAny = marks.any();
  near.isContested = marks.anyCommon(pairing.contested);
  for (unsigned l : marks.set_bits()) {
    if (!pairing.found[l].empty())
      near.sets.push_back(&pairing.found[l]);
    if (!certain.empty())
      for (uint32_t r : pairing.found[l])
        near.others.reset(r);
  }
  return near;
}

void HloNear::dropContradicted() {
  for (unsigned sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool changed = false;
    for (uint32_t l = 0; l < pairing.recorded.size(); ++l) {
      uint32_t place = pairing.recorded[l].place;
      Near before = getNear(hloMarks.before[place]),
           behind = getNear(hloMarks.behind[place]);
      size_t size = pairing.found[l].size();
      llvm::erase_if(pairing.found[l], [&](uint32_t r) {
        uint32_t other = pairing.products[r].place;
        return !agree(before, opMarks.before[other]) ||
               !agree(behind, opMarks.behind[other]);
      });
      changed |= pairing.found[l].size() != size;
      pairing.contested[l] =
          pairing.contested[l] || (size != 0 && pairing.found[l].empty());
    }
    if (!changed)
      break;
  }
  certain.resize(unsigned(pairing.products.size()));
  for (const Found &pair : pairing.found)
    if (pair.size() == 1)
      certain.set(pair.front());
}

bool HloNear::isSmall(const HloPairing &pairing) {
  uint64_t ours = pairing.recorded.size(), theirs = pairing.products.size();
  return ours * theirs <= kMostPairs &&
         pairing.hlo.items.size() * ours <= kMostBits &&
         pairing.ops.items.size() * theirs <= kMostBits;
}

HloNear::HloNear(HloPairing &pairing) : pairing(pairing) {
  findMarks();
  dropContradicted();
  findRepeated();
}

/// Whether an instruction only hands data on, be it a fusion of such.
bool HloNear::onlyMoves(uint32_t item) const {
  llvm::StringRef opcode = pairing.program.module.instructions[item].opcode;
  return isMovedFreely(opcode) ||
         (opcode == "fusion" &&
          llvm::all_of(
              pairing.program.index.getMembers(item), [&](uint32_t member) {
                return isMovedFreely(
                    pairing.program.module.instructions[member].opcode);
              }));
}

/// The products near `place` that may own an instruction with the name of one:
/// XLA gives helpers that it adds, such as a copy in another layout, the name
/// of the product they serve. nullopt if no product with that label is near.
std::optional<OwnerCandidates> HloNear::findAtProduct(uint32_t place,
                                                      uint32_t label) const {
  for (const llvm::BitVector *marks :
       {&hloMarks.before[place], &hloMarks.behind[place]}) {
    bool isNear = false;
    llvm::BitVector all(unsigned(pairing.products.size()));
    for (unsigned l : marks->set_bits()) {
      bool isNamed = llvm::is_contained(pairing.recorded[l].labels, label);
      bool isAny =
          pairing.recorded[l].isNameless && pairing.recorded[l].labels.empty();
      // One without a name that is not found may be the one.
      isNear |= isNamed || (isAny && pairing.found[l].empty());
      for (uint32_t r : pairing.found[l])
        if (isNamed ||
            (isAny && llvm::is_contained(pairing.products[r].labels, label)))
          all.set(r);
    }
    isNear |= all.any();
    if (!isNear)
      continue;
    OwnerCandidates candidates;
    for (unsigned r : all.set_bits())
      candidates.push_back(pairing.makeCandidate(pairing.products[r].item));
    llvm::sort(candidates,
               [](const auto &a, const auto &b) { return a.op < b.op; });
    return candidates;
  }
  return std::nullopt;
}

/// The ops with the label, between the same products on both sides, or else on
/// one.
OwnerCandidates HloNear::findBetween(uint32_t place, uint32_t label) const {
  if (label >= pairing.byLabel.size())
    return {};
  if (pairing.isOfProducts(label) && onlyMoves(pairing.hlo.items[place]))
    if (auto candidates = findAtProduct(place, label))
      return *candidates;
  Near before = getNear(hloMarks.before[place]),
       behind = getNear(hloMarks.behind[place]);
  // Far from any product, the name is the only evidence.
  bool isAlone = !before.isAny && !behind.isAny;
  // Neighbors of one of these may be gone with it.
  if ((before.isContested || behind.isContested) && repeated.test(label))
    return {};
  auto fits = [](const Near &near, const llvm::BitVector &marks,
                 const llvm::BitVector &strict) {
    return agree(near, marks) && !near.others.anyCommon(strict);
  };
  OwnerCandidates both, one;
  for (uint32_t op : pairing.byLabel[label]) {
    uint32_t at = pairing.ops.places[op];
    // The body of a reduction has its name.
    if (llvm::is_contained(pairing.labelsOf[pairing.index[op].parent], label) ||
        (isAlone && (opMarks.before[at].any() || opMarks.behind[at].any())))
      continue;
    // XLA writes some products as sums; the product of another instruction is
    // not this one.
    auto product = productOf.find(op);
    if (product != productOf.end() && certain.test(product->second))
      continue;
    bool isBefore = fits(before, opMarks.before[at], strictMarks.before[at]);
    bool isBehind = fits(behind, opMarks.behind[at], strictMarks.behind[at]);
    if (isBefore && isBehind)
      both.push_back(pairing.makeCandidate(op));
    else if ((isBefore && before.isAny) || (isBehind && behind.isAny))
      one.push_back(pairing.makeCandidate(op));
  }
  return both.empty() ? one : both;
}

/// Finds labels that do not tell the place between products.
void HloNear::findRepeated() {
  repeated.resize(pairing.labels.size());
  std::vector<uint32_t> first(pairing.labels.size(), kNone);
  auto add = [&](const NearestMarks &marks, uint32_t label, uint32_t place) {
    uint32_t &other = first[label];
    if (other == kNone)
      other = place;
    else if (marks.before[place] != marks.before[other] ||
             marks.behind[place] != marks.behind[other])
      repeated.set(label);
  };
  for (uint32_t label = 0; label < pairing.byLabel.size(); ++label)
    for (uint32_t op : pairing.byLabel[label])
      add(opMarks, label, pairing.ops.places[op]);
  std::fill(first.begin(), first.end(), kNone);
  for (uint32_t at : pairing.hlo.items)
    for (const auto &name : pairing.program.matches[at].names)
      for (uint32_t label : pairing.getLabels(name.name, ""))
        if (label < repeated.size())
          add(hloMarks, label, pairing.hlo.places[at]);
}

/// The number of directions in which all products next to a place are found.
unsigned HloNear::countKnownSides(uint32_t place) const {
  auto isKnown = [&](const llvm::BitVector &marks) {
    return llvm::all_of(marks.set_bits(),
                        [&](unsigned l) { return !pairing.found[l].empty(); });
  };
  return isKnown(hloMarks.before[place]) + isKnown(hloMarks.behind[place]);
}
