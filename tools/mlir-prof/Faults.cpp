//===- Faults.cpp - What ends the tool from outside -----------------------===//
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

/// The tool itself; its children are copies of it.
static pid_t mainProcess = 0;

/// Allocates nothing, as there may be no memory.
static void print(std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    (void)!write(STDERR_FILENO, part, std::strlen(part));
}

/// Prints the parts of a message and ends this process.
[[noreturn]] static void end(std::initializer_list<const char *> parts) {
  print(parts);
  // The temporary files are not a child's.
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

/// A pass that takes too much is one that fails: CrashRecoveryContext takes
/// over.
static void onNoMemory() {
  if (llvm::CrashRecoveryContext::GetCurrent() || isGuarded())
    abort();
  char limit[64];
  end({"mlir-prof: error: out of memory", describeLimit(limit, sizeof limit),
       "\n  hint: Give it more memory, or less to read.\n"});
}

static void onFatalError(void *, const char *reason, bool) {
  // The error that a pass has crashed follows.
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
  // Its children are asked to end as it is: one message is enough.
  if (getpid() != mainProcess)
    _exit(1);
  end({"mlir-prof: error: ended by SIGQUIT before it was done\n"});
}

static void onProcessorLimit(int) {
  end({"mlir-prof: error: the limit on processor time is used up (ulimit -t)\n"
       "  hint: Allow more, or give it less to do.\n"});
}

static void setHandler(int signal, void (*handler)(int)) {
  struct sigaction before, action = {};
  // What the caller ignores (nohup) stays so.
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
  // Who writes gets an error and says what was not written.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  setHandler(SIGQUIT, onQuit);
  setHandler(SIGXCPU, onProcessorLimit);
}
