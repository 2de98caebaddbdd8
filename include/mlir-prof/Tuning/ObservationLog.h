//===- ObservationLog.h - All measurements of choices -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_OBSERVATIONLOG_H
#define MLIR_PROF_TUNING_OBSERVATIONLOG_H

#include "mlir-prof/Tuning/Decision.h"

#include <set>
#include <vector>

namespace mlirprof::tuning {

/// A set of observations, ordered by key, then by time.
class ObservationLog {
public:
  ObservationLog() = default;
  // Pointers from find() remain valid, as nodes of a set do not move.
  ObservationLog(ObservationLog &&) = default;
  ObservationLog &operator=(ObservationLog &&) = default;

  /// Adds an observation; returns whether it was new.
  bool insert(Observation observation);
  /// The number of entries of `other` that this log lacks.
  size_t countNew(const ObservationLog &other) const;

  /// The observations of all choices under `key`, oldest first.
  std::vector<const Observation *> find(const DecisionKey &key) const;
  /// The newest observation of `choice` under `key`, or null. Observations
  /// whose sizes are far from `sizes` do not count.
  const Observation *findNewest(const DecisionKey &key, const Choice &choice,
                                const MeasuredSizes &sizes = {}) const;

  /// Drops all but the newest `count` observations of each choice under each
  /// key. Returns the number of dropped ones.
  uint64_t dropOld(unsigned count);

  size_t size() const { return observations.size(); }
  const std::set<Observation> &get() const { return observations; }

private:
  std::set<Observation> observations;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_OBSERVATIONLOG_H
