//===- Tiers.cpp - Narrowing ops of one name ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiers.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;

llvm::ArrayRef<NarrowingTier> match::getNarrowingTiers() {
  static const NarrowingTier tiers[] = {
#define MLIRPROF_NARROWING_TIER(NAME) tier::NAME(),
#include "Tiers.def"
  };
  return tiers;
}

size_t match::countOps(const OwnerCandidates &candidates) {
  size_t count = 0;
  for (size_t i = 0; i < candidates.size(); ++i)
    count += i == 0 || candidates[i].op != candidates[i - 1].op;
  return count;
}

bool match::keepSome(OwnerCandidates &candidates,
                     llvm::function_ref<bool(const OwnerCandidate &)> keep) {
  OwnerCandidates kept;
  for (const OwnerCandidate &candidate : candidates)
    if (keep(candidate))
      kept.push_back(candidate);
  if (kept.empty())
    return false;
  bool narrowed = countOps(kept) < countOps(candidates);
  candidates = std::move(kept);
  return narrowed;
}
