//===- TrialLoop.h - All trials of a search ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALLOOP_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALLOOP_H

#include "TrialRunner.h"

namespace mlirprof::optimize {

/// Makes the trials of a search until nothing is left to try, or no time.
class TrialLoop {
public:
  /// All of them outlive this.
  TrialLoop(const ModelSites &sites, const OptimizerOptions &options,
            const TimeBudget &budget, const ModelComparer &comparer,
            const UnseenCheck &unseen, const Incumbent &incumbent,
            const SearchProgress &progress, TrialRunner &runner,
            Journal &journal)
      : sites(sites), options(options), budget(budget), comparer(comparer),
        unseen(unseen), incumbent(incumbent), progress(progress),
        runner(runner), journal(journal) {}

  /// Tries `proposals`. An error ends the search.
  llvm::Error run(llvm::ArrayRef<PlannedProposal> proposals);
  /// Tries `planned`, whatever it is expected to gain.
  llvm::Expected<tuning::Observation> runOne(const PlannedProposal &planned);
  /// The seconds that a trial is expected to take.
  double getTrialSeconds(const Proposal &proposal) const;

  /// Why there were no more trials.
  tuning::StopReason getStopReason() const { return stop; }
  /// Seconds of all trials.
  double getSeconds() const { return seconds; }
  /// The seconds that a trial would have taken where there was no time for any.
  std::optional<double> getMissingSeconds() const { return missing; }

private:
  /// Tries what may be faster.
  llvm::Error runForTime(llvm::ArrayRef<PlannedProposal> proposals);
  /// Tries what may be as fast, with smaller code.
  llvm::Error runForSize(llvm::ArrayRef<PlannedProposal> proposals);

  /// Whether `planned` was not tried before, or all is to be tried again.
  bool isToBeTried(const PlannedProposal &planned) const;
  double getBuildSeconds() const;
  /// Whether a trial's time is mostly that of building the model.
  bool isSlowToBuild() const;
  bool isInterrupted() const;

  const ModelSites &sites;
  const OptimizerOptions &options;
  const TimeBudget &budget;
  const ModelComparer &comparer;
  const UnseenCheck &unseen;
  const Incumbent &incumbent;
  const SearchProgress &progress;
  TrialRunner &runner;
  Journal &journal;

  tuning::StopReason stop = tuning::StopReason::None;
  double seconds = 0;
  /// Trials so far, among which the test's level is shared.
  unsigned tried = 0;
  std::optional<double> missing;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALLOOP_H
