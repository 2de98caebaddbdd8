//===- HloPairs.cpp - Pairing products ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../SequenceAlign.h"
#include "HloSteps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// How surely an op of the module leaves an instruction in a program.
static ScopeNumbers::Trace getTrace(Operation *op) {
  switch (getKind(op)) {
  case OpKind::Contraction:
  case OpKind::Convolution:
    return ScopeNumbers::Trace::Sure;
  case OpKind::Free:
  case OpKind::Broadcast:
    return ScopeNumbers::Trace::Unlikely;
  default:
    return ScopeNumbers::Trace::Likely;
  }
}

void match::addLabels(HloPairing &pairing) {
  for (uint32_t op : pairing.ops.items)
    for (uint32_t own : pairing.index.getLocation(op).names) {
      ScopeName scopes(pairing.index.getLocations().getName(own));
      pairing.numbers.add(ScopeNumbers::Side::Module, scopes,
                          scopes.parts.size(), getTrace(pairing.index[op].op));
    }
  for (uint32_t at : pairing.hlo.items)
    for (const auto &name : pairing.program.matches[at].names) {
      ScopeName scopes(name.name);
      if (size_t count = pairing.countKnownParts(scopes))
        pairing.numbers.add(ScopeNumbers::Side::Recorded, scopes, count);
    }
  pairing.labelsOf.resize(pairing.index.size());
  for (uint32_t op : pairing.ops.items)
    for (uint32_t own : pairing.index.getLocation(op).names) {
      ScopeName scopes(pairing.index.getLocations().getName(own));
      pairing.labelsOf[op].push_back(
          pairing.addLabel(scopes, scopes.parts.size()));
    }
  pairing.byLabel.resize(pairing.labels.size());
  for (uint32_t op : pairing.ops.items)
    for (uint32_t label : pairing.labelsOf[op])
      pairing.byLabel[label].push_back(op);
  for (auto &all : pairing.byLabel) {
    llvm::sort(all);
    all.erase(llvm::unique(all), all.end());
  }
  for (HloProduct &product : pairing.products)
    product.labels.assign(pairing.labelsOf[product.item].begin(),
                          pairing.labelsOf[product.item].end());
  for (HloProduct &product : pairing.recorded) {
    for (const auto &name : pairing.program.matches[product.item].names)
      llvm::append_range(
          product.labels,
          pairing.getLabels(
              name.name,
              pairing.program.module.instructions[product.item].opcode));
    for (const std::string &name : product.namesBehind)
      for (uint32_t label : pairing.getLabels(name, ""))
        if (pairing.isOfProducts(label))
          product.labels.push_back(label);
  }
  // Several names may be one label, which a product has once.
  for (auto *side : {&pairing.products, &pairing.recorded})
    for (HloProduct &product : *side) {
      llvm::sort(product.labels);
      product.labels.erase(llvm::unique(product.labels), product.labels.end());
    }
}

/// Whether both have the same name; or the same sizes, if `recorded` does not
/// have a name.
static bool haveSameLabel(const HloProduct &recorded,
                          const HloProduct &product) {
  if (recorded.isNameless && recorded.labels.empty())
    return recorded.sizes.isKnown() && product.sizes.isKnown() &&
           recorded.sizes.agrees(product.sizes);
  return llvm::any_of(recorded.labels, [&](uint32_t label) {
    return llvm::is_contained(product.labels, label);
  });
}

/// Pairs without any other partner, at any place.
static void findLone(HloPairing &pairing) {
  const std::vector<HloProduct> &recorded = pairing.recorded,
                                &products = pairing.products;
  std::vector<HloPairing::Found> left(recorded.size()), right(products.size());
  for (uint32_t l = 0; l < recorded.size(); ++l)
    for (uint32_t r = 0; r < products.size(); ++r)
      if (haveSameLabel(recorded[l], products[r]) &&
          recorded[l].sizes.agrees(products[r].sizes)) {
        left[l].push_back(r);
        right[r].push_back(l);
      }
  for (uint32_t l = 0; l < recorded.size(); ++l)
    if (left[l].size() == 1 && right[left[l].front()].size() == 1)
      pairing.found[l] = left[l];
}

/// Some products lack an op of their sizes, and some ops a product: they may be
/// the same with other sizes. If names and order contradict sizes, both count.
static void addOtherSizes(HloPairing &pairing) {
  const std::vector<HloProduct> &recorded = pairing.recorded,
                                &products = pairing.products;
  // A nameless one may have any name with too few recorded products.
  llvm::BitVector claimed(unsigned(products.size()));
  if (pairing.countNameless() != 0) {
    std::vector<int64_t> missing(pairing.labels.size());
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
  llvm::BitVector mayBeNew;
  align(
      uint32_t(recorded.size()), uint32_t(products.size()),
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return recorded[l].isNameless && recorded[l].labels.empty()
                   ? !claimed.test(r)
                   : haveSameLabel(recorded[l], products[r]);
      },
      &good, &mayBeNew);
  pairing.spare &= mayBeNew;
  for (uint32_t l = 0; l < recorded.size(); ++l) {
    if (good[l].isCut)
      continue;
    HloPairing::Found &pair = pairing.found[l];
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
  }
}

void match::pairProducts(HloPairing &pairing) {
  const std::vector<HloProduct> &recorded = pairing.recorded,
                                &products = pairing.products;
  pairing.found.resize(recorded.size());
  findLone(pairing);
  llvm::BitVector isLone(unsigned(products.size()));
  for (const HloPairing::Found &pair : pairing.found)
    for (uint32_t r : pair)
      isLone.set(r);
  std::vector<EquallyGood> good;
  align(
      uint32_t(recorded.size()), uint32_t(products.size()),
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return pairing.found[l].empty() && !isLone.test(r) &&
               haveSameLabel(recorded[l], products[r]) &&
               recorded[l].sizes.agrees(products[r].sizes);
      },
      &good, &pairing.spare);
  pairing.spare.reset(isLone);
  bool isOpen = false;
  pairing.contested.resize(unsigned(recorded.size()));
  for (uint32_t l = 0; l < recorded.size(); ++l) {
    if (!pairing.found[l].empty())
      continue;
    isOpen |= good[l].right.empty() || good[l].mayBeNone;
    pairing.contested[l] = !good[l].right.empty();
    // Others fit as well: none is chosen.
    if (!good[l].mayBeNone && !good[l].isCut)
      pairing.found[l].assign(good[l].right.begin(), good[l].right.end());
  }
  // Products of the module that are found.
  llvm::BitVector taken(unsigned(products.size()));
  for (const HloPairing::Found &pair : pairing.found)
    for (uint32_t r : pair)
      taken.set(r);
  for (const EquallyGood &some : good)
    for (uint32_t r : some.right)
      taken.set(r);
  if (isOpen && !taken.all())
    addOtherSizes(pairing);
}
