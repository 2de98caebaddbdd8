//===- TimeBudget.h - Seconds that a search may take ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_TIMEBUDGET_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_TIMEBUDGET_H

#include "mlir-prof/Optimize/Optimizer.h"

#include <cstddef>

namespace mlirprof::optimize {

/// Rounds in which most comparisons are decided.
inline constexpr unsigned kEnoughRounds = 20;

/// The seconds of one search: how many have passed, and how many its steps are
/// expected to take.
class TimeBudget {
public:
  /// `totalSeconds` are for everything; `usedSeconds` of them passed before.
  /// A comparison measures `requests` requests.
  TimeBudget(TimeSource clock, double totalSeconds, double usedSeconds,
             size_t requests)
      : clock(std::move(clock)), totalSeconds(totalSeconds),
        usedSeconds(usedSeconds), requests(requests), begin(this->clock()),
        stepBegin(begin) {}

  double getTotal() const { return totalSeconds; }
  double getUsed() const { return usedSeconds + clock() - begin; }
  double getLeft() const { return totalSeconds - getUsed(); }

  /// Notes steps before the search.
  void setSpent(std::vector<SpentTime> steps) { spent = std::move(steps); }
  /// Notes that the time since the last step went into `what`.
  void endStep(llvm::StringRef what);
  /// "recording the model 11.0 s, ...": the steps of at least a tenth of a
  /// second.
  std::string describeSteps() const;

  /// Notes the seconds of one request: by the unoptimized model, and by the
  /// model without choices.
  void setReferenceSeconds(double seconds) { referenceSeconds = seconds; }
  void setModelSeconds(double seconds) { modelSeconds = seconds; }
  /// Notes the seconds of a round of a comparison, with the start of its
  /// processes.
  void setRoundSeconds(double seconds) { roundSeconds = seconds; }

  /// The longest that one call with `requests` requests may take.
  double getRunLimit(size_t requests) const;
  /// The expected seconds of a comparison over `rounds` rounds.
  double getComparisonSeconds(unsigned rounds) const;
  /// The seconds that trials leave to the final check, in proportion to the
  /// budget: enough for the test to tell, and not more than it takes.
  double getReservedSeconds() const;

private:
  TimeSource clock;
  double totalSeconds, usedSeconds;
  size_t requests;
  double begin, stepBegin;
  std::vector<SpentTime> spent;
  double referenceSeconds = 0, modelSeconds = 0, roundSeconds = 0;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_TIMEBUDGET_H
