//===- TrialLoop.cpp - All trials of a search -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrialLoop.h"
#include "../Sites/ChoiceText.h"
#include "TrialQueue.h"
#include "mlir-prof/Scope/Scope.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

bool TrialLoop::isInterrupted() const {
  return options.isInterrupted && options.isInterrupted();
}

bool TrialLoop::isToBeTried(const PlannedProposal &planned) const {
  return options.isRepeated ||
         !journal.wasTried(planned, incumbent.get().choices);
}

double TrialLoop::getBuildSeconds() const {
  return incumbent.getServer().getModel().buildSeconds;
}

double TrialLoop::getTrialSeconds(const Proposal &proposal) const {
  // Two builds of the op alone where its numbers change.
  constexpr double kMostForOp = 1.5;
  double build = getBuildSeconds();
  double cost = build + budget.getComparisonSeconds(kEnoughRounds) +
                unseen.getSeconds() * proposal.success;
  if (proposal.changesNumbers)
    cost += std::min(kMostForOp, 2 * build);
  return cost;
}

bool TrialLoop::isSlowToBuild() const {
  constexpr double kLeastSeconds = 2, kShare = 0.05;
  double build = incumbent.getBaselineServer().getModel().buildSeconds;
  return build > kLeastSeconds && build > kShare * budget.getTotal();
}

llvm::Expected<Observation> TrialLoop::runOne(const PlannedProposal &planned) {
  PROF_SCOPE("trial");
  scope::Scope technique(planned.technique->name);
  Receipt receipt = makeReceipt(planned);
  progress.report("trial", receipt.technique + " " + describe(receipt.choice) +
                               " of " +
                               sites.sites[receipt.sites.front()].label);
  double started = budget.getUsed();
  if (llvm::Error error = runner.run(planned, tried++, receipt))
    return std::move(error);
  receipt.atSeconds = budget.getUsed();
  seconds += receipt.atSeconds - started;
  journal.record(planned, receipt);
  return receipt.observation;
}

llvm::Error TrialLoop::runForTime(llvm::ArrayRef<PlannedProposal> proposals) {
  double modelSeconds = incumbent.getBaseline().seconds;
  PlannerOptions effort;
  effort.seconds = budget.getTotal() - budget.getReservedSeconds();
  effort.modelSeconds = modelSeconds;
  effort.noise = comparer.getTest().minimumGain;
  effort.isExhaustive = sites.effort == Effort::All;
  TrialQueue queue(sites, effort,
                   sites.seconds > 0 ? modelSeconds / sites.seconds
                                     : modelSeconds);
  for (const PlannedProposal &planned : proposals)
    if (!planned.proposal.isKeptWhenEqual && isToBeTried(planned))
      queue.add(planned, getTrialSeconds(planned.proposal));
  while (const PlannedProposal *next = queue.next(budget.getUsed())) {
    if (isInterrupted())
      return llvm::make_error<InterruptedError>();
    double started = budget.getUsed();
    auto observation = runOne(*next);
    if (!observation)
      return observation.takeError();
    queue.report(*observation, budget.getUsed() - started);
  }
  // Trials for size may have been left before.
  if (stop != StopReason::BudgetUsed)
    stop = queue.getStopReason();
  if (journal.countTrials() == 0 &&
      queue.getStopReason() == StopReason::BudgetUsed)
    missing = missing.value_or(queue.getLeastCost());
  return llvm::Error::success();
}

llvm::Error TrialLoop::runForSize(llvm::ArrayRef<PlannedProposal> proposals) {
  for (const PlannedProposal &planned : proposals) {
    if (!planned.proposal.isKeptWhenEqual || !isToBeTried(planned))
      continue;
    if (isInterrupted())
      return llvm::make_error<InterruptedError>();
    double cost = getBuildSeconds() +
                  budget.getComparisonSeconds(kEnoughRounds) +
                  unseen.getSeconds();
    if (budget.getLeft() < cost + budget.getReservedSeconds()) {
      stop = StopReason::BudgetUsed;
      if (journal.countTrials() == 0)
        missing = missing.value_or(cost);
      break;
    }
    auto observation = runOne(planned);
    if (!observation)
      return observation.takeError();
    if (observation->outcome == Outcome::Kept)
      break; // The others are parts of the same set.
  }
  return llvm::Error::success();
}

llvm::Error TrialLoop::run(llvm::ArrayRef<PlannedProposal> proposals) {
  // Trials for size are not expected to gain, so they come last; but code for
  // size is built sooner, so a model that is slow to build is made small first.
  if (!isSlowToBuild()) {
    if (llvm::Error error = runForTime(proposals))
      return error;
    return runForSize(proposals);
  }
  if (llvm::Error error = runForSize(proposals))
    return error;
  return runForTime(proposals);
}
