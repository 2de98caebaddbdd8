//===- RunShared.h - Memory shared by a run and its watcher -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNSHARED_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNSHARED_H

#include "mlir-prof/Record/Runner.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <atomic>
#include <cstdint>

namespace mlirprof::record {

/// The child's progress. Only increases.
enum class RunPhase : uint32_t {
  Loading,
  /// SharedRun::message has the reason why the model cannot run.
  Failed,
  WarmUp,
  Measuring,
  /// All measurements and results have been handed over.
  Done,
};

/// A sample as a signal handler stores it: addresses in the child.
struct RawSample {
  int64_t timeNs = 0;
  uint64_t address = 0;
  /// Return address into the model found on the stack, or 0.
  uint64_t caller = 0;
  /// Whether a frame of OpenMP's runtime lies between them.
  bool viaRuntime = false;
  bool inKernel = false;
  /// As CurrentInstance gives it.
  uint32_t instance = kNoInstance;
};

/// Samples of one thread. Only that thread writes them.
struct ThreadSamples {
  int32_t tid = 0;
  /// Number of samples written, and of those that did not fit.
  std::atomic<uint64_t> count{0};
  std::atomic<uint64_t> lost{0};
  /// Timer expirations before the last signal was handled.
  std::atomic<uint64_t> overruns{0};
};

/// The child's messages to the parent; they survive the child. Both sides check
/// what they read: a model may write anywhere.
struct SharedRun {
  static constexpr uint32_t kMaxThreads = 1024;
  static constexpr uint64_t kMaxIterations = kMaxIterationTimes;
  static constexpr uint64_t kSamplesPerThread = 1 << 20;
  static constexpr size_t kMessageBytes = 2048;

  /// Set by the parent: end after the current iteration.
  std::atomic<bool> stop{false};
  std::atomic<RunPhase> phase{RunPhase::Loading};
  std::atomic<uint64_t> iterations{0};
  /// Threads with samples; their numbers are in threadSamples.
  std::atomic<uint32_t> threads{0};
  uint64_t textBegin = 0;
  int64_t beginEpochNs = 0;
  int64_t beginNs = 0;
  /// Begin and end of the warm-up; 0 if the child did not get that far.
  std::atomic<int64_t> warmUpNs{0};
  std::atomic<int64_t> warmUpEndNs{0};
  /// After the last iteration; 0 if the child did not get that far.
  std::atomic<int64_t> endNs{0};
  std::atomic<uint64_t> pageFaults{0};
  /// Page faults of the first iteration among these.
  std::atomic<uint64_t> firstPageFaults{0};
  /// The most bytes that a measured call had allocated at once.
  std::atomic<uint64_t> bufferBytes{0};

  /// For a crash: the instruction, and the return address into the model if
  /// that lies in a library.
  std::atomic<uint64_t> crashAddress{0};
  std::atomic<uint64_t> crashCaller{0};
  std::atomic<bool> isStackOverflow{false};
  /// Set when the files are complete.
  std::atomic<bool> hasValues{false};
  std::atomic<bool> hasRaw{false};
  /// Whether the run was stopped before the call whose results are kept.
  std::atomic<bool> missesResultCall{false};
  char message[kMessageBytes] = {};

  ThreadSamples threadSamples[kMaxThreads];
  int64_t iterationNs[kMaxIterations];
  int64_t iterationBeginNs[kMaxIterations];

  void setMessage(const char *text);
  std::string getMessage() const;
};

/// Owns the mapping of a SharedRun and, after it, of the samples of each
/// thread. Its pages are allocated when first written.
class SharedRunMapping {
public:
  /// Has space for the samples of `threads` threads.
  static llvm::Expected<SharedRunMapping> create(uint32_t threads);
  SharedRunMapping(SharedRunMapping &&other)
      : run(other.run), maxThreads(other.maxThreads) {
    other.run = nullptr;
  }
  SharedRunMapping &operator=(SharedRunMapping &&) = delete;
  ~SharedRunMapping();

  SharedRun &operator*() const { return *run; }
  SharedRun *operator->() const { return run; }
  uint32_t getMaxThreads() const { return maxThreads; }
  /// SharedRun::kSamplesPerThread samples.
  RawSample *samplesOf(uint32_t thread) const {
    return reinterpret_cast<RawSample *>(run + 1) +
           uint64_t(thread) * SharedRun::kSamplesPerThread;
  }

private:
  SharedRunMapping(SharedRun *run, uint32_t maxThreads)
      : run(run), maxThreads(maxThreads) {}
  static size_t getSize(uint32_t threads) {
    return sizeof(SharedRun) +
           threads * SharedRun::kSamplesPerThread * sizeof(RawSample);
  }

  SharedRun *run;
  uint32_t maxThreads;
};

/// A file without a name, for bulk data of the child.
class SharedFile {
public:
  static llvm::Expected<SharedFile> create(const char *purpose);
  SharedFile(SharedFile &&other) : descriptor(other.descriptor) {
    other.descriptor = -1;
  }
  SharedFile &operator=(SharedFile &&) = delete;
  ~SharedFile();

  /// Appends; whether the data fit.
  bool write(const void *bytes, size_t size) const;
  /// Replaces what was written before. If this process ends in the middle of
  /// it, at least the shorter of the two remains.
  bool overwrite(llvm::StringRef bytes) const;
  bool overwrite(llvm::function_ref<void(llvm::raw_ostream &)> write) const;
  /// Everything that was written.
  std::string read() const;
  /// The same, from the begin of a page on.
  std::unique_ptr<llvm::MemoryBuffer> readPages() const;
  int get() const { return descriptor; }

private:
  explicit SharedFile(int descriptor) : descriptor(descriptor) {}
  size_t getSize() const;
  /// Reads from the begin; the number of bytes that the file has of those.
  size_t readInto(llvm::MutableArrayRef<char> bytes) const;

  int descriptor;
};

/// The files of one run.
struct RunFiles {
  /// Results, then arguments (RunValues.h).
  SharedFile values;
  /// Lines of /proc/self/maps, then "symbol ADDRESS NAME" for each binding of
  /// the model.
  SharedFile addresses;
  /// The serialized data of the runtime of instrumented code.
  SharedFile raw;
  /// The scopes of the process, as prof_scope_copy makes them.
  SharedFile scopes;

  static llvm::Expected<RunFiles> create();
};

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNSHARED_H
