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

/// A process of the incumbent ended, which says nothing of the candidate.
class IncumbentError : public llvm::ErrorInfo<IncumbentError> {
public:
  static char ID;

  explicit IncumbentError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message;
};

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

  /// Begins with the processes of `stopwatch`. `start` replaces both before the
  /// first round, and after every `rounds` rounds, which are at least 1.
  /// Processes are replaced between rounds only. If no new process can be
  /// started, the old one is used. The error of a process of the incumbent is
  /// an IncumbentError.
  RestartingStopwatch(ServerStopwatch stopwatch, Start start, unsigned rounds)
      : stopwatch(std::move(stopwatch)), start(std::move(start)),
        rounds(rounds) {}

  void beginRound() override;
  llvm::Expected<double> measure(tuning::Variant variant) override;
  double now() override { return stopwatch.now(); }

private:
  struct Process {
    std::unique_ptr<record::ModelServer> server;
    /// It is to be replaced before it measures.
    bool isDue = true;
  };

  llvm::Error restart(tuning::Variant variant, Process &process);
  llvm::Expected<double> measureIn(tuning::Variant variant, Process &process);

  ServerStopwatch stopwatch;
  Start start;
  unsigned rounds, begun = 0;
  Process incumbent, candidate;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_RESTARTINGSTOPWATCH_H
