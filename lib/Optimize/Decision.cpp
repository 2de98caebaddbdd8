//===- Decision.cpp - What was chosen for an op, and what was seen --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Decision.h"
#include "llvm/Support/ErrorHandling.h"

#include <tuple>

using namespace mlirprof;

static auto tie(const OpSignature &s) {
  return std::tie(s.exact, s.shapeErased, s.neighbourhood);
}
static auto tie(const DecisionKey &k) {
  return std::tie(k.signature, k.machine, k.technique);
}
static auto tie(const Decision &d) {
  return std::tie(d.key, d.scope, d.choice, d.basis, d.whenMs, d.producer,
                  d.label);
}
/// Time comes right after the key: observations of a key are in its order.
static auto tie(const Observation &o) {
  return std::tie(o.key, o.whenMs, o.choice, o.producer, o.outcome, o.reason,
                  o.oldPs, o.newPs, o.spread, o.rounds, o.probability, o.error);
}

bool mlirprof::operator==(const OpSignature &a, const OpSignature &b) {
  return tie(a) == tie(b);
}
bool mlirprof::operator<(const OpSignature &a, const OpSignature &b) {
  return tie(a) < tie(b);
}
bool mlirprof::operator==(const DecisionKey &a, const DecisionKey &b) {
  return tie(a) == tie(b);
}
bool mlirprof::operator<(const DecisionKey &a, const DecisionKey &b) {
  return tie(a) < tie(b);
}
bool mlirprof::operator==(const Decision &a, const Decision &b) {
  return tie(a) == tie(b);
}
bool mlirprof::operator==(const Observation &a, const Observation &b) {
  return tie(a) == tie(b);
}
bool mlirprof::operator<(const Observation &a, const Observation &b) {
  return tie(a) < tie(b);
}

llvm::StringRef mlirprof::getName(DecisionScope scope) {
  switch (scope) {
  case DecisionScope::Op:
    return "op";
  case DecisionScope::Neighbourhood:
    return "neighbourhood";
  }
  llvm_unreachable("unknown scope");
}

llvm::StringRef mlirprof::getName(DecisionBasis basis) {
  switch (basis) {
  case DecisionBasis::Measured:
    return "measured";
  case DecisionBasis::Inferred:
    return "inferred";
  case DecisionBasis::Given:
    return "given";
  }
  llvm_unreachable("unknown basis");
}

llvm::StringRef mlirprof::getName(Outcome outcome) {
  switch (outcome) {
  case Outcome::Kept:
    return "kept";
  case Outcome::Rejected:
    return "rejected";
  case Outcome::Failed:
    return "failed";
  }
  llvm_unreachable("unknown outcome");
}
