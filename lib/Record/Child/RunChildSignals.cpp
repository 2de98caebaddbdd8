//===- RunChildSignals.cpp - Signal handling in the child -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunChildSignals.h"
#include "../Sampling/Sampler.h"
#include "RunChild.h"
#include "RunProcess.h"
#ifdef MLIRPROF_HAS_RUNTIME
#include "mlir-prof/Runtime/prof_rt.h"
#endif

#include <sys/mman.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::record;

static SharedRun *run = nullptr;
static const RunFiles *runFiles = nullptr;
static std::atomic<bool> hasRuntimeData{false};

void record::enableRuntimeData() { hasRuntimeData = true; }

static void save(SharedRun &shared, const RunFiles &files) {
#ifdef MLIRPROF_HAS_RUNTIME
  if (!hasRuntimeData.exchange(false))
    return;
  size_t size = prof_rt_serialize(nullptr, 0);
  // Not by malloc, which may have crashed.
  void *buffer = mmap(nullptr, size + 1, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (buffer == MAP_FAILED)
    return;
  size_t written = prof_rt_serialize(buffer, size);
  // Other threads may still be counting: data that exceeds the buffer is lost.
  if (written <= size && files.raw.write(buffer, written))
    shared.hasRaw = true;
#endif
}

void record::saveRuntimeData(const SharedRunMapping &shared,
                             const RunFiles &files) {
  save(*shared, files);
}

//===----------------------------------------------------------------------===//
// The signal handlers
//===----------------------------------------------------------------------===//
//
// Both may interrupt any instruction, with any lock held, and may find damaged
// data. First they note the thread's place, without calling any function:
//  - findCaller reads the stack of the thread that was interrupted, within its
//    mapping, and atomics that are lock-free are written.
// Then they save the counts of the runtime of instrumented code, which may hang
// or crash, so that it comes last and with a time limit:
//  - signal, alarm, raise, _exit, write: async-signal-safe (POSIX);
//  - mmap: not on POSIX's list, but a bare system call in the C libraries here;
//  - prof_rt_serialize: allocates nothing and calls nothing of the C library
//    but clock_gettime. It waits for the locks of the runtime (spinning), which
//    a thread holds only while it links in memory for probes. When the thread
//    that crashed holds one of them, SIGALRM ends the process after two
//    seconds: samples and notes are in shared memory by then.
// A second crash in here ends the process at once (SA_RESETHAND).
//
// The main thread and those of OpenMP have an alternate stack for them, as
// their own may have overflowed. Threads that a library starts do not have one,
// as none of their code could set it up. If such a thread's stack overflows,
// the kernel ends the process: the exit names the signal, but not the place.

/// Notes the thread's place. Uses only plain memory, as the sampler's handler.
static void note(const ucontext_t &context, uint64_t readable = 0) {
  run->crashAddress = getRegisters(context).instruction;
  run->crashCaller = findCaller(context, readable).caller;
}

/// The runtime may hang in a lock that the crashed thread held: after two
/// seconds, SIGALRM ends the process.
static void saveWithin() {
  constexpr unsigned kSeconds = 2;
  std::signal(SIGALRM, SIG_DFL);
  alarm(kSeconds);
  save(*run, *runFiles);
  alarm(0);
}

static void onCrash(int signal, siginfo_t *info, void *context) {
  const auto &interrupted = *static_cast<const ucontext_t *>(context);
  if (!isForkedCopy()) {
    auto fault = reinterpret_cast<uint64_t>(info->si_addr);
    bool isOverflow = signal == SIGSEGV && isStackOverflow(interrupted, fault);
    run->isStackOverflow = isOverflow;
    // The stack ends above the address.
    note(interrupted, isOverflow ? fault + 1 : 0);
    saveWithin();
  }
  // SA_RESETHAND has restored the default action; the signal is delivered on
  // return.
  raise(signal);
}

static void onGiveUp(int, siginfo_t *, void *context) {
  if (!isForkedCopy()) {
    note(*static_cast<const ucontext_t *>(context));
    saveWithin();
  }
  _exit(0);
}

static void setHandler(int signal, void (*handler)(int, siginfo_t *, void *),
                       int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  sigemptyset(&action.sa_mask);
  // Samples must not interrupt it.
  sigaddset(&action.sa_mask, SIGPROF);
  sigaction(signal, &action, nullptr);
}

void record::installChildSignals(const SharedRunMapping &shared,
                                 const RunFiles &files) {
  run = &*shared;
  runFiles = &files;
  // The stack of a handler after the main thread's stack has overflowed.
  static char alternate[256 << 10];
  stack_t stack = {};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  sigaltstack(&stack, nullptr);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    setHandler(signal, onCrash, int(SA_RESETHAND));
  setHandler(kGiveUpSignal, onGiveUp, 0);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
    std::signal(signal, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}
