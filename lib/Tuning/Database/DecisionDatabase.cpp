//===- DecisionDatabase.cpp - Decisions that outlive a build --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "DecisionChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <limits>
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

static llvm::Error tooMany() {
  return inputError("decisions",
                    "there would be more than " +
                        llvm::Twine(DecisionDatabase::kMaxEntries),
                    "Start a new database.");
}

/// Whether `a` stays when both are about one key. Never a matter of the order
/// in which they came, so that merging is commutative.
static bool isNewer(const Decision &a, const Decision &b) {
  auto order = [](const Decision &d) {
    return std::tie(d.whenMs, d.choice, d.scope, d.basis, d.producer, d.label);
  };
  return order(a) > order(b);
}

bool DecisionDatabase::insert(const Decision &decision) {
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

llvm::Error DecisionDatabase::decide(Decision decision) {
  if (llvm::Error error = checkDecision(decision))
    return error;
  auto known = decisions.find(decision.key);
  if (known == decisions.end() && size() >= kMaxEntries)
    return tooMany();
  // What is said last holds, even when the clock has gone back.
  if (known != decisions.end() && known->second.whenMs >= decision.whenMs)
    decision.whenMs = std::min(known->second.whenMs, kMaxWhenMs - 1) + 1;
  insert(decision);
  return llvm::Error::success();
}

llvm::Error DecisionDatabase::observe(Observation observation) {
  if (llvm::Error error = checkObservation(observation))
    return error;
  if (size() >= kMaxEntries)
    return tooMany();
  observations.insert(std::move(observation));
  return llvm::Error::success();
}

llvm::Expected<uint64_t>
DecisionDatabase::merge(const DecisionDatabase &other) {
  size_t merged = size();
  for (const auto &[key, decision] : other.decisions)
    merged += !decisions.count(key);
  for (const Observation &observation : other.observations)
    merged += !observations.count(observation);
  if (merged > kMaxEntries)
    return tooMany();
  uint64_t added = 0;
  for (const auto &[key, decision] : other.decisions)
    added += insert(decision);
  for (const Observation &observation : other.observations)
    added += observations.insert(observation).second;
  return added;
}

std::vector<const Observation *>
DecisionDatabase::findObservations(const DecisionKey &key) const {
  Observation first;
  first.key = key;
  first.whenMs = std::numeric_limits<int64_t>::min();
  std::vector<const Observation *> found;
  for (auto at = observations.lower_bound(first);
       at != observations.end() && at->key == key; ++at)
    found.push_back(&*at);
  return found;
}

const Observation *
DecisionDatabase::findObservation(const DecisionKey &key, const Choice &choice,
                                  const MeasuredSizes &sizes) const {
  const Observation *newest = nullptr;
  for (const Observation *observation : findObservations(key))
    if (observation->choice == choice && !isFar(observation->sizes, sizes))
      newest = observation;
  return newest;
}

bool DecisionDatabase::wasRefused(const Decision &decision,
                                  const OpSignature &signature,
                                  const MeasuredSizes &sizes) const {
  DecisionKey own = decision.key;
  own.signature = signature;
  const Observation *seen = findObservation(own, decision.choice, sizes);
  return seen && seen->outcome != Outcome::Kept;
}

bool DecisionDatabase::isFarFrom(const Decision &decision,
                                 const MeasuredSizes &sizes) const {
  return !sizes.empty() && findObservation(decision.key, decision.choice) &&
         !findObservation(decision.key, decision.choice, sizes);
}

uint64_t DecisionDatabase::foldObservations() {
  // Newest first: the count of a choice runs over from its end.
  std::map<std::pair<DecisionKey, Choice>, unsigned> counts;
  uint64_t folded = 0;
  for (auto at = observations.end(); at != observations.begin();) {
    --at;
    if (++counts[{at->key, at->choice}] <= kMaxObservations)
      continue;
    at = observations.erase(at);
    ++folded;
  }
  return folded;
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

namespace {

/// A decision that may be about an op, and how well it fits.
struct Candidate {
  const Decision *decision;
  Confidence confidence;
  bool sameNeighborhood;
};

} // namespace

static bool isBetter(const Candidate &a, const Candidate &b) {
  auto order = [](const Candidate &c) {
    return std::make_tuple(c.confidence, !c.sameNeighborhood,
                           -c.decision->whenMs);
  };
  if (order(a) != order(b))
    return order(a) < order(b);
  return a.decision->key < b.decision->key;
}

std::vector<DecisionMatch>
DecisionDatabase::find(const OpSignature &signature, llvm::StringRef machine,
                       const MeasuredSizes &sizes) const {
  std::map<llvm::StringRef, Candidate> best;
  auto consider = [&](const HashIndex &index, llvm::StringRef hash,
                      Confidence confidence) {
    auto entry = hash.empty() ? index.end() : index.find(hash);
    if (entry == index.end())
      return;
    for (const Decision *decision : entry->second) {
      bool same =
          !signature.neighborhood.empty() &&
          decision->key.signature.neighborhood == signature.neighborhood;
      if (decision->key.machine != machine ||
          (decision->scope == DecisionScope::Neighborhood && !same))
        continue;
      Candidate candidate = {decision, confidence, same};
      if (confidence == Confidence::Exact && isFarFrom(*decision, sizes))
        candidate.confidence = Confidence::OtherSizes;
      if (confidence != Confidence::Exact &&
          wasRefused(*decision, signature, sizes))
        continue;
      auto [place, isNew] =
          best.try_emplace(decision->key.technique, candidate);
      if (!isNew && isBetter(candidate, place->second))
        place->second = candidate;
    }
  };
  consider(byExact, signature.exact, Confidence::Exact);
  consider(byShapeErased, signature.shapeErased, Confidence::ShapeErased);
  consider(byNeighborhood, signature.neighborhood, Confidence::Neighborhood);
  std::vector<DecisionMatch> result;
  for (const auto &[technique, candidate] : best)
    result.push_back({candidate.decision, candidate.confidence});
  return result;
}

std::optional<DecisionMatch>
DecisionDatabase::find(const OpSignature &signature, llvm::StringRef machine,
                       llvm::StringRef technique) const {
  for (const DecisionMatch &match : find(signature, machine))
    if (match.decision->key.technique == technique)
      return match;
  return std::nullopt;
}
