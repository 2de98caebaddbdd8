//===- DecisionTable.cpp - Decisions by key and by hash -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::tuning;

/// Whether `a` stays if both have one key. Does not depend on the order of
/// their arrival, so that merging is commutative.
static bool isNewer(const Decision &a, const Decision &b) {
  auto order = [](const Decision &d) {
    return std::tie(d.whenMs, d.choice, d.scope, d.basis, d.producer, d.label);
  };
  return order(a) > order(b);
}

bool DecisionTable::merge(const Decision &decision) {
  auto [place, isNew] = decisions.try_emplace(decision.key, decision);
  if (!isNew) {
    if (!isNewer(decision, place->second))
      return false;
    place->second = decision;
    return true;
  }
  const OpSignature &signature = place->second.key.signature;
  byExact[signature.exact].push_back(&place->second);
  byShapeErased[signature.shapeErased].push_back(&place->second);
  if (!signature.neighborhood.empty())
    byNeighborhood[signature.neighborhood].push_back(&place->second);
  return true;
}

void DecisionTable::set(Decision decision) {
  auto known = decisions.find(decision.key);
  if (known != decisions.end() && known->second.whenMs >= decision.whenMs)
    decision.whenMs =
        std::min(known->second.whenMs, DecisionLimits::kWhenMs - 1) + 1;
  merge(decision);
}

size_t DecisionTable::countNew(const DecisionTable &other) const {
  return llvm::count_if(other.decisions, [&](const auto &entry) {
    return !decisions.count(entry.first);
  });
}

const DecisionTable::Index &DecisionTable::getIndex(SignatureHash which) const {
  switch (which) {
  case SignatureHash::Exact:
    return byExact;
  case SignatureHash::ShapeErased:
    return byShapeErased;
  case SignatureHash::Neighborhood:
    return byNeighborhood;
  }
  llvm_unreachable("unknown hash");
}

llvm::ArrayRef<const Decision *>
DecisionTable::find(SignatureHash which, llvm::StringRef hash) const {
  const Index &index = getIndex(which);
  auto found = hash.empty() ? index.end() : index.find(hash);
  if (found == index.end())
    return {};
  return found->second;
}
