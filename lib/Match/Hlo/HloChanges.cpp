//===- HloChanges.cpp - Detecting programs of a changed module ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloProducts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::trace;

bool HloProducts::hasChanged() {
  return llvm::any_of(recorded,
                      [&](const HloProduct &product) {
                        return hasOtherSizes(product);
                      }) ||
         hasUnclaimed() || hasOtherCounts() || hasOpen();
}

/// Whether all ops with its names have other sizes.
bool HloProducts::hasOtherSizes(const HloProduct &product) {
  bool hasName = false;
  for (const auto &name : program.matches[product.item].names) {
    ScopeName scopes(name.name);
    const OwnerCandidates &candidates = resolve(name.name);
    if (candidates.empty())
      hasName |= countKnownParts(scopes) != 0;
    for (const OwnerCandidate &candidate : candidates) {
      Operation *op = index[candidate.op].op;
      if (!isProduct(op) || product.sizes.agrees(getProductSizes(op)))
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
bool HloProducts::hasUnclaimed() {
  // A nameless one may be it, if it has its sizes.
  if (countNameless() != 0)
    return haveOtherSizes(recorded, products);
  llvm::BitVector claimed(index.size());
  for (const InstructionMatch &match : program.matches)
    for (const auto &name : match.names)
      for (const OwnerCandidate &candidate : resolve(name.name))
        claimed.set(candidate.op);
  claimed |= folded;
  return llvm::any_of(products, [&](const HloProduct &product) {
    return !claimed.test(product.item);
  });
}

/// Whether the evidence leaves several ops for a product.
bool HloProducts::hasOpen() const {
  auto countProducts = [&](const OwnerCandidates &candidates) {
    OwnerCandidates some = candidates;
    llvm::erase_if(some, [&](const OwnerCandidate &candidate) {
      return !isProduct(index[candidate.op].op);
    });
    return countOps(some);
  };
  return llvm::any_of(recorded, [&](const HloProduct &product) {
    return llvm::any_of(
        program.matches[product.item].names,
        [&](const auto &name) { return countProducts(name.candidates) > 1; });
  });
}

/// Whether the products of one name differ from its ops in number or in sizes.
bool HloProducts::hasOtherCounts() {
  llvm::DenseMap<uint32_t, ProductSizes> sizesOf;
  for (const HloProduct &product : products)
    sizesOf[product.item] = product.sizes;
  llvm::DenseMap<uint32_t, uint32_t> calls;
  for (const IndexedCall &call : index.getCalls())
    ++calls[call.callee];
  std::map<llvm::StringRef, std::vector<ProductSizes>> byName;
  for (const HloProduct &product : recorded)
    for (const auto &name : program.matches[product.item].names)
      byName[name.name].push_back(product.sizes);
  for (auto &[name, sizes] : byName) {
    std::vector<ProductSizes> there;
    bool isOnce = true;
    uint32_t last = kNone;
    for (const OwnerCandidate &candidate : resolve(name)) {
      auto known = sizesOf.find(candidate.op);
      if (candidate.op == last || known == sizesOf.end() ||
          folded.test(candidate.op))
        continue;
      last = candidate.op;
      there.push_back(known->second);
      isOnce &= calls.lookup(index[candidate.op].function) <= 1;
    }
    if (there.empty() || !isOnce)
      continue;
    if (there.size() > sizes.size() && countNameless() != 0)
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
