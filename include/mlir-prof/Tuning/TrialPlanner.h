//===- TrialPlanner.h - The order of trials ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule. The possible gain of a trial is the part that its technique closes
// of the distance between the op's time and its roofline; the expected gain is
// that times the technique's probability of success. The trial with the
// highest expected gain for its cost comes first. A trial whose gain would be
// below noise even if it succeeds is never made, and all end when the expected
// gains that are left, one for each op, add up to less than noise. Each result
// corrects what is expected of its technique on the other ops. An exhaustive
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
  /// For all trials together.
  double seconds = std::numeric_limits<double>::infinity();
  /// Time of the whole model, in seconds; the sum of the sites where that is
  /// larger.
  double modelSeconds = 0;
  /// The smallest gain, as part of the model's time, that can be told from
  /// noise (by a comparison of the incumbent with itself).
  double noise = 0.001;
  /// The bound of an op whose roofline is not known, as part of its time.
  double unknownBound = 0.5;
  /// Whether every trial is made that the seconds allow, also those whose
  /// expected gain is below noise.
  bool isExhaustive = false;
};

/// An op, or ops that are decided about together, in one run of the model.
struct EffortSite {
  std::string name;
  double seconds = 0;
  /// The least time that the machine needs, by operations and bytes; not
  /// positive when it is not known.
  double boundSeconds = 0;
};

/// The estimate of a trial before it is made.
struct TrialEstimate {
  std::string technique;
  /// Probability that it is kept.
  double success = 0.5;
  /// The part of the distance to the bound that it closes when it is kept.
  double closes = 0.5;
  /// To compile and to measure.
  double costSeconds = 1;
};

struct PlannedTrial {
  size_t site = 0;
  /// As addTrial returned it.
  size_t trial = 0;
  /// As part of the model's time.
  double expectedGain = 0;
  double costSeconds = 0;
};

struct TrialResult {
  Outcome outcome = Outcome::Rejected;
  /// Seconds of the site from now on, when it was kept.
  double newSeconds = 0;
  /// Seconds that the trial took.
  double costSeconds = 0;
};

enum class StopReason : uint8_t {
  None,
  /// Every trial was made.
  NothingLeft,
  BelowNoise,
  /// The trials that are left cost more than is left of the planner.
  BudgetUsed,
};
llvm::StringRef getName(StopReason reason);

/// Decides what to try next. The same calls give the same answers; trials that
/// are alike are made in the order in which they were added.
class TrialPlanner {
public:
  explicit TrialPlanner(const PlannerOptions &options) : options(options) {}

  /// Numbers that are negative or not finite count as 0.
  size_t addSite(EffortSite site);
  size_t addTrial(size_t site, TrialEstimate estimate);

  /// The next trial, which is then made or given up: it is not named again.
  /// `usedSeconds` of the budget have passed.
  std::optional<PlannedTrial> next(double usedSeconds);
  void report(size_t trial, const TrialResult &result);

  /// The reason why the last next() returned none.
  StopReason getStopReason() const { return stopReason; }
  /// If that was the budget: the cost of the cheapest trial worth making.
  double getLeastCost() const { return leastCost; }
  /// The expected gain of all trials that are left, as part of the model's
  /// time.
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
    /// Sum of real over estimated cost.
    double costs = 0;
  };

  double getDistance(const EffortSite &site) const;
  const Experience &getExperience(const Trial &trial) const;
  /// Its gain if it is kept, and its expected one, as parts of the model's
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
