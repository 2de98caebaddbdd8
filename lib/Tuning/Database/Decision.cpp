//===- Decision.cpp - Choices for an op, and measurements -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/Decision.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <tuple>

using namespace mlirprof;
using namespace mlirprof::tuning;

static auto tie(const OpSignature &s) {
  return std::tie(s.exact, s.shapeErased, s.neighborhood);
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
                  o.oldPs, o.newPs, o.spread, o.rounds, o.probability, o.error,
                  o.sizes);
}

bool tuning::operator==(const OpSignature &a, const OpSignature &b) {
  return tie(a) == tie(b);
}
bool tuning::operator<(const OpSignature &a, const OpSignature &b) {
  return tie(a) < tie(b);
}
bool tuning::operator==(const DecisionKey &a, const DecisionKey &b) {
  return tie(a) == tie(b);
}
bool tuning::operator<(const DecisionKey &a, const DecisionKey &b) {
  return tie(a) < tie(b);
}
bool tuning::operator==(const Decision &a, const Decision &b) {
  return tie(a) == tie(b);
}
bool tuning::operator==(const Observation &a, const Observation &b) {
  return tie(a) == tie(b);
}
bool tuning::operator<(const Observation &a, const Observation &b) {
  return tie(a) < tie(b);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static bool isNear(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  constexpr double kFactor = 4;
  // An empty dimension is not like any other.
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           auto [x, y] = pair;
           return x == y || (double(x) <= kFactor * double(y) &&
                             double(y) <= kFactor * double(x));
         });
}

bool tuning::isFar(const MeasuredSizes &measured, const MeasuredSizes &asked) {
  if (measured.empty())
    return false;
  return llvm::any_of(asked, [&](llvm::ArrayRef<int64_t> wanted) {
    return llvm::none_of(measured, [&](llvm::ArrayRef<int64_t> sizes) {
      return isNear(sizes, wanted);
    });
  });
}

std::string tuning::formatSizes(const MeasuredSizes &sizes) {
  std::string text;
  for (const std::vector<int64_t> &combination : sizes) {
    text += text.empty() ? "" : ", ";
    for (auto [index, size] : llvm::enumerate(combination))
      text += (index ? "x" : "") + std::to_string(size);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

llvm::StringRef tuning::getName(DecisionScope scope) {
  switch (scope) {
  case DecisionScope::Op:
    return "op";
  case DecisionScope::Neighborhood:
    return "neighborhood";
  }
  llvm_unreachable("unknown scope");
}

llvm::StringRef tuning::getName(DecisionBasis basis) {
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

llvm::StringRef tuning::getName(Outcome outcome) {
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
