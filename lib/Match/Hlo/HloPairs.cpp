//===- HloPairs.cpp - Pairing products ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloPairs.h"
#include "../SequenceAlign.h"
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

llvm::SmallVector<uint32_t, 2> HloPairs::getLabels(llvm::StringRef name,
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

bool HloPairs::isOfProducts(uint32_t label) const {
  return label < byLabel.size() &&
         llvm::all_of(
             byLabel[label],
             [&](uint32_t op) { return isProduct(index[op].op); });
}

void HloPairs::addLabels() {
  for (uint32_t op : ops.items)
    for (uint32_t own : index.getLocation(op).names) {
      ScopeName scopes(index.getLocations().getName(own));
      numbers.add(ScopeNumbers::Side::Module, scopes, scopes.parts.size(),
                  getTrace(index[op].op));
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
  for (HloProduct &product : recorded) {
    for (const auto &name : program.matches[product.item].names)
      llvm::append_range(
          product.labels,
          getLabels(name.name,
                    program.module.instructions[product.item].opcode));
    for (const std::string &name : product.namesBehind)
      for (uint32_t label : getLabels(name, ""))
        if (isOfProducts(label))
          product.labels.push_back(label);
  }
  // Several names may be one label, which a product has once.
  for (auto *side : {&products, &recorded})
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
void HloPairs::findLone(std::vector<Found> &lone) {
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

void HloPairs::alignProducts() {
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
      &good, &spare);
  spare.reset(isLone);
  bool isOpen = false;
  contested.resize(unsigned(recorded.size()));
  for (uint32_t l = 0; l < recorded.size(); ++l) {
    if (!found[l].empty())
      continue;
    isOpen |= good[l].right.empty() || good[l].mayBeNone;
    contested[l] = !good[l].right.empty();
    // Others fit as well: none is chosen.
    if (!good[l].mayBeNone && !good[l].isCut)
      found[l].assign(good[l].right.begin(), good[l].right.end());
  }
  taken.resize(unsigned(products.size()));
  for (const Found &pair : found)
    for (uint32_t r : pair)
      taken.set(r);
  for (const EquallyGood &some : good)
    for (uint32_t r : some.right)
      taken.set(r);
  if (isOpen && !taken.all())
    addOtherSizes(found);
}

/// Some products lack an op of their sizes, and some ops a product: they may be
/// the same with other sizes. If names and order contradict sizes, both count.
void HloPairs::addOtherSizes(std::vector<Found> &bySize) {
  // A nameless one may have any name with too few recorded products.
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
  llvm::BitVector mayBeNew;
  align(
      uint32_t(recorded.size()), uint32_t(products.size()),
      [&](uint32_t l, uint32_t r) -> uint32_t {
        return recorded[l].isNameless && recorded[l].labels.empty()
                   ? !claimed.test(r)
                   : haveSameLabel(recorded[l], products[r]);
      },
      &good, &mayBeNew);
  spare &= mayBeNew;
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
