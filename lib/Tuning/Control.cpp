//===- Control.cpp - Limits and results of comparisons --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/Comparison.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::tuning;

double tuning::getStandardError(const Comparison &comparison) {
  return comparison.spread / std::sqrt(std::max(comparison.rounds, 1u));
}

double tuning::getNoise(const Comparison &control) {
  return std::max(std::abs(1 - control.ratio), 2 * getStandardError(control));
}

Change tuning::judgeChange(double ratio, double noise) {
  if (1 - ratio > noise)
    return Change::Faster;
  return ratio - 1 > noise ? Change::Slower : Change::Undecided;
}

llvm::StringRef tuning::getName(Change change) {
  switch (change) {
  case Change::Faster:
    return "faster";
  case Change::Slower:
    return "slower";
  case Change::Undecided:
    return "undecided";
  }
  llvm_unreachable("unknown change");
}

static int64_t toPicoseconds(double seconds) {
  double ps = std::round(seconds * 1e12);
  constexpr double limit = 9.2e18;
  return ps > 0 ? int64_t(std::min(ps, limit)) : 0;
}

void tuning::describe(const Comparison &comparison, Observation &observation) {
  bool isKept = comparison.verdict == Verdict::Faster;
  observation.outcome = isKept ? Outcome::Kept : Outcome::Rejected;
  observation.reason = isKept ? "" : getName(comparison.verdict).str();
  observation.oldPs = toPicoseconds(comparison.incumbentSeconds);
  observation.newPs = toPicoseconds(comparison.candidateSeconds);
  observation.spread = comparison.spread;
  observation.rounds = comparison.rounds;
  observation.probability = comparison.probability;
}
