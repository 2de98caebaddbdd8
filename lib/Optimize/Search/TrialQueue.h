//===- TrialQueue.h - The trials of a search in their order -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALQUEUE_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALQUEUE_H

#include "SearchSpace.h"
#include "mlir-prof/Optimize/Optimizer.h"

#include <map>
#include <vector>

namespace mlirprof::optimize {

/// Gives the proposals of a search in the order of their expected gain for the
/// cost, which the outcomes of trials correct.
class TrialQueue {
public:
  /// `sites` outlive this; `scale` turns their seconds into those of the model
  /// as it was measured.
  TrialQueue(const ModelSites &sites, const tuning::PlannerOptions &options,
             double scale)
      : sites(sites), planner(options), scale(scale) {}

  /// `planned`, which outlives this, is expected to take `costSeconds`.
  void add(const PlannedProposal &planned, double costSeconds);
  /// The next proposal, after `usedSeconds` of the budget; null: there is none
  /// that is worth it.
  const PlannedProposal *next(double usedSeconds);
  /// Notes how the trial of the last one that next() gave ended.
  void report(const tuning::Observation &observation, double costSeconds);

  /// Why next() gave none.
  tuning::StopReason getStopReason() const { return planner.getStopReason(); }
  /// Seconds of the cheapest trial for which there was no time.
  double getLeastCost() const { return planner.getLeastCost(); }

private:
  tuning::EffortSite getEffortSite(const PlannedProposal &planned) const;

  const ModelSites &sites;
  tuning::TrialPlanner planner;
  double scale;
  /// The sites of the planner, by the sites that a proposal is about.
  std::map<std::vector<size_t>, size_t> siteOf;
  /// By trials of the planner.
  std::vector<const PlannedProposal *> proposals;
  tuning::PlannedTrial current;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALQUEUE_H
