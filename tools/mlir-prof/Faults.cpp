//===- Faults.cpp - Faults from outside of the tool -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "mlir-prof/Support/CrashGuard.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlirprof;

/// The tool's main process; its children are copies of it.
static pid_t mainProcess = 0;

/// Does not allocate, as memory may be exhausted.
static void print(std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    (void)!write(STDERR_FILENO, part, std::strlen(part));
}

/// Prints the parts of a message and ends this process.
[[noreturn]] static void end(std::initializer_list<const char *> parts) {
  print(parts);
  // Temporary files do not belong to children.
  if (getpid() == mainProcess)
    llvm::sys::RunInterruptHandlers();
  _exit(1);
}

//===----------------------------------------------------------------------===//
// Memory and threads
//===----------------------------------------------------------------------===//

/// " (ulimit -v: 1024 MiB)", or "".
static const char *describeLimit(char *text, size_t size) {
  rlimit limit;
  text[0] = 0;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    snprintf(text, size, " (ulimit -v: %llu MiB)",
             (unsigned long long)(limit.rlim_cur >> 20));
  return text;
}

/// In a pass, the pass fails: CrashRecoveryContext takes over.
static void onNoMemory() {
  if (llvm::CrashRecoveryContext::GetCurrent() || isGuarded())
    abort();
  char limit[64];
  end({"mlir-prof: error: out of memory", describeLimit(limit, sizeof limit),
       "\n  hint: Provide more memory, or less input.\n"});
}

static void onFatalError(void *, const char *reason, bool) {
  // The error about the crash of a pass follows.
  if (llvm::CrashRecoveryContext::GetCurrent())
    return print({"mlir-prof: note: ", reason, "\n"});
  char limit[64];
  if (std::strstr(reason, "thread"))
    end({"mlir-prof: error: a thread cannot be started: ", reason,
         "\n  hint: Allow more processes (ulimit -u, or pids.max of the "
         "cgroup) or more memory",
         describeLimit(limit, sizeof limit), ".\n"});
  end({"mlir-prof: error: ", reason, "\n"});
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

static void onQuit(int) {
  // Children receive the same signal: one message is enough.
  if (getpid() != mainProcess)
    _exit(1);
  end({"mlir-prof: error: ended by SIGQUIT before it was done\n"});
}

static void onProcessorLimit(int) {
  end({"mlir-prof: error: the limit on processor time is used up (ulimit -t)\n "
       " hint: Raise the limit, or reduce the work.\n"});
}

static void setHandler(int signal, void (*handler)(int)) {
  struct sigaction before, action = {};
  // A signal that the caller ignores (nohup) stays ignored.
  if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN)
    return;
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

void mlirprof::installFaultHandlers() {
  mainProcess = getpid();
  std::set_new_handler(onNoMemory);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { onNoMemory(); });
  installFatalErrorHandler(onFatalError);
  // The writer gets an error, and reports which file was not written.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  setHandler(SIGQUIT, onQuit);
  setHandler(SIGXCPU, onProcessorLimit);
}
