//===- SamplerTimer.cpp - Sampling by a timer for each thread -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampler.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

using namespace mlirprof;
using namespace mlirprof::record;

//===----------------------------------------------------------------------===//
// The signal handler
//===----------------------------------------------------------------------===//
//
// It may interrupt any instruction of any thread: in malloc, in the loader,
// with locks held. So it only calls clock_gettime and the accessors below,
// which read plain memory that was set up before the first timer:
//  - clock_gettime is async-signal-safe (POSIX; the vDSO takes no lock);
//  - atomics are lock-free for 64 bits;
//  - it keeps errno, allocates nothing, takes no lock, and writes only to the
//    buffer of its own thread, in pages that are mapped already (a first touch
//    is an ordinary page fault);
//  - it reads the stack of the thread it interrupted, upwards from the stack
//    pointer and not beyond the mapping that this lies in;
//  - SA_RESTART keeps it from failing system calls of the model's libraries.

namespace {
constexpr unsigned kMaxStacks = 4096;

/// Data for the handler.
struct HandlerState {
  SharedRun *run = nullptr;
  RawSample *samples[SharedRun::kMaxThreads] = {};
  uint32_t threads = 0;
  CurrentInstance current = nullptr;
  CodeMap map;
  /// Mappings that may be stacks, by address.
  AddressRange stacks[kMaxStacks];
  unsigned stackCount = 0;
};
} // namespace

static HandlerState state;
static_assert(std::atomic<uint64_t>::is_always_lock_free);

/// The first mapping that ends above `address`, or null.
static const AddressRange *findMapping(uint64_t address) {
  unsigned low = 0, high = state.stackCount;
  while (low != high) {
    unsigned middle = (low + high) / 2;
    if (state.stacks[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low == state.stackCount ? nullptr : &state.stacks[low];
}

/// Memory farther from a stack pointer does not belong to its stack: guard
/// pages and frames are smaller.
static constexpr uint64_t kNearStack = 1 << 20;

/// The words of the stack from `stack` to the end of its mapping; memory below
/// `readable` is left out, as whole pages.
static llvm::ArrayRef<uint64_t> getStackWords(uint64_t stack,
                                              uint64_t readable) {
  constexpr uint64_t kPage = 4096;
  uint64_t begin = stack;
  if (readable > stack)
    begin = (readable + kPage - 1) / kPage * kPage;
  const AddressRange *mapping = findMapping(begin);
  // A stack that has overflowed ends above its pointer.
  if (readable && mapping && mapping->begin > begin &&
      mapping->begin - begin < kNearStack)
    begin = mapping->begin;
  if (!mapping || !mapping->contains(begin) || begin % sizeof(uint64_t) != 0)
    return {};
  return {reinterpret_cast<const uint64_t *>(begin),
          (mapping->end - begin) / sizeof(uint64_t)};
}

// The stack contains memory that sanitizers have poisoned.
__attribute__((no_sanitize("address", "thread"))) StackFinding
record::findCaller(const ucontext_t &context, uint64_t readable) {
  ThreadRegisters registers = getRegisters(context);
  llvm::ArrayRef<uint64_t> words = getStackWords(registers.stack, readable);
  return scanStack(state.map, registers.link, words.data(), words.size());
}

bool record::isStackOverflow(const ucontext_t &context, uint64_t fault) {
  uint64_t stack = getRegisters(context).stack;
  const AddressRange *mapping = findMapping(stack);
  bool isAbove = mapping && mapping->contains(stack) && fault >= mapping->end;
  return !isAbove && fault + kNearStack > stack && fault < stack + kNearStack;
}

__attribute__((no_sanitize("address", "thread"))) static void
onTimer(int, siginfo_t *info, void *context) {
  int savedErrno = errno;
  uint32_t thread = uint32_t(info->si_value.sival_int);
  if (info->si_code == SI_TIMER && thread < state.threads) {
    ThreadSamples &own = state.run->threadSamples[thread];
    if (info->si_overrun > 0)
      own.overruns.fetch_add(uint64_t(info->si_overrun),
                             std::memory_order_relaxed);
    uint64_t index = own.count.load(std::memory_order_relaxed);
    if (index < SharedRun::kSamplesPerThread) {
      const auto &interrupted = *static_cast<const ucontext_t *>(context);
      timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      RawSample &sample = state.samples[thread][index];
      sample.timeNs = int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
      sample.address = getRegisters(interrupted).instruction;
      StackFinding finding;
      if (!state.map.text.contains(sample.address))
        finding = findCaller(interrupted);
      sample.caller = finding.caller;
      sample.viaRuntime = finding.viaRuntime;
      sample.instance = state.current ? state.current() : kNoInstance;
      // The parent may read while this thread dies: store the sample first.
      own.count.store(index + 1, std::memory_order_release);
    } else {
      own.lost.fetch_add(1, std::memory_order_relaxed);
    }
  }
  errno = savedErrno;
}

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

/// Splits a line of /proc/self/maps; false if it is malformed.
static bool parseMapping(llvm::StringRef line, AddressRange &range,
                         llvm::StringRef &flags) {
  llvm::StringRef rest;
  auto [addresses, tail] = line.split(' ');
  std::tie(flags, rest) = tail.split(' ');
  auto [begin, end] = addresses.split('-');
  return !begin.getAsInteger(16, range.begin) &&
         !end.getAsInteger(16, range.end);
}

void record::findRuntime(llvm::StringRef maps, CodeMap &map) {
  map.ranges = 0;
  for (llvm::StringRef line : llvm::split(maps, '\n')) {
    AddressRange range;
    llvm::StringRef flags;
    bool isRuntime = line.contains("/libomp") || line.contains("/libiomp") ||
                     line.contains("/libgomp");
    if (isRuntime && parseMapping(line, range, flags) && flags.contains('x') &&
        map.ranges != CodeMap::kMaxRanges)
      map.runtime[map.ranges++] = range;
  }
}

static void findStacks(llvm::StringRef maps) {
  // The main thread's stack may grow after this.
  uint64_t growth = 8 << 20;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    growth = std::max<uint64_t>(growth, limit.rlim_cur);
  state.stackCount = 0;
  for (llvm::StringRef line : llvm::split(maps, '\n')) {
    AddressRange range;
    llvm::StringRef flags;
    if (!parseMapping(line, range, flags) || !flags.starts_with("rw") ||
        state.stackCount == kMaxStacks)
      continue;
    if (line.ends_with("[stack]"))
      range.begin -= std::min(range.begin, growth);
    state.stacks[state.stackCount++] = range;
  }
}

llvm::Error record::prepareScan(const CodeMap &map) {
  auto maps = llvm::MemoryBuffer::getFileAsStream("/proc/self/maps");
  if (!maps)
    return inputError("/proc/self/maps", maps.getError().message());
  findStacks((*maps)->getBuffer());
  state.map = map;
  return llvm::Error::success();
}

std::vector<pid_t> record::getThreads() {
  std::vector<pid_t> threads = {getpid()};
  DIR *directory = opendir("/proc/self/task");
  if (!directory)
    return threads;
  while (const dirent *entry = readdir(directory)) {
    pid_t thread = 0;
    if (!llvm::StringRef(entry->d_name).getAsInteger(10, thread) &&
        thread != threads.front())
      threads.push_back(thread);
  }
  closedir(directory);
  std::sort(threads.begin() + 1, threads.end());
  return threads;
}

static std::vector<timer_t> timers;

static llvm::Error startTimer(uint32_t index, pid_t thread, int64_t periodNs,
                              int64_t delayNs) {
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event.sigev_value.sival_int = int(index);
  event.sigev_notify_thread_id = thread;
  timer_t timer;
  // Timers of a thread's processor time expire only at ticks of the kernel.
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
    return inputError("timer", std::strerror(errno),
                      "Try --sampler=perf, or --mode=instrument.");
  timers.push_back(timer);
  auto toTime = [](int64_t ns) {
    return timespec{time_t(ns / 1000000000), long(ns % 1000000000)};
  };
  itimerspec times = {toTime(periodNs), toTime(delayNs)};
  timer_settime(timer, 0, &times, nullptr);
  return llvm::Error::success();
}

llvm::Error record::startTimers(const SharedRunMapping &run,
                                llvm::ArrayRef<pid_t> threads, unsigned rate,
                                CurrentInstance current) {
  state.run = &*run;
  state.current = current;
  state.threads = std::min<uint32_t>(threads.size(), run.getMaxThreads());
  for (uint32_t i = 0; i != state.threads; ++i)
    state.samples[i] = run.samplesOf(i);
  struct sigaction action = {};
  action.sa_sigaction = onTimer;
  // On an alternate stack, if the thread has one: its own may be nearly full.
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  sigaction(SIGPROF, &action, nullptr);
  int64_t periodNs = std::max<int64_t>(1000000000 / std::max(rate, 1u), 1000);
  for (uint32_t i = 0; i != state.threads; ++i) {
    // Spread, so that threads do not interrupt one another at the same time.
    int64_t delayNs = periodNs * (i + 1) / state.threads;
    if (llvm::Error error = startTimer(i, threads[i], periodNs, delayNs)) {
      stopTimers();
      return error;
    }
  }
  return llvm::Error::success();
}

void record::stopTimers() {
  for (timer_t timer : timers)
    timer_delete(timer);
  timers.clear();
  // Pending signals do not find a thread.
  state.threads = 0;
}
