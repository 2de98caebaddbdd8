//===- TrialPlanner.h - The order of trials ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The possible gain of a trial is the part of the distance between the op's
// time and its roofline that its technique closes; the expected gain is the
// possible gain times the technique's probability of success. The trial with
// the highest expected gain for its cost comes first. A trial whose possible
// gain is below noise is never made, and the search ends when the remaining
// expected gains, one for each op, add up to less than noise. Each result
// updates the expectations for its technique on the other ops. An exhaustive
// search makes all trials, in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_TRIALPLANNER_H
#define MLIR_PROF_TUNING_TRIALPLANNER_H

#include "mlir-prof/Tuning/Decision.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::tuning {

struct PlannerOptions {
  /// Time for all trials together.
  double seconds = std::numeric_limits<double>::infinity();
  /// Time of the model, in seconds, or the sum of the sites if that is larger.
  double modelSeconds = 0;
  /// The smallest gain, relative to the model's time, that can be distinguished
  /// from noise (by a comparison of the incumbent with itself).
  double noise = 0.001;
  /// The bound of an op with an unknown roofline, relative to its time.
  double unknownBound = 0.5;
  /// Whether to make every trial for which the time suffices, even if its
  /// expected gain is below noise.
  bool isExhaustive = false;
};

/// An op, or ops that share their decisions, in one run of the model.
struct EffortSite {
  std::string name;
  double seconds = 0;
  /// The least time that the machine needs, by operations and bytes; not
  /// positive if unknown.
  double boundSeconds = 0;
};

/// The estimate of a trial before it is made.
struct TrialEstimate {
  std::string technique;
  /// Probability that it is kept.
  double success = 0.5;
  /// The part of the distance to the bound that it closes if it is kept.
  double closes = 0.5;
  /// Seconds to compile and to measure it.
  double costSeconds = 1;
};

struct PlannedTrial {
  size_t site = 0;
  /// The number returned by addTrial.
  size_t trial = 0;
  /// The expected gain relative to the model's time.
  double expectedGain = 0;
  double costSeconds = 0;
};

struct TrialResult {
  Outcome outcome = Outcome::Rejected;
  /// The new time of the site, if the trial was kept.
  double newSeconds = 0;
  /// Seconds that the trial took.
  double costSeconds = 0;
};

enum class StopReason : uint8_t {
  None,
  /// Every trial was made.
  NothingLeft,
  BelowNoise,
  /// The remaining trials cost more than the remaining time.
  BudgetUsed,
};
llvm::StringRef getName(StopReason reason);

/// Chooses the next trial. Deterministic; equal trials are made in the order in
/// which they were added.
class TrialPlanner {
public:
  explicit TrialPlanner(const PlannerOptions &options) : options(options) {}

  /// Negative and non-finite numbers count as 0.
  size_t addSite(EffortSite site);
  size_t addTrial(size_t site, TrialEstimate estimate);

  /// The next trial, which is not returned again. `usedSeconds` of the budget
  /// have passed.
  std::optional<PlannedTrial> next(double usedSeconds);
  void report(size_t trial, const TrialResult &result);

  /// The reason why the last next() returned none.
  StopReason getStopReason() const { return stopReason; }
  /// If the reason is the budget: the cost of the cheapest worthwhile trial.
  double getLeastCost() const { return leastCost; }
  /// The expected gain of all remaining trials, relative to the model's time.
  double getExpectedGain() const;
  const EffortSite &getSite(size_t site) const { return sites[site]; }

private:
  struct Trial {
    size_t site;
    TrialEstimate estimate;
    bool isOpen = true;
  };
  /// The results of a technique so far.
  struct Experience {
    unsigned tries = 0;
    unsigned successes = 0;
    double closed = 0;
    /// Sum of actual over estimated costs.
    double costs = 0;
  };

  double getDistance(const EffortSite &site) const;
  const Experience &getExperience(const Trial &trial) const;
  /// Its gain if it is kept, and its expected gain, relative to the model's
  /// time.
  double getPossibleGain(const Trial &trial) const;
  double getExpectedGain(const Trial &trial) const;
  double getCost(const Trial &trial) const;
  double getModelSeconds() const;

  PlannerOptions options;
  std::vector<EffortSite> sites;
  std::vector<Trial> trials;
  llvm::StringMap<Experience> experiences;
  double siteSeconds = 0;
  StopReason stopReason = StopReason::None;
  double leastCost = 0;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_TRIALPLANNER_H
