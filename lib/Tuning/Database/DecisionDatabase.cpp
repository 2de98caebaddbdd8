//===- DecisionDatabase.cpp - Decisions that outlive a build --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "DecisionChecks.h"
#include "DecisionLookup.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::tuning;

static llvm::Error tooMany() {
  return inputError("decisions",
                    "there would be more than " +
                        llvm::Twine(DecisionLimits::kEntries),
                    "Start a new database.");
}

llvm::Error DecisionDatabase::decide(Decision decision) {
  if (llvm::Error error = checkDecision(decision))
    return error;
  if (!decisions.contains(decision.key) && size() >= DecisionLimits::kEntries)
    return tooMany();
  decisions.set(std::move(decision));
  return llvm::Error::success();
}

llvm::Error DecisionDatabase::observe(Observation observation) {
  if (llvm::Error error = checkObservation(observation))
    return error;
  if (size() >= DecisionLimits::kEntries)
    return tooMany();
  observations.insert(std::move(observation));
  return llvm::Error::success();
}

llvm::Expected<uint64_t>
DecisionDatabase::merge(const DecisionDatabase &other) {
  size_t merged = size() + decisions.countNew(other.decisions) +
                  observations.countNew(other.observations);
  if (merged > DecisionLimits::kEntries)
    return tooMany();
  uint64_t added = 0;
  for (const auto &[key, decision] : other.getDecisions())
    added += decisions.merge(decision);
  for (const Observation &observation : other.getObservations())
    added += observations.insert(observation);
  return added;
}

uint64_t DecisionDatabase::dropOldObservations() {
  return observations.dropOld(DecisionLimits::kObservations);
}

std::vector<DecisionMatch>
DecisionDatabase::find(const OpSignature &signature, llvm::StringRef machine,
                       const MeasuredSizes &sizes) const {
  return DecisionLookup(decisions, observations)
      .find(signature, machine, sizes);
}
