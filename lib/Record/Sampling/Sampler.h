//===- Sampler.h - Sampling the place of threads ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SAMPLING_SAMPLER_H
#define MLIR_PROF_LIB_RECORD_SAMPLING_SAMPLER_H

#include "../Child/RunShared.h"
#include "StackScan.h"
#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <optional>
#include <sys/types.h>

namespace mlirprof::record {

/// Stores the ranges of libomp in lines of /proc/self/maps in `map`.
void findRuntime(llvm::StringRef maps, CodeMap &map);
/// Kernel numbers of this process's threads, the main thread first.
std::vector<pid_t> getThreads();

/// In the child: prepares findCaller, and with it the handlers that use it.
llvm::Error prepareScan(const CodeMap &map);
/// The caller in the model of the thread that `context` (a ucontext_t)
/// interrupted, as the handler of startTimers finds it. Memory below `readable`
/// is not read; 0: all of the stack is readable. Safe in signal handlers.
StackFinding findCaller(const ucontext_t &context, uint64_t readable = 0);
/// Whether `fault`, accessed by the thread that `context` interrupted, lies
/// beyond the end of its stack. Safe in signal handlers.
bool isStackOverflow(const ucontext_t &context, uint64_t fault);

/// In the child, after prepareScan: creates a timer for each of `threads`
/// (threads of this process) that samples it `rate` times per second, into the
/// run's samples. `current` tells the dispatch of a thread; it may be null.
llvm::Error startTimers(const SharedRunMapping &run,
                        llvm::ArrayRef<pid_t> threads, unsigned rate,
                        CurrentInstance current);
/// After it, samples are not taken any more.
void stopTimers();

/// Fails if perf_event does not accept so many samples per second.
llvm::Error checkPerfRate(unsigned rate);
/// Whether perf_event may sample the kernel here, `rate` times per second.
bool canSampleKernel(unsigned rate);

/// Reads the records of perf_event of one thread, into the run's samples.
class PerfReader {
public:
  PerfReader(const SharedRunMapping &run, const CodeMap &map, uint32_t thread,
             int64_t periodNs)
      : run(run), map(map), thread(thread), periodNs(periodNs) {}

  /// Reads a record of the kernel without its header.
  void read(uint32_t type, bool inKernel, llvm::ArrayRef<uint8_t> bytes);
  /// No record comes after this time.
  void finish(int64_t timeNs);

private:
  void addSample(bool inKernel, llvm::ArrayRef<uint64_t> words);
  void resume(int64_t timeNs);

  const SharedRunMapping &run;
  const CodeMap &map;
  uint32_t thread;
  int64_t periodNs;
  /// Time at which the kernel stopped sampling, as it does under overload.
  std::optional<int64_t> throttledSince;
};

/// In the parent: perf_event for the threads of a child.
class PerfSampler {
public:
  static llvm::Expected<std::unique_ptr<PerfSampler>>
  create(const SharedRunMapping &run, const CodeMap &map,
         llvm::ArrayRef<pid_t> threads, unsigned rate);
  ~PerfSampler();

  void start();
  void stop();
  /// Takes the samples from the kernel's buffers.
  void drain();

private:
  struct Ring {
    PerfReader reader;
    int descriptor;
    char *memory;
    size_t bytes;
  };

  PerfSampler(const SharedRunMapping &run, const CodeMap &map)
      : run(run), map(map) {}
  llvm::Error open(uint32_t thread, pid_t tid, unsigned rate);
  void drain(Ring &ring);

  const SharedRunMapping &run;
  CodeMap map;
  std::vector<Ring> rings;
  std::vector<uint8_t> record;
};

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SAMPLING_SAMPLER_H
