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
/// the mean time of an iteration. Its number of iterations takes about the
/// requested time and is the same for both variants; all requests run equally
/// often. Before it, the variant fills the caches again by a fifth as many
/// iterations, unless an iteration takes so long that caches do not matter.
class ServerStopwatch : public tuning::Stopwatch {
public:
  /// Shorter than a time slice of the system (about 3 ms): if other processes
  /// wait for the processor, a longer measurement would be interrupted.
  static constexpr double kSeconds = 1e-3;

  /// Runs both for some multiples of `seconds`, the requested time of one
  /// measurement of the faster one, to determine the number of iterations, such
  /// that the slower one takes at most ten times as long. Both must have the
  /// same number of requests, and outlive this. To measure the noise of the
  /// machine, `candidate` may be another server of the same model, or the same
  /// server.
  static llvm::Expected<ServerStopwatch>
  create(record::ModelServer &incumbent, record::ModelServer &candidate,
         double seconds = kSeconds, TimeSource clock = getMonotonicSeconds);

  llvm::Expected<double> measure(tuning::Variant variant) override;
  double now() override { return clock(); }

  /// Replaces `variant` by `server`, which must outlive this and have the same
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
