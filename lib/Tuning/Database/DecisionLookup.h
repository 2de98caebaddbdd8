//===- DecisionLookup.h - Finding decisions for an op -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TUNING_DATABASE_DECISIONLOOKUP_H
#define MLIR_PROF_LIB_TUNING_DATABASE_DECISIONLOOKUP_H

#include "mlir-prof/Tuning/DecisionMatch.h"
#include "mlir-prof/Tuning/DecisionTable.h"
#include "mlir-prof/Tuning/ObservationLog.h"

#include <vector>

namespace mlirprof::tuning {

/// Finds the decisions that fit an op, by the hashes of its signature and by
/// what was observed of the op.
class DecisionLookup {
public:
  /// Both outlive this.
  DecisionLookup(const DecisionTable &decisions,
                 const ObservationLog &observations)
      : decisions(decisions), observations(observations) {}

  /// As DecisionDatabase::find.
  std::vector<DecisionMatch> find(const OpSignature &signature,
                                  llvm::StringRef machine,
                                  const MeasuredSizes &sizes) const;

private:
  /// Whether every observation of `decision` is of sizes far from `sizes`.
  bool isFarFrom(const Decision &decision, const MeasuredSizes &sizes) const;
  /// Whether the op with `signature`, which `decision` may be about, was itself
  /// observed to gain nothing by it.
  bool wasRefused(const Decision &decision, const OpSignature &signature,
                  const MeasuredSizes &sizes) const;

  const DecisionTable &decisions;
  const ObservationLog &observations;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_LIB_TUNING_DATABASE_DECISIONLOOKUP_H
