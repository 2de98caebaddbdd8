//===- Search.h - One search ------------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCH_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCH_H

#include "../Local/LocalTrials.h"
#include "FinalCheck.h"
#include "SearchMarker.h"
#include "TrialLoop.h"
#include "WarmStart.h"

namespace mlirprof::optimize {

/// One call of optimizeModel: the order of its steps. Their work is done, and
/// their state kept, by the parts:
///
///   TimeBudget     seconds used, left and expected
///   SearchSpace    techniques and their proposals
///   Journal        receipts, observations and decisions, by SearchKeys
///   SearchMarker   markers of completed searches
///   ModelBuilder   builds of the model, each in a process
///   ModelComparer  times of two builds, and the A/A control
///   Reference      results of the unoptimized model
///   Incumbent      the baseline and the best version so far
///   WarmStart      choices that the database knows
///   UnseenCheck    shapes that were not recorded
///   LocalTrials    choices within kernels, tried in a running model
///   TrialLoop      all trials, in the order of a TrialQueue
///   TrialRunner    one trial
///   FinalCheck     the result as a whole
class Search {
public:
  Search(mlir::ModuleOp input, const ModelSites &sites,
         tuning::DecisionDatabase &database, const OptimizerOptions &options,
         const SearchTools &tools);

  llvm::Expected<OptimizerResult> run();
  /// Whether run() would find that there is nothing to search.
  bool isKnown();

private:
  // The steps, in their order. An error ends the search.
  llvm::Error measure();
  llvm::Error checkTimes();
  llvm::Error checkOtherRequests();

  // The steps of measure().
  llvm::Error startBaseline();
  llvm::Error calibrate();
  /// Notes that `what` is done; a BudgetError where nothing more may begin.
  llvm::Error endStep(llvm::StringRef what);
  /// Tries choices within kernels one by one, then together; drops those that
  /// this leaves nothing to try of.
  llvm::Error tryLocally(std::vector<PlannedProposal> &proposals);

  /// Ends the search, whose budget was used up.
  void stopForBudget();
  /// The seconds from now to the end of one trial and of the check of its
  /// result.
  double getMissingSeconds() const;
  /// Says which budget would have been enough for one trial.
  void noteShortBudget();
  /// Says by how much, and for what, the budget was exceeded.
  void noteExceededBudget();

  /// Takes all choices back where there is a refusal.
  void returnPrevious(const std::optional<Refusal> &refusal);
  /// Makes the result, with `choices`, of what the parts know.
  OptimizerResult getResult(const ChoiceMap &choices);

  const ModelSites &sites;
  tuning::DecisionDatabase &database;
  const OptimizerOptions &options;
  TimeBudget budget;
  SearchSpace space;
  SearchKeys keys;
  Journal journal;
  SearchMarker marker;
  Incumbent incumbent;
  SearchProgress progress;
  ModelBuilder builder;
  ModelComparer comparer;
  Reference reference;
  UnseenCheck unseen;
  WarmStart known;
  TrialRunner runner;
  LocalTrials local;
  TrialLoop trials;
  FinalCheck finalCheck;

  std::string whyPrevious;
  bool hasReference = false, isSpent = false;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCH_H
