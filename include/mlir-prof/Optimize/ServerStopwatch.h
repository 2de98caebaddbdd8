//===- ServerStopwatch.h - Times of models that are served ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_SERVERSTOPWATCH_H
#define MLIR_PROF_OPTIMIZE_SERVERSTOPWATCH_H

#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Tuning/Comparison.h"

namespace mlirprof::record {
class ModelServer;
} // namespace mlirprof::record

namespace mlirprof::optimize {

/// Measures two variants of a model, each in its own process. A measurement is
/// the mean time of an iteration, over as many iterations as take about the
/// time that is wanted, and the same number for both: all requests equally
/// often. Before it the variant takes its caches back from the other one, by a
/// fifth as many iterations, unless one takes longer than caches matter.
class ServerStopwatch : public tuning::Stopwatch {
public:
  /// Shorter than what a system lets a process run for (about 3 ms): where
  /// others wait for the processor, a longer one would be interrupted.
  static constexpr double kSeconds = 1e-3;

  /// Runs both for some multiples of `seconds`, the time wanted for one
  /// measurement of the faster one, to see how many iterations that are; so few
  /// that the slower one takes at most ten times as long. Both must have the
  /// same number of requests, and outlive this. For the noise of the machine,
  /// `candidate` may be another server of the same model, or the same server.
  static llvm::Expected<ServerStopwatch>
  create(record::ModelServer &incumbent, record::ModelServer &candidate,
         double seconds = kSeconds, TimeSource clock = getMonotonicSeconds);

  llvm::Expected<double> measure(tuning::Variant variant) override;
  double now() override { return clock(); }

  /// `server`, which outlives this, is `variant` from now on: with the same
  /// requests.
  void setServer(tuning::Variant variant, record::ModelServer &server) {
    (variant == tuning::Variant::Incumbent ? incumbent : candidate) = &server;
  }

  /// The iterations of one measurement.
  uint64_t getIterations() const { return iterations; }

private:
  ServerStopwatch(record::ModelServer &incumbent,
                  record::ModelServer &candidate, uint64_t iterations,
                  uint64_t warmUp, TimeSource clock)
      : incumbent(&incumbent), candidate(&candidate), iterations(iterations),
        warmUp(warmUp), clock(std::move(clock)) {}

  record::ModelServer *incumbent;
  record::ModelServer *candidate;
  uint64_t iterations;
  uint64_t warmUp;
  TimeSource clock;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_SERVERSTOPWATCH_H
