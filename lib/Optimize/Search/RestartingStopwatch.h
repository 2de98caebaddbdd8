//===- RestartingStopwatch.h - Times of builds in new processes -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_RESTARTINGSTOPWATCH_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_RESTARTINGSTOPWATCH_H

#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Record/ModelServer.h"

#include <functional>

namespace mlirprof::optimize {

/// Measures as a ServerStopwatch does, in processes that change. Where the
/// pages of a process happen to lie makes it faster or slower by some percent
/// as long as it lives, and one that was found to be fast is so for that
/// reason, too: no number of rounds with the same two processes tells these
/// apart from what the code gains.
class RestartingStopwatch : public tuning::Stopwatch {
public:
  using Start =
      std::function<llvm::Expected<std::unique_ptr<record::ModelServer>>(
          tuning::Variant variant)>;

  /// Begins with the processes of `stopwatch`, each of which is replaced by one
  /// that `start` gives after `measurements`, at least 1; the first ones at
  /// once. Where none can be had, it goes on with what there is.
  RestartingStopwatch(ServerStopwatch stopwatch, Start start,
                      unsigned measurements)
      : stopwatch(std::move(stopwatch)), start(std::move(start)),
        measurements(measurements) {}

  llvm::Expected<double> measure(tuning::Variant variant) override;
  double now() override { return stopwatch.now(); }

private:
  struct Process {
    std::unique_ptr<record::ModelServer> server;
    unsigned measured = 0;
  };

  llvm::Error restart(tuning::Variant variant, Process &process);

  ServerStopwatch stopwatch;
  Start start;
  unsigned measurements;
  Process incumbent, candidate;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_RESTARTINGSTOPWATCH_H
