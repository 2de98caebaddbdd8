//===- TrialRunner.h - Building and measuring a candidate -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALRUNNER_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALRUNNER_H

#include "ModelComparer.h"
#include "Reference.h"
#include "UnseenCheck.h"

namespace mlirprof::optimize {

/// Runs trials: builds a candidate, checks its results, and compares it with
/// the incumbent, whose place it takes when it is better.
class TrialRunner {
public:
  /// All of them outlive this.
  TrialRunner(const ModelSites &sites, const OptimizerOptions &options,
              const SearchKeys &keys, const TimeBudget &budget,
              const ModelBuilder &builder, const ModelComparer &comparer,
              const Reference &reference, const UnseenCheck &unseen,
              Incumbent &incumbent)
      : sites(sites), options(options), keys(keys), budget(budget),
        builder(builder), comparer(comparer), reference(reference),
        unseen(unseen), incumbent(incumbent) {}

  /// Tries `planned`, the `index`-th trial of the search; the outcome is in
  /// `receipt`, which names technique, sites and choices already. An error ends
  /// the search.
  llvm::Error run(const PlannedProposal &planned, unsigned index,
                  Receipt &receipt);

private:
  /// The candidate of one trial.
  struct Trial {
    const PlannedProposal &planned;
    unsigned index;
    Receipt &receipt;
    ModelVersion version;

    bool isKept() const {
      return receipt.observation.outcome == tuning::Outcome::Kept;
    }
  };

  /// The steps of a trial, in their order. Each may refuse the candidate; the
  /// next ones are for one that was not refused.
  llvm::Expected<bool> build(Trial &trial);
  llvm::Expected<bool> checkNumbers(Trial &trial);
  llvm::Error compareWithIncumbent(Trial &trial);
  llvm::Error checkUnseen(Trial &trial);

  /// Compares `candidate` with the incumbent, and notes in the receipt how it
  /// ended; none where a measurement failed.
  llvm::Expected<std::optional<tuning::Comparison>>
  measure(const ModelVersion &candidate, tuning::ComparisonOptions test,
          Receipt &receipt);
  /// As fail, for an error of a measurement: where it is the incumbent that
  /// ended, that is started again and nothing is said of the candidate.
  llvm::Error failMeasuring(llvm::Error error, Receipt &receipt);

  const ModelSites &sites;
  const OptimizerOptions &options;
  const SearchKeys &keys;
  const TimeBudget &budget;
  const ModelBuilder &builder;
  const ModelComparer &comparer;
  const Reference &reference;
  const UnseenCheck &unseen;
  Incumbent &incumbent;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_TRIALRUNNER_H
