//===- DecisionDatabase.h - Decisions that outlive a build ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_DECISIONDATABASE_H
#define MLIR_PROF_TUNING_DECISIONDATABASE_H

#include "mlir-prof/Tuning/DecisionMatch.h"
#include "mlir-prof/Tuning/DecisionTable.h"
#include "mlir-prof/Tuning/ObservationLog.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace mlirprof::tuning {

/// Decisions, and the observations on which they are based. Entries are checked
/// when they are added, so that the whole database can be written to a file and
/// read back.
class DecisionDatabase {
public:
  DecisionDatabase() = default;
  DecisionDatabase(DecisionDatabase &&) = default;
  DecisionDatabase &operator=(DecisionDatabase &&) = default;

  /// Adds a decision, replacing an older one with the same key. Fails on
  /// malformed hashes, too many parameters or entries; long texts are cut.
  llvm::Error decide(Decision decision);
  /// Adds an observation, with the same checks.
  llvm::Error observe(Observation observation);
  /// Adds all entries of `other`. If both have a decision with the same key,
  /// the newer one is kept. Commutative, associative and idempotent. Returns
  /// the number of new entries. Fails if there would be too many.
  llvm::Expected<uint64_t> merge(const DecisionDatabase &other);
  /// Drops all but the newest DecisionLimits::kObservations observations of
  /// each choice. Returns the number of dropped ones.
  uint64_t dropOldObservations();

  /// The best decision of each technique for an op on a machine, ordered by
  /// technique. Among decisions with the same confidence, one with the same
  /// neighborhood wins, then the newest, then the first by key. Leaves out a
  /// decision of a similar op if a measurement showed that this op does not
  /// gain from it. `sizes` are the op's sizes in this model, if known.
  std::vector<DecisionMatch> find(const OpSignature &signature,
                                  llvm::StringRef machine,
                                  const MeasuredSizes &sizes = {}) const;
  /// The observations of all choices under `key`, oldest first.
  std::vector<const Observation *>
  findObservations(const DecisionKey &key) const {
    return observations.find(key);
  }
  /// The newest observation of `choice` under `key`, that is, the outcome of an
  /// earlier trial, or null. Observations with sizes far from `sizes` do not
  /// count.
  const Observation *findObservation(const DecisionKey &key,
                                     const Choice &choice,
                                     const MeasuredSizes &sizes = {}) const {
    return observations.findNewest(key, choice, sizes);
  }

  const std::map<DecisionKey, Decision> &getDecisions() const {
    return decisions.get();
  }
  const std::set<Observation> &getObservations() const {
    return observations.get();
  }

private:
  size_t size() const { return decisions.size() + observations.size(); }

  DecisionTable decisions;
  ObservationLog observations;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISIONDATABASE_H
