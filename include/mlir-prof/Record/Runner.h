//===- Runner.h - Running a model and watching it ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_RUNNER_H
#define MLIR_PROF_RECORD_RUNNER_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Support/HostTensor.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlirprof::scope {
struct Recording;
} // namespace mlirprof::scope

namespace mlirprof::record {

/// Tells the work of the current thread in an executor of dispatches: the
/// number of the dispatch whose kernel it runs (an index into
/// Program::instances), or one of the codes below. The sampler's signal handler
/// calls it on the interrupted thread, so it must be async-signal-safe, such as
/// one load of a variable of the thread.
using CurrentInstance = uint32_t (*)();
/// It does not run for an executor: the sampled place says what it does.
inline constexpr uint32_t kNoInstance = trace::kNone;
/// It waits, spinning or asleep, until there is work or others are ready.
inline constexpr uint32_t kAwaiting = kNoInstance - 1;
/// It looks for work, its own or that of other threads.
inline constexpr uint32_t kStealing = kNoInstance - 2;
/// The executor starts or ends a dispatch.
inline constexpr uint32_t kInExecutor = kNoInstance - 3;

enum class SamplerKind : uint8_t {
  None,
  /// perf_event if it may sample the kernel and there is no
  /// RunOptions::currentInstance, which it cannot ask; else timers.
  Automatic,
  /// A POSIX timer for each thread.
  Timer,
  PerfEvent,
};

/// The arrays that the child returns after the last iteration.
enum class KeptValues : uint8_t {
  /// The results; the arguments only for a model without results, which can
  /// only write to them.
  Outputs,
  OutputsAndArguments,
};

/// Files for `perf report`, see PerfMap.h.
enum class PerfSupport : uint8_t { None, Map, JitDump };

struct RunOptions {
  /// Stops after this many iterations, or when `seconds` have passed; 0 means
  /// no limit. At least one iteration runs.
  uint64_t iterations = 0;
  double seconds = 2;
  /// Iterations before measuring, at least one for each request. 0: none, so
  /// that the first measured iterations are cold, and start the threads.
  uint64_t warmUp = 3;
  /// The call of a model with variables whose results are returned, counted
  /// from the first one after a reset, which is 1. These calls follow the
  /// measured ones.
  uint64_t resultCall = 1;
  /// For a model with variables: resets them before each call whose number is a
  /// multiple of this; 0: before the first only.
  uint64_t resetEvery = 0;
  unsigned threads = 1;
  SamplerKind sampler = SamplerKind::Automatic;
  /// Tells the dispatch of each sample; null if the model's code serves one
  /// each. It must be valid in the child, a copy of this process.
  CurrentInstance currentInstance = nullptr;
  /// Samples per second on each thread.
  unsigned rate = 1000;
  /// Wall seconds until the child is stopped; 0 for no limit.
  double timeout = 0;
  /// Seconds that an iteration may still take after the user's interrupt.
  double interruptGrace = 5;
  /// Bytes of address space that the child may add; 0 for no limit.
  uint64_t memory = 0;
  KeptValues keep = KeptValues::Outputs;
  /// Record the scopes of the model's process, with one of each call.
  bool scopes = false;
  /// Files for perf that the child writes.
  PerfSupport perf = PerfSupport::None;
  /// Folder of a jitdump; empty: the working directory.
  std::string perfFolder;
};

/// The place of a thread at a sample.
enum class SampleClass : uint8_t {
  /// In the model's code.
  Work,
  /// In code that the model called.
  Library,
  /// In the kernel (a page fault) on behalf of the model's code at `address`.
  Kernel,
  /// Waiting in the runtime of OpenMP, or in an executor, for work or for other
  /// threads.
  Wait,
  /// None of these: the harness, the loader.
  Outside,
  /// In an executor: looking for work of other threads.
  Steal,
  /// In an executor: choosing, starting or ending a dispatch.
  Executor,
};
/// Whether an op has the time.
inline bool isOfOp(SampleClass sampleClass) {
  return sampleClass == SampleClass::Work ||
         sampleClass == SampleClass::Library ||
         sampleClass == SampleClass::Kernel;
}

inline constexpr uint64_t kNoAddress = ~uint64_t(0);

struct Sample {
  int64_t timeNs = 0;
  uint32_t thread = 0;
  SampleClass sampleClass = SampleClass::Outside;
  /// Work, Kernel: offset in the model's text section. Library: offset of the
  /// call. Wait: offset of the call into the runtime; for a worker, of the main
  /// thread's nearest sample. Else kNoAddress.
  uint64_t address = kNoAddress;
  /// Library, and those that no op has: index into RunResult::symbols, else
  /// kNone.
  uint32_t symbol = trace::kNone;
  /// Work, Library, Kernel: the dispatch that ran it, or kNone.
  uint32_t instance = trace::kNone;
};

enum class ExitKind : uint8_t {
  Finished,
  Timeout,
  /// By a signal that it caused (a crash, an abort).
  Signal,
  /// It called exit, or ran out of memory.
  Exited,
  /// The user pressed Ctrl-C, or this process received a signal to stop.
  Interrupted,
};

/// A part of a recording, "warm-up"; times are on the clock of
/// RunResult::beginNs.
struct RunPart {
  std::string name;
  int64_t beginNs = 0;
  int64_t endNs = 0;
};

inline constexpr uint64_t kMaxIterationTimes = 1 << 20;

struct RunResult {
  ExitKind exit = ExitKind::Finished;
  /// "killed by SIGSEGV in iteration 3 at main+0x1a4", for messages.
  std::string exitReason;
  /// Wall times of the first kMaxIterationTimes iterations, in order;
  /// `iterations` counts all of them.
  std::vector<int64_t> iterationNs;
  /// The begin of each of them, on the clock of `beginNs`.
  std::vector<int64_t> iterationBeginNs;
  uint64_t iterations = 0;
  /// CLOCK_REALTIME at the begin of the first iteration, then monotonic.
  int64_t beginEpochNs = 0;
  int64_t beginNs = 0;
  /// In order: "load", "warm-up" and "measured", as far as the run got.
  std::vector<RunPart> parts;
  std::vector<Sample> samples;
  /// Samples that did not fit the buffer, or came too late after the previous
  /// one.
  uint64_t samplesLost = 0;
  int64_t samplePeriodNs = 0;
  SamplerKind sampler = SamplerKind::None;
  /// "libm.so.6:expf".
  std::vector<std::string> symbols;
  std::vector<std::string> threads;
  /// Results of the last iteration. Empty if the child did not finish.
  std::vector<HostTensor> results;
  /// Arguments after that iteration, as the model may write to them; see
  /// RunOptions::keep.
  std::vector<HostTensor> arguments;
  /// The runtime's data (prof_rt_write): empty without instrumentation.
  std::string raw;
  /// Page faults of all iterations, and of the first, in which a cold run
  /// touches its pages.
  uint64_t pageFaults = 0;
  uint64_t firstPageFaults = 0;
  /// The most bytes that the buffers of a call took at once, its results
  /// included.
  uint64_t bufferBytes = 0;
  /// The scopes of the model's process, if they were requested.
  std::shared_ptr<const scope::Recording> scopes;
  std::vector<Loss> losses;
};

/// Loads `model` in a child process and runs it on `requests` in turn:
/// iteration i gets requests[i % requests.size()] (there is at least one; they
/// may differ in dynamic dimensions). Returns an error if the model cannot run
/// at all; its own failures are in RunResult::exit, with the measurements until
/// then.
llvm::Expected<RunResult> runModel(const compile::CompiledModel &model,
                                   llvm::ArrayRef<Arguments> requests,
                                   const RunOptions &options);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_RUNNER_H
