//===- TrialPlanner.cpp - The order of trials -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/TrialPlanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::tuning;

/// Weight of an estimate, as a number of results.
static constexpr double kEstimateWeight = 2;
/// Minimum cost of a trial: the division by it must stay finite.
static constexpr double kLeastCost = 1e-6;

llvm::StringRef tuning::getName(StopReason reason) {
  switch (reason) {
  case StopReason::None:
    return "not stopped";
  case StopReason::NothingLeft:
    return "nothing is left to try";
  case StopReason::BelowNoise:
    return "the expected gain is below noise";
  case StopReason::BudgetUsed:
    return "the trials that are left take longer than the rest of the budget";
  }
  llvm_unreachable("unknown reason");
}

static double clean(double value) {
  return std::isfinite(value) && value > 0 ? value : 0;
}

size_t TrialPlanner::addSite(EffortSite site) {
  site.seconds = clean(site.seconds);
  site.boundSeconds = clean(site.boundSeconds);
  siteSeconds += site.seconds;
  sites.push_back(std::move(site));
  return sites.size() - 1;
}

size_t TrialPlanner::addTrial(size_t site, TrialEstimate estimate) {
  assert(site < sites.size() && "no such site");
  estimate.success = std::min(clean(estimate.success), 1.0);
  estimate.closes = std::min(clean(estimate.closes), 1.0);
  estimate.costSeconds = std::max(clean(estimate.costSeconds), kLeastCost);
  trials.push_back({site, std::move(estimate)});
  return trials.size() - 1;
}

double TrialPlanner::getDistance(const EffortSite &site) const {
  double bound = site.boundSeconds > 0 ? site.boundSeconds
                                       : options.unknownBound * site.seconds;
  return std::max(0.0, site.seconds - bound);
}

double TrialPlanner::getModelSeconds() const {
  return std::max(clean(options.modelSeconds), siteSeconds);
}

const TrialPlanner::Experience &
TrialPlanner::getExperience(const Trial &trial) const {
  static const Experience none;
  auto found = experiences.find(trial.estimate.technique);
  return found == experiences.end() ? none : found->second;
}

double TrialPlanner::getPossibleGain(const Trial &trial) const {
  const Experience &seen = getExperience(trial);
  double closes = (trial.estimate.closes * kEstimateWeight + seen.closed) /
                  (kEstimateWeight + seen.successes);
  double model = getModelSeconds();
  return model > 0 ? closes * getDistance(sites[trial.site]) / model : 0;
}

double TrialPlanner::getExpectedGain(const Trial &trial) const {
  const Experience &seen = getExperience(trial);
  return getPossibleGain(trial) *
         (trial.estimate.success * kEstimateWeight + seen.successes) /
         (kEstimateWeight + seen.tries);
}

double TrialPlanner::getCost(const Trial &trial) const {
  const Experience &seen = getExperience(trial);
  return trial.estimate.costSeconds * (kEstimateWeight + seen.costs) /
         (kEstimateWeight + seen.tries);
}

double TrialPlanner::getExpectedGain() const {
  // Trials on one op are alternatives, of which one will be kept: counts the
  // largest gain among them, with the probability that any succeeds.
  std::vector<double> most(sites.size(), 0.0), failure(sites.size(), 1.0);
  for (const Trial &trial : trials) {
    double possible = getPossibleGain(trial);
    if (!trial.isOpen || possible < options.noise)
      continue;
    most[trial.site] = std::max(most[trial.site], possible);
    failure[trial.site] *= 1 - getExpectedGain(trial) / possible;
  }
  double sum = 0;
  for (auto [gain, missed] : llvm::zip_equal(most, failure))
    sum += gain * (1 - missed);
  return sum;
}

std::optional<PlannedTrial> TrialPlanner::next(double usedSeconds) {
  stopReason = StopReason::NothingLeft;
  if (llvm::none_of(trials, [](const Trial &trial) { return trial.isOpen; }))
    return std::nullopt;
  stopReason = StopReason::BelowNoise;
  double expected = getExpectedGain();
  if (!options.isExhaustive && (expected <= 0 || expected < options.noise))
    return std::nullopt;
  stopReason = StopReason::BudgetUsed;
  leastCost = std::numeric_limits<double>::infinity();
  std::optional<PlannedTrial> best;
  for (size_t index : llvm::seq(trials.size())) {
    const Trial &trial = trials[index];
    double cost = getCost(trial);
    double gain = getExpectedGain(trial);
    bool isWanted = options.isExhaustive ||
                    (gain > 0 && getPossibleGain(trial) >= options.noise);
    if (!trial.isOpen || !isWanted)
      continue;
    leastCost = std::min(leastCost, cost);
    if (usedSeconds + cost > options.seconds)
      continue;
    if (!best || gain / cost > best->expectedGain / best->costSeconds)
      best = PlannedTrial{trial.site, index, gain, cost};
  }
  if (!best)
    return std::nullopt;
  stopReason = StopReason::None;
  trials[best->trial].isOpen = false;
  return best;
}

void TrialPlanner::report(size_t index, const TrialResult &result) {
  assert(index < trials.size() && "no such trial");
  Trial &trial = trials[index];
  trial.isOpen = false;
  Experience &seen = experiences[trial.estimate.technique];
  ++seen.tries;
  seen.costs += clean(result.costSeconds) / trial.estimate.costSeconds;
  if (result.outcome != Outcome::Kept)
    return;
  EffortSite &site = sites[trial.site];
  double distance = getDistance(site);
  double seconds = std::min(clean(result.newSeconds), site.seconds);
  ++seen.successes;
  if (distance > 0)
    seen.closed += std::min(1.0, (site.seconds - seconds) / distance);
  // Gains are parts of the model's whole time: it stays.
  site.seconds = seconds;
}
