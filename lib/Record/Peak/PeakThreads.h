//===- PeakThreads.h - Threads that work at the same time -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_PEAK_PEAKTHREADS_H
#define MLIR_PROF_LIB_RECORD_PEAK_PEAKTHREADS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace mlirprof::record {

/// Threads that begin a piece of work together, again and again. Between two
/// pieces they keep spinning: a new thread, or one that has slept, begins late,
/// and after other programs if such run. So a piece may be short enough to find
/// all processors free at once.
class PeakThreads {
public:
  using Work = llvm::function_ref<void(unsigned)>;

  /// The calling thread is one of `threads`.
  explicit PeakThreads(unsigned threads);
  ~PeakThreads();
  PeakThreads(const PeakThreads &) = delete;
  PeakThreads &operator=(const PeakThreads &) = delete;

  /// Calls `work` with 0 to threads - 1, each in its thread; returns the
  /// seconds from all being ready until the last has ended.
  double time(Work work);

private:
  void serve(unsigned thread);
  /// Waits until `counter` is at least `value`.
  static void await(const std::atomic<uint64_t> &counter, uint64_t value);

  std::vector<std::thread> others;
  /// The current piece; empty at the end.
  const Work *work = nullptr;
  uint64_t pieces = 0;
  /// Each on its own cache line, so that waiting for one does not slow the
  /// others.
  alignas(64) std::atomic<uint64_t> announced = 0;
  alignas(64) std::atomic<uint64_t> ready = 0;
  alignas(64) std::atomic<uint64_t> begun = 0;
  alignas(64) std::atomic<uint64_t> ended = 0;
};

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_PEAK_PEAKTHREADS_H
