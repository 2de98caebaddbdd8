//===- TryInChild.cpp - Trying risky actions in a child -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TryInChild.h"
#include "mlir-prof/Support/Process.h"
#include "llvm/Support/Compiler.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::module;

/// Prepares the child: silent, limited, without handlers of the parent.
static void confine(const ChildLimits &limits) {
  int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  limitResource(RLIMIT_CORE, 0);
  limitResource(RLIMIT_CPU, limits.processorSeconds);
  // Sanitizers reserve terabytes of addresses.
  if (!LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD)
    limitResource(RLIMIT_AS, limits.bytes);
  // An exception could be caught and would continue the parent's code.
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

/// In a child, its end of the socket.
static int parentSocket = -1;

void module::report() {
  char sign = 1;
  (void)send(parentSocket, &sign, sizeof sign, MSG_NOSIGNAL);
}

/// Whether the child reports before it ends.
static bool reports(const Process &child) {
  char sign;
  ssize_t count;
  do
    count = recv(child.getSocket(), &sign, sizeof sign, 0);
  while (count < 0 && errno == EINTR);
  return count == sizeof sign;
}

/// An exit code that no library uses.
static constexpr int kConfirmed = 117;

void module::confirm() { _exit(kConfirmed); }

static ChildOutcome toOutcome(const ExitStatus &status) {
  if (std::optional<int> code = status.getCode())
    return *code == 0            ? ChildOutcome::Safe
           : *code == kConfirmed ? ChildOutcome::Confirmed
                                 : ChildOutcome::Crashed;
  switch (status.getSignal().value_or(SIGTERM)) {
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

ChildOutcome module::tryInChild(llvm::function_ref<void()> action,
                                const ChildLimits &limits,
                                llvm::function_ref<void()> beside) {
  // In its parent's group: an interrupt reaches both.
  auto child = Process::start("a child process", ProcessGroup::OfParent,
                              [&](int socket) {
                                parentSocket = socket;
                                confine(limits);
                                action();
                                _exit(0);
                              });
  if (!child) {
    llvm::consumeError(child.takeError());
    return ChildOutcome::Unknown;
  }
  if (beside && reports(*child))
    beside();
  std::optional<ExitStatus> status = child->wait();
  return status ? toOutcome(*status) : ChildOutcome::Unknown;
}
