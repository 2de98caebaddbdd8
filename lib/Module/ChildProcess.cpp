//===- ChildProcess.cpp - Trying what may crash in a child process --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"
#include "llvm/Support/Compiler.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::module;

static void setLimit(int resource, uint64_t value) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0)
    return;
  limit.rlim_cur =
      rlim_t(value) < limit.rlim_max ? rlim_t(value) : limit.rlim_max;
  setrlimit(resource, &limit);
}

/// Prepares the child: silent, limited, without handlers of the parent.
static void confine(const ChildLimits &limits) {
  int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_CPU, limits.processorSeconds);
  // Sanitizers reserve terabytes of addresses.
  if (!LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD)
    setLimit(RLIMIT_AS, limits.bytes);
  // An exception could be caught where the parent goes on.
  std::set_new_handler([] { abort(); });
  // The parent's handlers would print a stack, or remove its files.
  sigset_t deadly;
  sigemptyset(&deadly);
  for (int signal :
       {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGXCPU, SIGALRM}) {
    std::signal(signal, SIG_DFL);
    sigaddset(&deadly, signal);
  }
  sigprocmask(SIG_UNBLOCK, &deadly, nullptr);
  constexpr uint64_t kDay = 86400;
  alarm(unsigned(std::clamp<uint64_t>(limits.wallSeconds, 1, kDay)));
}

static ChildOutcome toOutcome(int status) {
  if (WIFEXITED(status))
    return WEXITSTATUS(status) == 0 ? ChildOutcome::Safe
                                    : ChildOutcome::Crashed;
  if (!WIFSIGNALED(status))
    return ChildOutcome::Unknown;
  switch (WTERMSIG(status)) {
  case SIGALRM:
  case SIGXCPU:
  case SIGKILL: // The hard limit of processor time, or no memory is left.
    return ChildOutcome::Limit;
  case SIGINT:
  case SIGTERM:
  case SIGHUP:
    return ChildOutcome::Unknown;
  default:
    return ChildOutcome::Crashed;
  }
}

ChildOutcome module::runInChild(llvm::function_ref<void()> action,
                                const ChildLimits &limits) {
  pid_t child = fork();
  if (child < 0)
    return ChildOutcome::Unknown;
  if (child == 0) {
    confine(limits);
    action();
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return ChildOutcome::Unknown;
  return toOutcome(status);
}
