//===- ModelComparer.h - Comparing two builds of a model --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_MODELCOMPARER_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_MODELCOMPARER_H

#include "ModelBuilder.h"
#include "SearchProgress.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"

#include <limits>

namespace mlirprof::optimize {

/// Processes for the comparison of a build may take so many times as long to
/// start as the build took.
inline constexpr double kStartsByBuild = 2;

/// Whether the incumbent took so much longer than `incumbentSeconds`, its
/// earlier time, that the machine must have been disturbed: the comparison is
/// then not evidence.
bool isDisturbed(const tuning::Comparison &comparison, double incumbentSeconds);

/// compare(), up to three times as long as it is disturbed.
llvm::Expected<tuning::Comparison>
compareInPeace(tuning::Stopwatch &stopwatch, tuning::ComparisonOptions test,
               double incumbentSeconds);

/// `measured`, or an InterruptedError where its verdict says that the user
/// stopped it.
llvm::Expected<tuning::Comparison>
unlessInterrupted(llvm::Expected<tuning::Comparison> measured);

/// A build of the model, and what it was built with.
struct BuiltModel {
  record::ModelServer &server;
  const ChoiceMap &choices;
};

/// Compares builds of a model, in processes that change, by a test that a
/// comparison of the model with itself (the A/A control) has set to the noise
/// of the machine. The control is made as all comparisons are: it knows how
/// much processes of the same code differ.
class ModelComparer {
public:
  /// All of them outlive this.
  ModelComparer(const ModelBuilder &builder, const OptimizerOptions &options,
                const SearchTools &tools, const SearchProgress &progress)
      : builder(builder), options(options), tools(tools), progress(progress) {}

  /// Compares processes of `baseline`, the model without choices, with other
  /// processes of it, and sets the test to what that finds.
  llvm::Error calibrate(record::ModelServer &baseline);
  /// The A/A control, once calibrate() has measured it.
  const std::optional<tuning::Comparison> &getControl() const {
    return control;
  }
  /// The test of a candidate.
  const tuning::ComparisonOptions &getTest() const { return test; }
  /// The loss that a choice which is kept for its size alone may have: as small
  /// as a gain that does not count.
  double getSizeMargin() const { return test.minimumGain; }
  /// `how` as a test whether a candidate loses less than getSizeMargin(): its
  /// verdict is then Verdict::Faster.
  tuning::ComparisonOptions asSizeTest(tuning::ComparisonOptions how) const;
  /// Whether `measured` is faster by no more than two equal models differ; a
  /// control that says so is measured once more before it is believed.
  llvm::Expected<bool> isWithinControl(const tuning::Comparison &measured,
                                       record::ModelServer &baseline);
  /// The seconds of a round of the control, with the start of its processes.
  double getRoundSeconds() const;

  llvm::Expected<ServerStopwatch>
  makeStopwatch(record::ModelServer &before,
                record::ModelServer &candidate) const;
  /// Compares `after` with `before` for `requests`, in new processes: at most
  /// one of each for each round, and as many for kEnoughRounds rounds as start
  /// in half of the time that `how` has, and in `startSeconds`. `stopwatch` has
  /// a process of each with `requests`; `beforeSeconds` is as for
  /// compareInPeace. Where a process of `before` ends, the error is an
  /// IncumbentError.
  llvm::Expected<tuning::Comparison> compareInNewProcesses(
      ServerStopwatch stopwatch, const BuiltModel &before,
      const BuiltModel &after, llvm::ArrayRef<Arguments> requests,
      double beforeSeconds, tuning::ComparisonOptions how,
      double startSeconds = std::numeric_limits<double>::infinity()) const;
  /// The same for the requests of the search.
  llvm::Expected<tuning::Comparison>
  compare(const BuiltModel &before, const BuiltModel &after,
          double beforeSeconds, const tuning::ComparisonOptions &how,
          double startSeconds = std::numeric_limits<double>::infinity()) const;

private:
  llvm::Expected<tuning::Comparison>
  compareWithItself(record::ModelServer &baseline) const;

  const ModelBuilder &builder;
  const OptimizerOptions &options;
  const SearchTools &tools;
  const SearchProgress &progress;
  tuning::ComparisonOptions test;
  std::optional<tuning::Comparison> control;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_MODELCOMPARER_H
