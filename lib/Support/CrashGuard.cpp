//===- CrashGuard.cpp - Coming back from a crash of MLIR's ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::CrashRecoveryContext does not come back from a stack overflow, as its
// handlers run on the stack that is full, nor from fatal errors that exit.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/CrashGuard.h"
#include "MappedRanges.h"

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

using namespace mlirprof;

namespace {

/// What a crash of this thread goes back to.
struct Guard {
  sigjmp_buf place;
  /// Short: nothing may be allocated where a crash is told of.
  std::array<char, 512> reason = {};
  /// The guard around this one.
  Guard *outer = nullptr;
};

thread_local Guard *guard = nullptr;

constexpr std::array<int, 6> kSignals = {SIGSEGV, SIGABRT, SIGBUS,
                                         SIGILL,  SIGFPE,  SIGTRAP};
/// What the program installed.
llvm::fatal_error_handler_t ofProgram = nullptr;

/// What handled these signals before.
std::array<struct sigaction, kSignals.size()> before;

[[noreturn]] void comeBack(const char *reason) {
  Guard &here = *guard;
  guard = here.outer;
  std::strncpy(here.reason.data(), reason, here.reason.size() - 1);
  siglongjmp(here.place, 1);
}

const char *getName(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "SIGSEGV";
  case SIGABRT:
    return "SIGABRT";
  case SIGBUS:
    return "SIGBUS";
  case SIGILL:
    return "SIGILL";
  case SIGFPE:
    return "SIGFPE";
  default:
    return "SIGTRAP";
  }
}

void onSignal(int signal, siginfo_t *info, void *) {
  // A file that shrinks while it is read is no crash.
  if (signal == SIGBUS && coverMissingPages(*info))
    return;
  if (guard)
    comeBack(getName(signal));
  // Another thread's: as if nobody were on guard.
  for (size_t i = 0; i != kSignals.size(); ++i)
    if (kSignals[i] == signal)
      sigaction(signal, &before[i], nullptr);
  raise(signal);
}

void onFatalError(void *data, const char *reason, bool wantsDump) {
  if (guard)
    comeBack(reason);
  if (ofProgram)
    ofProgram(data, reason, wantsDump);
}

/// What allocating failed with before.
std::new_handler ofMemory = nullptr;

/// An exception would leave runGuarded where a program catches it.
void onNoMemory() {
  if (guard)
    comeBack("out of memory");
  if (ofMemory)
    return ofMemory();
  // Without a handler the exception is thrown.
  std::set_new_handler(nullptr);
}

/// Handlers of the process, while any guard lives, and a stack for them on this
/// thread.
class Handlers {
public:
  Handlers();
  ~Handlers();

private:
  static void install();
  static void restore();

  static std::mutex mutex;
  /// Guards that live, on all threads.
  static unsigned users;
  /// Of a handler that jumps at once.
  static constexpr size_t kStack = size_t(64) << 10;
  std::unique_ptr<char[]> stack;
  stack_t oldStack = {};
};

} // namespace

std::mutex Handlers::mutex;
unsigned Handlers::users = 0;

Handlers::Handlers() {
  sigaltstack(nullptr, &oldStack);
  if (oldStack.ss_flags & SS_DISABLE) {
    stack = std::make_unique<char[]>(kStack);
    stack_t own = {};
    own.ss_sp = stack.get();
    own.ss_size = kStack;
    sigaltstack(&own, nullptr);
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (users++ == 0)
    install();
}

Handlers::~Handlers() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (--users == 0)
      restore();
  }
  if (stack)
    sigaltstack(&oldStack, nullptr);
}

void Handlers::install() {
  struct sigaction action = {};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i != kSignals.size(); ++i)
    sigaction(kSignals[i], &action, &before[i]);
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(onFatalError);
  ofMemory = std::set_new_handler(onNoMemory);
}

void Handlers::restore() {
  std::set_new_handler(ofMemory);
  installFatalErrorHandler(ofProgram);
  for (size_t i = 0; i != kSignals.size(); ++i) {
    struct sigaction now;
    // One that came since, for mapped files, stays.
    if (sigaction(kSignals[i], nullptr, &now) == 0 &&
        (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == onSignal)
      sigaction(kSignals[i], &before[i], nullptr);
  }
}

bool mlirprof::isGuarded() { return guard != nullptr; }

void mlirprof::installFatalErrorHandler(llvm::fatal_error_handler_t handler) {
  ofProgram = handler;
  llvm::remove_fatal_error_handler();
  if (handler)
    llvm::install_fatal_error_handler(handler);
}

std::optional<std::string>
mlirprof::runGuarded(llvm::function_ref<void()> action) {
  Handlers handlers;
  Guard here;
  here.outer = guard;
  // With the signal mask, since a handler is left by the jump.
  if (sigsetjmp(here.place, 1) == 0) {
    guard = &here;
    action();
    guard = here.outer;
    return std::nullopt;
  }
  return std::string(here.reason.data());
}
