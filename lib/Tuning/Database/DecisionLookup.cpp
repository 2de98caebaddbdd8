//===- DecisionLookup.cpp - Finding decisions for an op -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionLookup.h"
#include "llvm/Support/ErrorHandling.h"

#include <map>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::tuning;

llvm::StringRef tuning::getName(Confidence confidence) {
  switch (confidence) {
  case Confidence::Exact:
    return "exact";
  case Confidence::OtherSizes:
    return "other-sizes";
  case Confidence::ShapeErased:
    return "shape-erased";
  case Confidence::Neighborhood:
    return "neighborhood";
  }
  llvm_unreachable("unknown confidence");
}

namespace {

/// A decision that may be about an op, and how well it fits.
struct Fit {
  const Decision *decision;
  Confidence confidence;
  bool sameNeighborhood;
};

} // namespace

static bool isBetter(const Fit &a, const Fit &b) {
  auto order = [](const Fit &fit) {
    return std::make_tuple(fit.confidence, !fit.sameNeighborhood,
                           -fit.decision->whenMs);
  };
  if (order(a) != order(b))
    return order(a) < order(b);
  return a.decision->key < b.decision->key;
}

bool DecisionLookup::wasRefused(const Decision &decision,
                                const OpSignature &signature,
                                const MeasuredSizes &sizes) const {
  DecisionKey own = decision.key;
  own.signature = signature;
  const Observation *seen =
      observations.findNewest(own, decision.choice, sizes);
  return seen && seen->outcome != Outcome::Kept;
}

bool DecisionLookup::isFarFrom(const Decision &decision,
                               const MeasuredSizes &sizes) const {
  return !sizes.empty() &&
         observations.findNewest(decision.key, decision.choice) &&
         !observations.findNewest(decision.key, decision.choice, sizes);
}

std::vector<DecisionMatch>
DecisionLookup::find(const OpSignature &signature, llvm::StringRef machine,
                     const MeasuredSizes &sizes) const {
  std::map<llvm::StringRef, Fit> best;
  auto consider = [&](SignatureHash which, llvm::StringRef hash,
                      Confidence confidence) {
    for (const Decision *decision : decisions.find(which, hash)) {
      bool same =
          !signature.neighborhood.empty() &&
          decision->key.signature.neighborhood == signature.neighborhood;
      if (decision->key.machine != machine ||
          (decision->scope == DecisionScope::Neighborhood && !same))
        continue;
      Fit fit = {decision, confidence, same};
      if (confidence == Confidence::Exact && isFarFrom(*decision, sizes))
        fit.confidence = Confidence::OtherSizes;
      if (confidence != Confidence::Exact &&
          wasRefused(*decision, signature, sizes))
        continue;
      auto [place, isNew] = best.try_emplace(decision->key.technique, fit);
      if (!isNew && isBetter(fit, place->second))
        place->second = fit;
    }
  };
  consider(SignatureHash::Exact, signature.exact, Confidence::Exact);
  consider(SignatureHash::ShapeErased, signature.shapeErased,
           Confidence::ShapeErased);
  consider(SignatureHash::Neighborhood, signature.neighborhood,
           Confidence::Neighborhood);
  std::vector<DecisionMatch> matches;
  for (const auto &[technique, fit] : best)
    matches.push_back({fit.decision, fit.confidence});
  return matches;
}
