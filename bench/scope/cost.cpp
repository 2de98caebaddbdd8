// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times batches of scopes, of what bounds them, and of peers, in turns. Prints
// JSON: nanoseconds of one iteration, by contestant and batch.
//
//   cost ROUNDS THREADS

#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/TimeProfiler.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

namespace {

constexpr int kIterations = 4000;

int64_t readNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t(1000000000) + now.tv_nsec;
}

inline uint64_t readTicks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return uint64_t(prof_rt_ticks());
#endif
}

/// The body of every loop: nothing, which no compiler removes.
inline void work() { asm volatile(""); }

__attribute__((noinline)) void runEmpty() {
  for (int i = 0; i < kIterations; ++i)
    work();
}

__attribute__((noinline)) void runTwoReads() {
  uint64_t sum = 0;
  for (int i = 0; i < kIterations; ++i) {
    sum += readTicks();
    work();
    sum += readTicks();
  }
  asm volatile("" ::"r"(sum));
}

__attribute__((noinline)) void runStatic() {
  for (int i = 0; i < kIterations; ++i) {
    PROF_SCOPE("static");
    work();
  }
}

prof_scope_site site = PROF_SCOPE_SITE("c", 7, 1, 0);

__attribute__((noinline)) void runC() {
  for (int i = 0; i < kIterations; ++i) {
    prof_scope_token token = prof_scope_begin(&site);
    work();
    prof_scope_end(token);
  }
}

const std::string names[] = {"op_0", "op_1",    "decoder/layers/3/attention",
                             "op_3", "conv_17", "a name on the heap, of 31 B",
                             "op_6", "op_7"};

__attribute__((noinline)) void runNames() {
  for (int i = 0; i < kIterations; ++i) {
    mlirprof::scope::Scope scope(names[i % 8]);
    work();
  }
}

__attribute__((noinline)) void runTimeTrace() {
  for (int i = 0; i < kIterations; ++i) {
    llvm::TimeTraceScope scope("static");
    work();
  }
}

constexpr uint64_t kRing = 65536;
/// Batches that fill a ring.
constexpr int kLap = kRing / kIterations + 1;

/// Starts a session around `run`.
template <void run()>
void record(uint32_t modes, uint64_t ring, std::vector<double> &times,
            void (*timed)(void (*)(), std::vector<double> &)) {
  prof_scope_options options = {};
  options.modes = modes;
  options.ring_records = ring;
  prof_scope_start(&options, nullptr);
  timed(run, times);
  prof_scope_stop(nullptr);
}

/// Batches that are timed together: as many as make memory grow several times,
/// where it grows.
int batches = 1;

void timeBatch(void (*run)(), std::vector<double> &times) {
  int64_t begin = readNs();
  for (int batch = 0; batch < batches; ++batch)
    run();
  times.push_back(double(readNs() - begin) / kIterations / batches);
}

/// Names and the pages of rings are made once.
void warmUp(void (*run)()) {
  for (int batch = 0; batch < kLap; ++batch)
    run();
}

int threadCount = 1;

/// The slowest of the threads, which begin together.
void timeThreads(void (*run)(), std::vector<double> &times) {
  if (threadCount == 1) {
    warmUp(run);
    return timeBatch(run, times);
  }
  std::vector<std::thread> threads;
  std::vector<std::vector<double>> each(threadCount);
  std::atomic<int> waiting{threadCount};
  for (int thread = 0; thread < threadCount; ++thread)
    threads.emplace_back([&, thread] {
      warmUp(run);
      --waiting;
      while (waiting)
        continue;
      timeBatch(run, each[thread]);
    });
  for (std::thread &thread : threads)
    thread.join();
  double slowest = 0;
  for (const std::vector<double> &of : each)
    slowest = std::max(slowest, of.front());
  times.push_back(slowest);
}

void runTimeTraceSession(std::vector<double> &times) {
  llvm::timeTraceProfilerInitialize(/*TimeTraceGranularity=*/0, "cost");
  // Entries of one thread only.
  timeBatch(runTimeTrace, times);
  llvm::timeTraceProfilerCleanup();
}

} // namespace

int main(int argc, char **argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
  threadCount = argc > 2 ? std::atoi(argv[2]) : 1;
  std::map<std::string, void (*)(std::vector<double> &)> contestants = {
      {"empty loop", [](auto &times) { timeThreads(runEmpty, times); }},
      {"two clock reads", [](auto &times) { timeThreads(runTwoReads, times); }},
      {"off", [](auto &times) { timeThreads(runStatic, times); }},
      {"on, ring",
       [](auto &times) { record<runStatic>(1, kRing, times, timeThreads); }},
      {"on, growing",
       [](auto &times) {
         batches = 4 * kLap;
         record<runStatic>(1, 0, times, timeThreads);
         batches = 1;
       }},
      {"C, ring",
       [](auto &times) { record<runC>(1, kRing, times, timeThreads); }},
      {"run-time name, ring",
       [](auto &times) { record<runNames>(1, kRing, times, timeThreads); }},
      {"statistics",
       [](auto &times) { record<runStatic>(2, kRing, times, timeThreads); }},
      {"events and statistics, ring",
       [](auto &times) { record<runStatic>(3, kRing, times, timeThreads); }},
      {"LLVM TimeTraceScope, off",
       [](auto &times) { timeBatch(runTimeTrace, times); }},
      {"LLVM TimeTraceScope", runTimeTraceSession},
  };
  std::vector<std::string> order;
  for (const auto &contestant : contestants)
    order.push_back(contestant.first);
  std::map<std::string, std::vector<double>> times;
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::string &name : order)
      contestants[name](times[name]);
  }
  const char *separator = "{";
  for (const auto &[name, of] : times) {
    std::printf("%s\"%s\": [", separator, name.c_str());
    for (size_t i = 0; i < of.size(); ++i)
      std::printf(i ? ", %.3f" : "%.3f", of[i]);
    std::printf("]");
    separator = ",\n";
  }
  std::printf("}\n");
  return 0;
}
