//===- Workers.h - Threads that may be missing ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_WORKERS_H
#define MLIR_PROF_SUPPORT_WORKERS_H

#include <deque>
#include <functional>
#include <pthread.h>

namespace mlirprof {

/// Threads for work that the caller does itself if the system does not allow
/// them; std::thread would end the process.
class Workers {
public:
  Workers() = default;
  Workers(const Workers &) = delete;
  Workers &operator=(const Workers &) = delete;
  /// Joins.
  ~Workers() { join(); }

  /// Runs `work` on another thread; false, without running it, if none can be
  /// started.
  bool start(std::function<void()> work);
  /// Waits for all threads.
  void join();
  bool empty() const { return workers.empty(); }

private:
  struct Worker {
    pthread_t thread = {};
    std::function<void()> work;
  };
  /// Addresses in it do not change.
  std::deque<Worker> workers;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_WORKERS_H
