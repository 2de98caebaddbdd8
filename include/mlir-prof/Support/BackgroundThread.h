//===- BackgroundThread.h - Work on one more thread -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread that does one piece of work after the other.
///
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_BACKGROUNDTHREAD_H
#define MLIR_PROF_SUPPORT_BACKGROUNDTHREAD_H

#include "mlir-prof/Support/Workers.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace mlirprof {

/// Does pieces of work in the order in which they are added, on one thread of
/// its own. One thread at a time may add work or wait for it.
class BackgroundThread {
public:
  /// Stands for the work up to a piece.
  using Ticket = uint64_t;

  BackgroundThread() = default;
  BackgroundThread(const BackgroundThread &) = delete;
  BackgroundThread &operator=(const BackgroundThread &) = delete;
  /// Does all work that was added.
  ~BackgroundThread();

  /// Starts the thread for the first piece. If there can be none, the caller
  /// does the work.
  Ticket add(std::function<void()> work);
  /// Returns when the work up to `ticket` is done.
  void wait(Ticket ticket);
  /// Returns when all work is done.
  void wait() { wait(added); }
  /// Whether a piece of work crashed. The others are done nevertheless.
  bool hasCrashed();

private:
  void run();
  /// Does `work`, and notes if it crashes.
  void perform(const std::function<void()> &work);

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> queue;
  Ticket added = 0;
  Ticket done = 0;
  bool ends = false;
  bool crashed = false;
  Workers thread;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_BACKGROUNDTHREAD_H
