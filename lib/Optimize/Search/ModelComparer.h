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

namespace mlirprof::optimize {

/// A choice that is kept for its size alone may cost this much of the time.
inline constexpr double kEqual = 0.01;

/// Whether the incumbent took so much longer than the `incumbentSeconds` that
/// it had taken that something else was at work: the comparison then tells how
/// the two stand that, and not which is faster.
bool isDisturbed(const tuning::Comparison &comparison, double incumbentSeconds);

/// compare(), up to three times as long as it is disturbed.
llvm::Expected<tuning::Comparison>
compareInPeace(tuning::Stopwatch &stopwatch, tuning::ComparisonOptions test,
               double incumbentSeconds);

/// `measured`, or an InterruptedError where its verdict says that the user
/// stopped it.
llvm::Expected<tuning::Comparison>
unlessInterrupted(llvm::Expected<tuning::Comparison> measured);

/// Compares builds of a model, by a test that a comparison of the model with
/// itself (the A/A control) has set to the noise of the machine.
class ModelComparer {
public:
  /// All of them outlive this.
  ModelComparer(const ModelBuilder &builder, const OptimizerOptions &options,
                const SearchTools &tools, const SearchProgress &progress)
      : builder(builder), options(options), tools(tools), progress(progress) {}

  /// Compares `baseline`, the model without choices, with another process of
  /// it, and sets the test to what that finds.
  llvm::Error calibrate(record::ModelServer &baseline);
  /// The A/A control, once calibrate() has measured it.
  const std::optional<tuning::Comparison> &getControl() const {
    return control;
  }
  /// The test of a candidate.
  const tuning::ComparisonOptions &getTest() const { return test; }
  /// Whether `measured` is faster by no more than two equal models differ; a
  /// control that says so is measured once more before it is believed.
  llvm::Expected<bool> isWithinControl(const tuning::Comparison &measured,
                                       record::ModelServer &baseline);

  llvm::Expected<ServerStopwatch>
  makeStopwatch(record::ModelServer &before,
                record::ModelServer &candidate) const;
  /// Compares `after`, which has `choices`, with `before`, the model without
  /// choices, for `requests`, in new processes: as many as `how` has the time
  /// for, and at most one for each round. `stopwatch` has a process of each
  /// with `requests`; `beforeSeconds` is as for compareInPeace.
  llvm::Expected<tuning::Comparison>
  compareInNewProcesses(ServerStopwatch stopwatch, record::ModelServer &before,
                        record::ModelServer &after, const ChoiceMap &choices,
                        llvm::ArrayRef<Arguments> requests,
                        double beforeSeconds,
                        tuning::ComparisonOptions how) const;

private:
  llvm::Expected<tuning::Comparison>
  compareWithAnother(record::ModelServer &baseline) const;

  const ModelBuilder &builder;
  const OptimizerOptions &options;
  const SearchTools &tools;
  const SearchProgress &progress;
  tuning::ComparisonOptions test;
  std::optional<tuning::Comparison> control;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_MODELCOMPARER_H
