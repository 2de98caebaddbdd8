//===- SearchFacts.cpp - The traces of a search ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

size_t mlirprof::test::countDecisions(const DecisionDatabase &database) {
  size_t count = 0;
  for (const auto &[key, decision] : database.getDecisions())
    count += !decision.choice.empty();
  return count;
}

std::map<Choice, unsigned>
mlirprof::test::countTrials(const DecisionDatabase &database) {
  std::map<Choice, unsigned> counts;
  for (const Observation &seen : database.getObservations())
    if (seen.key.technique == "faked")
      ++counts[seen.choice];
  return counts;
}

bool mlirprof::test::hasNote(const OptimizerResult &result,
                             llvm::StringRef text) {
  return llvm::any_of(result.notes, [&](const std::string &note) {
    return llvm::StringRef(note).contains(text);
  });
}
