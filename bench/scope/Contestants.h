//===- Contestants.h - Programs that are timed in turns ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_BENCH_SCOPE_CONTESTANTS_H
#define MLIR_PROF_BENCH_SCOPE_CONTESTANTS_H

#include <cstdint>
#include <string>
#include <time.h>
#include <vector>

namespace bench {

/// Repetitions of one batch.
inline constexpr int kIterations = 4000;
/// Records of the rings.
inline constexpr uint64_t kRing = 65536;
/// Batches that fill a ring.
inline constexpr int kLap = kRing / kIterations + 1;

/// One way to name intervals. Functions that are null do nothing.
struct Contestant {
  const char *name = nullptr;
  /// One batch: kIterations times an interval around work().
  void (*run)() = nullptr;
  /// Before and after all threads, which are not timed.
  void (*start)() = nullptr;
  void (*stop)() = nullptr;
  /// The same in each thread.
  void (*startThread)() = nullptr;
  void (*stopThread)() = nullptr;
  /// Batches before those that are timed, and those.
  int warmUps = 1;
  int batches = 1;
  /// Intervals of one iteration.
  int intervals = 1;
  /// Whether two threads cannot take part.
  bool isAlone = false;
  /// Instead of `run`: nanoseconds of one interval, measured by itself.
  double (*measure)() = nullptr;
};

/// All of them, to which static objects of Entry add.
std::vector<Contestant> &getContestants();

struct Entry {
  explicit Entry(const Contestant &contestant) {
    getContestants().push_back(contestant);
  }
};

/// A file that contestants may write.
extern std::string scratchFile;

/// The body of every loop: nothing, which no compiler removes.
inline void work() { asm volatile(""); }

inline int64_t readNs(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * int64_t(1000000000) + now.tv_nsec;
}

/// The clock that scopes read.
inline uint64_t readTicks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return uint64_t(readNs());
#endif
}

} // namespace bench

#endif // MLIR_PROF_BENCH_SCOPE_CONTESTANTS_H
