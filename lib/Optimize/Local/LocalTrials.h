//===- LocalTrials.h - Trials of single kernels -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALTRIALS_H
#define MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALTRIALS_H

#include "../Search/Incumbent.h"
#include "../Search/Journal.h"
#include "../Search/Reference.h"
#include "../Search/SearchProgress.h"
#include "LocalCandidates.h"
#include "LocalModel.h"

namespace mlirprof::optimize {

/// Choices that act within kernels, each tried in a process that runs the
/// model: the candidate for a kernel takes its place, and the time of its
/// dispatches is compared with that of the incumbent there. Choices that win
/// are to be tried together, as a build of the whole model, which alone shows
/// that the model gains.
class LocalTrials {
public:
  /// All of them outlive this.
  LocalTrials(mlir::ModuleOp input, const ModelSites &sites,
              const OptimizerOptions &options, const SearchSpace &space,
              const TimeBudget &budget, const ModelBuilder &builder,
              const Reference &reference, const Incumbent &incumbent,
              const SearchProgress &progress, Journal &journal)
      : input(input), sites(sites), options(options), space(space),
        budget(budget), builder(builder), reference(reference),
        incumbent(incumbent), progress(progress), journal(journal) {}

  /// Tries candidates until none is left, or `seconds` have passed. An error
  /// ends the search; where the model cannot be tried in this way, the journal
  /// says so. Without time, hasMore() is true.
  llvm::Error run(double seconds);
  /// Whether choices within kernels were tried here, so that they need not be
  /// tried as builds of the whole model.
  bool hasRun() const { return isTried; }
  /// Whether candidates are left that there was no time for.
  bool hasMore() const { return isCut; }
  /// Seconds of all trials.
  double getSeconds() const { return usedSeconds; }

  /// The choices that were faster, those of a technique together; none where
  /// nothing was.
  std::vector<PlannedProposal> getFound() const;
  /// Files the receipts of what getFound() is made of, once that was tried:
  /// `kept` are those of it that were kept.
  void addReceipts(llvm::ArrayRef<PlannedProposal> kept);

private:
  /// A candidate in the process of being compiled or measured.
  struct Trial {
    const LocalCandidate *candidate = nullptr;
    PlannedProposal planned;
    KernelRequest request;
  };

  bool isInParallel(const Trial &last) const;
  llvm::Error start();
  Trial makeTrial(const LocalCandidate &candidate) const;
  llvm::Error advance(std::optional<Trial> next);
  llvm::Error runAll(double endSeconds);
  /// Measures the candidate of `trial`, which was compiled, and files it.
  llvm::Error finish(const Trial &trial,
                     llvm::Expected<compile::KernelVariant> variant);
  /// Compares it with the incumbent; the outcome is in `receipt`.
  llvm::Error measure(const Trial &trial, compile::KernelVariant variant,
                      Receipt &receipt);
  llvm::Error checkNumbers(const Trial &trial, Receipt &receipt);
  /// The test in place, for what is not slower at a glance.
  llvm::Expected<tuning::Comparison> compareTimes(const Trial &trial);
  llvm::Expected<tuning::Comparison> glance(const Trial &trial);
  void describe(const Trial &trial, const tuning::Comparison &comparison,
                Receipt &receipt);
  llvm::Error prepareKernel(size_t kernel);

  mlir::ModuleOp input;
  const ModelSites &sites;
  const OptimizerOptions &options;
  const SearchSpace &space;
  const TimeBudget &budget;
  const ModelBuilder &builder;
  const Reference &reference;
  const Incumbent &incumbent;
  const SearchProgress &progress;
  Journal &journal;

  std::unique_ptr<LocalModel> local;
  std::vector<LocalCandidate> candidates;
  /// The one that is being compiled.
  std::optional<Trial> pending;
  /// Seconds of the model in one round of all requests.
  double modelSeconds = 0;
  /// The iterations of one measurement.
  uint64_t iterations = 1;
  /// The results of the trials of one technique.
  struct Gains {
    /// By site and choice: seconds that its kernels gained, or lost, in a
    /// round.
    std::map<size_t, std::map<tuning::Choice, double>> bySite;
    /// The gain of the choice that the incumbent has for an op now.
    std::map<KernelOp, double> incumbent;
    /// The sites of ops for which a candidate was faster.
    std::set<size_t> faster;
  };
  std::map<const Technique *, Gains> gains;
  std::vector<Receipt> won;
  double usedSeconds = 0;
  bool isTried = false, isCut = false;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALTRIALS_H
