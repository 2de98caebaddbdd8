//===- HloAlign.cpp - Programs made of another state of the module --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../SequenceAlign.h"
#include "HloProducts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Bits that the tables of nearest products may take on one side.
constexpr uint64_t kMostBits = uint64_t(1) << 27;
/// Products of both sides that are compared with each other.
constexpr uint64_t kMostPairs = uint64_t(1) << 24;
constexpr unsigned kMaxSweeps = 4;

/// Pairs the products of a program with those of the module, and finds what is
/// between them.
class Aligner : HloProducts {
public:
  using HloProducts::HloProducts;

  bool run() {
    if (!collect() || isForDevices())
      return false;
    bool isChanged = hasChanged();
    if (!isChanged && countNameless() == 0)
      return false;
    uint64_t ours = recorded.size(), theirs = products.size();
    if (ours * theirs > kMostPairs || hlo.items.size() * ours > kMostBits ||
        ops.items.size() * theirs > kMostBits)
      return false;
    addLabels();
    alignProducts();
    hloMarks = findMarks(hlo, recorded);
    opMarks = findMarks(ops, products);
    dropContradicted();
    nameProducts(isChanged);
    if (isChanged)
      replaceMatches();
    return isChanged;
  }

private:
  using Found = llvm::SmallVector<uint32_t, 2>;

  void addLabels();
  uint32_t addLabel(const ScopeName &name, size_t count) {
    return labels.try_emplace(numbers.getLabel(name, count), labels.size())
        .first->second;
  }
  /// The labels of an instruction's names; of a product that is named after
  /// what was folded into it, those of the product.
  llvm::SmallVector<uint32_t, 2> getLabels(llvm::StringRef name,
                                           llvm::StringRef opcode);

  void alignProducts();
  void findLone(std::vector<Found> &found);
  void addOtherSizes(std::vector<Found> &bySize);
  static NearestMarks findMarks(const DataGraph &graph,
                                llvm::ArrayRef<HloProduct> all) {
    llvm::SmallVector<uint32_t> places;
    for (const HloProduct &product : all)
      places.push_back(product.place);
    return findNearestMarks(graph, places);
  }
  /// What may be the products near an instruction, in one direction.
  struct Near {
    /// One for each that is found.
    llvm::SmallVector<const Found *> sets;
    /// What surely is another product than these.
    llvm::BitVector others;
    /// Whether there is any, and whether all are found.
    bool isAny = false, isKnown = true;
  };
  Near getNear(const llvm::BitVector &marks) const;
  /// Whether each set has one of `marks`.
  static bool agree(const Near &near, const llvm::BitVector &marks) {
    return llvm::all_of(near.sets, [&](const Found *set) {
      return llvm::any_of(*set, [&](uint32_t r) { return marks.test(r); });
    });
  }
  void dropContradicted();
  void nameProducts(bool isChanged);
  void replaceMatches();
  OwnerCandidates findBetween(uint32_t place, uint32_t label) const;

  llvm::StringMap<uint32_t> labels;
  ScopeNumbers numbers;
  std::vector<std::vector<uint32_t>> byLabel;
  std::vector<llvm::SmallVector<uint32_t, 1>> labelsOf;
  /// By recorded product: positions in `products`, ascending.
  std::vector<Found> found;
  /// Products of the module that are found, and those that only one is.
  llvm::BitVector taken, certain;
  NearestMarks hloMarks, opMarks;
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

llvm::SmallVector<uint32_t, 2> Aligner::getLabels(llvm::StringRef name,
                                                  llvm::StringRef opcode) {
  ScopeName scopes(name);
  size_t count = countKnownParts(scopes);
  if (count == 0)
    return {};
  uint32_t label = addLabel(scopes, count);
  llvm::SmallVector<uint32_t, 2> result = {label};
  if (opcode.empty() || label >= byLabel.size())
    return result;
  for (uint32_t op : byLabel[label]) {
    uint32_t work =
        isProduct(index[op].op) ? kNone : findFoldedWork(index, op, opcode);
    if (work != kNone)
      for (uint32_t own : labelsOf[work])
        if (!llvm::is_contained(result, own))
          result.push_back(own);
  }
  return result;
}

void Aligner::addLabels() {
  for (uint32_t op : ops.items)
    for (uint32_t own : index.getLocation(op).names) {
      ScopeName scopes(index.getLocations().getName(own));
      numbers.add(ScopeNumbers::Side::Module, scopes, scopes.parts.size());
    }
  for (uint32_t at : hlo.items)
    for (const auto &name : program.matches[at].names) {
      ScopeName scopes(name.name);
      if (size_t count = countKnownParts(scopes))
        numbers.add(ScopeNumbers::Side::Recorded, scopes, count);
    }
  labelsOf.resize(index.size());
  for (uint32_t op : ops.items)
    for (uint32_t own : index.getLocation(op).names) {
      ScopeName scopes(index.getLocations().getName(own));
      labelsOf[op].push_back(addLabel(scopes, scopes.parts.size()));
    }
  byLabel.resize(labels.size());
  for (uint32_t op : ops.items)
    for (uint32_t label : labelsOf[op])
      byLabel[label].push_back(op);
  for (auto &all : byLabel) {
    llvm::sort(all);
    all.erase(llvm::unique(all), all.end());
  }
  for (HloProduct &product : products)
    product.labels.assign(labelsOf[product.item].begin(),
                          labelsOf[product.item].end());
  for (HloProduct &product : recorded)
    for (const auto &name : program.matches[product.item].names)
      llvm::append_range(
          product.labels,
          getLabels(name.name,
                    program.module.instructions[product.item].opcode));
  // Several names may be one label, which a product has once.
  for (auto *side : {&products, &recorded})
    for (HloProduct &product : *side) {
      llvm::sort(product.labels);
      product.labels.erase(llvm::unique(product.labels), product.labels.end());
    }
}

/// Of one name; or of the same sizes, where `recorded` has none.
bool haveSameLabel(const HloProduct &recorded, const HloProduct &product) {
  if (recorded.isNameless)
    return recorded.sizes.isKnown() && product.sizes.isKnown() &&
           recorded.sizes.agrees(product.sizes);
  return llvm::any_of(recorded.labels, [&](uint32_t label) {
    return llvm::is_contained(product.labels, label);
  });
}

/// Pairs of which each has no other partner, wherever they stand.
void Aligner::findLone(std::vector<Found> &lone) {
  std::vector<Found> left(recorded.size()), right(products.size());
  for (uint32_t l = 0; l < recorded.size(); ++l)
    for (uint32_t r = 0; r < products.size(); ++r)
      if (haveSameLabel(recorded[l], products[r]) &&
          recorded[l].sizes.agrees(products[r].sizes)) {
        left[l].push_back(r);
        right[r].push_back(l);
      }
  for (uint32_t l = 0; l < recorded.size(); ++l)
    if (left[l].size() == 1 && right[left[l].front()].size() == 1)
      lone[l] = left[l];
}

void Aligner::alignProducts() {
  found.resize(recorded.size());
  findLone(found);
  llvm::BitVector isLone(unsigned(products.size()));
  for (const Found &pair : found)
    for (uint32_t r : pair)
      isLone.set(r);
  std::vector<EquallyGood> good;
  align(
      uint32_t(recorded.size()), uint32_t(products.size()),
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return found[l].empty() && !isLone.test(r) &&
               haveSameLabel(recorded[l], products[r]) &&
               recorded[l].sizes.agrees(products[r].sizes);
      },
      &good);
  bool isOpen = false;
  for (uint32_t l = 0; l < recorded.size(); ++l) {
    if (!found[l].empty())
      continue;
    isOpen |= good[l].right.empty() || good[l].mayBeNone;
    // Another fits as well: none is chosen.
    if (!good[l].mayBeNone && !good[l].isCut)
      found[l].assign(good[l].right.begin(), good[l].right.end());
  }
  taken.resize(unsigned(products.size()));
  certain.resize(unsigned(products.size()));
  for (const Found &pair : found)
    for (uint32_t r : pair)
      taken.set(r);
  for (const EquallyGood &some : good)
    for (uint32_t r : some.right)
      taken.set(r);
  if (isOpen && !taken.all())
    addOtherSizes(found);
}

/// Some have no op of their sizes, and some ops nothing of theirs: they may be
/// the same with other sizes. Where names and order alone say otherwise than
/// sizes, both count.
void Aligner::addOtherSizes(std::vector<Found> &bySize) {
  // One without a name may be any of a name that too few were recorded under.
  llvm::BitVector claimed(unsigned(products.size()));
  if (countNameless() != 0) {
    std::vector<int64_t> missing(labels.size());
    for (const HloProduct &product : products)
      for (uint32_t label : product.labels)
        ++missing[label];
    for (const HloProduct &product : recorded)
      for (uint32_t label : product.labels)
        --missing[label];
    for (auto [r, product] : llvm::enumerate(products))
      claimed[unsigned(r)] = llvm::any_of(
          product.labels, [&](uint32_t label) { return missing[label] <= 0; });
  }
  std::vector<EquallyGood> good;
  align(
      uint32_t(recorded.size()), uint32_t(products.size()),
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return recorded[l].isNameless ? !claimed.test(r)
                                      : haveSameLabel(recorded[l], products[r]);
      },
      &good);
  for (uint32_t l = 0; l < recorded.size(); ++l) {
    if (good[l].isCut)
      continue;
    Found &pair = bySize[l];
    bool isFree = pair.empty();
    if (isFree && good[l].mayBeNone)
      continue;
    bool meets = llvm::any_of(
        pair, [&](uint32_t r) { return llvm::is_contained(good[l].right, r); });
    if (meets)
      continue;
    for (uint32_t r : good[l].right)
      pair.push_back(r);
    llvm::sort(pair);
    for (uint32_t r : pair)
      taken.set(r);
  }
}

//===----------------------------------------------------------------------===//
// What is before and behind
//===----------------------------------------------------------------------===//

Aligner::Near Aligner::getNear(const llvm::BitVector &marks) const {
  Near near;
  near.others = certain;
  for (unsigned l : marks.set_bits()) {
    near.isAny = true;
    near.isKnown &= !found[l].empty();
    if (!found[l].empty())
      near.sets.push_back(&found[l]);
    for (uint32_t r : found[l])
      near.others.reset(r);
  }
  return near;
}

void Aligner::dropContradicted() {
  for (unsigned sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool changed = false;
    for (uint32_t l = 0; l < recorded.size(); ++l) {
      uint32_t place = recorded[l].place;
      Near before = getNear(hloMarks.before[place]),
           behind = getNear(hloMarks.behind[place]);
      size_t size = found[l].size();
      llvm::erase_if(found[l], [&](uint32_t r) {
        uint32_t other = products[r].place;
        return !agree(before, opMarks.before[other]) ||
               !agree(behind, opMarks.behind[other]);
      });
      changed |= found[l].size() != size;
    }
    if (!changed)
      break;
  }
  for (const Found &pair : found)
    if (pair.size() == 1)
      certain.set(pair.front());
}

/// The ops with the label, between the same products on both sides, or else on
/// one.
OwnerCandidates Aligner::findBetween(uint32_t place, uint32_t label) const {
  if (label >= byLabel.size())
    return {};
  Near before = getNear(hloMarks.before[place]),
       behind = getNear(hloMarks.behind[place]);
  // Far from any product there is only the name.
  bool isAlone = !before.isAny && !behind.isAny;
  auto fits = [](const Near &near, const llvm::BitVector &marks) {
    return near.isKnown && agree(near, marks) && !near.others.anyCommon(marks);
  };
  OwnerCandidates both, one;
  for (uint32_t op : byLabel[label]) {
    uint32_t at = ops.places[op];
    // The body of a reduction has its name.
    if (llvm::is_contained(labelsOf[index[op].parent], label) ||
        (isAlone && (opMarks.before[at].any() || opMarks.behind[at].any())))
      continue;
    bool isBefore = fits(before, opMarks.before[at]);
    bool isBehind = fits(behind, opMarks.behind[at]);
    OwnerCandidate candidate = {op, index.getLocation(op).frame};
    if (isBefore && isBehind)
      both.push_back(candidate);
    else if ((isBefore && before.isAny) || (isBehind && behind.isAny))
      one.push_back(candidate);
  }
  return both.empty() ? one : both;
}

/// Gives products without a name that of the instruction. In a module that did
/// not change, one that is not found has its neighbors' owners, as all that is
/// without a name.
void Aligner::nameProducts(bool isChanged) {
  for (uint32_t l = 0; l < recorded.size(); ++l)
    if (recorded[l].isNameless && (isChanged || found[l].size() == 1)) {
      OwnerCandidates candidates;
      for (uint32_t r : found[l])
        candidates.push_back(
            {products[r].item, index.getLocation(products[r].item).frame});
      program.matches[recorded[l].item].names.push_back(
          {program.module.instructions[recorded[l].item].name,
           std::move(candidates), MatchTier::Neighborhood});
    }
}

void Aligner::replaceMatches() {
  llvm::DenseMap<uint32_t, uint32_t> productOf;
  for (uint32_t l = 0; l < recorded.size(); ++l)
    productOf[recorded[l].item] = l;
  for (uint32_t i = 0; i < program.matches.size(); ++i) {
    const HloInstruction &instruction = program.module.instructions[i];
    uint32_t place = hlo.places[i];
    auto product = productOf.find(i);
    for (auto &name : program.matches[i].names) {
      name.tier = MatchTier::Neighborhood;
      name.candidates.clear();
      if (product != productOf.end()) {
        for (uint32_t r : found[product->second])
          name.candidates.push_back(
              {products[r].item, index.getLocation(products[r].item).frame});
        llvm::sort(name.candidates,
                   [](const auto &a, const auto &b) { return a.op < b.op; });
        continue;
      }
      if (place == kNone)
        continue;
      for (uint32_t label : getLabels(name.name, ""))
        name.candidates = findBetween(place, label);
      for (const NarrowingTier &narrowing : getNarrowingTiers())
        if (countOps(name.candidates) > 1)
          narrowing.narrow(index, {program.module, instruction},
                           MatchRule::Best, name.candidates);
    }
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
