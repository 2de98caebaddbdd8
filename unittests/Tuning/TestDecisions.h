//===- TestDecisions.h - Decisions for tests --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_TUNING_TESTDECISIONS_H
#define MLIR_PROF_UNITTESTS_TUNING_TESTDECISIONS_H

#include "mlir-prof/Tuning/Decision.h"

namespace mlirprof::test {

inline std::string makeHash(char digit) { return std::string(32, digit); }

/// A decision whose hashes are all of these digits; 0: no neighborhood.
inline tuning::Decision makeDecision(char exact, char shape, char neighborhood,
                                     const char *technique, const char *value,
                                     int64_t whenMs = 1000) {
  tuning::Decision decision;
  decision.key.signature = {makeHash(exact), makeHash(shape),
                            neighborhood ? makeHash(neighborhood) : ""};
  decision.key.machine = "znver4";
  decision.key.technique = technique;
  decision.choice = {{"value", value}};
  decision.whenMs = whenMs;
  return decision;
}

/// A gain of a fifth by `decision`.
inline tuning::Observation makeObservation(const tuning::Decision &decision,
                                           int64_t whenMs) {
  tuning::Observation observation;
  observation.key = decision.key;
  observation.choice = decision.choice;
  observation.whenMs = whenMs;
  observation.oldPs = 1'500'000'000;
  observation.newPs = 1'200'000'000;
  observation.spread = 0.01;
  observation.rounds = 24;
  observation.probability = 0.0009765625;
  observation.error = 2.3e-7;
  return observation;
}

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_TUNING_TESTDECISIONS_H
