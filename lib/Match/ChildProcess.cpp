//===- ChildProcess.cpp - Trying what may crash in a child process --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"
#include "llvm/Support/Compiler.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;

static void setLimit(int resource, uint64_t value) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0)
    return;
  limit.rlim_cur =
      rlim_t(value) < limit.rlim_max ? rlim_t(value) : limit.rlim_max;
  setrlimit(resource, &limit);
}

bool mlirprof::survivesInChild(llvm::function_ref<void()> action,
                               uint64_t seconds, uint64_t bytes) {
  pid_t child = fork();
  if (child < 0)
    return true;
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
      dup2(null, STDOUT_FILENO);
      dup2(null, STDERR_FILENO);
    }
    setLimit(RLIMIT_CORE, 0);
    setLimit(RLIMIT_CPU, seconds);
    // Sanitizers reserve terabytes of addresses.
    if (!LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD)
      setLimit(RLIMIT_AS, bytes);
    // The parent's handlers would print a stack, or remove its files.
    for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGXCPU})
      std::signal(signal, SIG_DFL);
    action();
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return true;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
