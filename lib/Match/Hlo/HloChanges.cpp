//===- HloChanges.cpp - Detecting programs of a changed module ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloSteps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::trace;

/// Whether all ops with its names have other sizes.
static bool hasOtherSizes(HloPairing &pairing, const HloProduct &product) {
  bool hasName = false;
  for (const auto &name : pairing.program.matches[product.item].names) {
    ScopeName scopes(name.name);
    const OwnerCandidates &candidates = pairing.resolve(name.name);
    if (candidates.empty())
      hasName |= pairing.countKnownParts(scopes) != 0;
    for (const OwnerCandidate &candidate : candidates) {
      Operation *op = pairing.index[candidate.op].op;
      if (!cost::isProduct(op) || product.sizes.agrees(getProductSizes(op)))
        return false;
      hasName = true;
    }
  }
  return hasName;
}

/// Whether their numbers differ, or some known sizes.
static bool haveOtherSizes(llvm::ArrayRef<HloProduct> recorded,
                           llvm::ArrayRef<HloProduct> products) {
  if (recorded.size() != products.size())
    return true;
  auto collect = [](llvm::ArrayRef<HloProduct> all) {
    std::vector<ProductSizes> sizes;
    for (const HloProduct &product : all)
      sizes.push_back(product.sizes);
    llvm::sort(sizes);
    return sizes;
  };
  for (auto [a, b] : llvm::zip_equal(collect(recorded), collect(products)))
    if (a.isKnown() && b.isKnown() && !a.agrees(b))
      return true;
  return false;
}

/// Whether a product of the module has a name without any recorded product.
static bool hasUnclaimed(HloPairing &pairing) {
  // A nameless one may be it, if it has its sizes.
  if (pairing.countNameless() != 0)
    return haveOtherSizes(pairing.recorded, pairing.products);
  llvm::BitVector claimed(pairing.index.size());
  for (const InstructionMatch &match : pairing.program.matches)
    for (const auto &name : match.names)
      for (const OwnerCandidate &candidate : pairing.resolve(name.name))
        claimed.set(candidate.op);
  claimed |= pairing.folded;
  return llvm::any_of(pairing.products, [&](const HloProduct &product) {
    return !claimed.test(product.item);
  });
}

/// Whether the evidence leaves several ops for a product.
static bool hasOpen(const HloPairing &pairing) {
  auto countProducts = [&](const OwnerCandidates &candidates) {
    OwnerCandidates some = candidates;
    llvm::erase_if(some, [&](const OwnerCandidate &candidate) {
      return !cost::isProduct(pairing.index[candidate.op].op);
    });
    return countOps(some);
  };
  return llvm::any_of(pairing.recorded, [&](const HloProduct &product) {
    return llvm::any_of(
        pairing.program.matches[product.item].names,
        [&](const auto &name) { return countProducts(name.candidates) > 1; });
  });
}

/// Whether the products of one name differ from its ops in number or in sizes.
static bool hasOtherCounts(HloPairing &pairing) {
  llvm::DenseMap<uint32_t, ProductSizes> sizesOf;
  for (const HloProduct &product : pairing.products)
    sizesOf[product.item] = product.sizes;
  llvm::DenseMap<uint32_t, uint32_t> calls;
  for (const IndexedCall &call : pairing.index.getCalls())
    ++calls[call.callee];
  std::map<llvm::StringRef, std::vector<ProductSizes>> byName;
  for (const HloProduct &product : pairing.recorded)
    for (const auto &name : pairing.program.matches[product.item].names)
      byName[name.name].push_back(product.sizes);
  for (auto &[name, sizes] : byName) {
    std::vector<ProductSizes> there;
    bool isOnce = true;
    uint32_t last = kNone;
    for (const OwnerCandidate &candidate : pairing.resolve(name)) {
      auto known = sizesOf.find(candidate.op);
      if (candidate.op == last || known == sizesOf.end() ||
          pairing.folded.test(candidate.op))
        continue;
      last = candidate.op;
      there.push_back(known->second);
      isOnce &= calls.lookup(pairing.index[candidate.op].function) <= 1;
    }
    if (there.empty() || !isOnce)
      continue;
    if (there.size() > sizes.size() && pairing.countNameless() != 0)
      continue;
    if (there.size() != sizes.size())
      return true;
    llvm::sort(sizes);
    llvm::sort(there);
    for (auto [a, b] : llvm::zip_equal(sizes, there))
      if (a.isKnown() && b.isKnown() && !a.agrees(b))
        return true;
  }
  return false;
}

bool match::hasChanged(HloPairing &pairing) {
  return llvm::any_of(pairing.recorded,
                      [&](const HloProduct &product) {
                        return hasOtherSizes(pairing, product);
                      }) ||
         hasUnclaimed(pairing) || hasOtherCounts(pairing) || hasOpen(pairing);
}
