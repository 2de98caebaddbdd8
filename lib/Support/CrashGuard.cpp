//===- CrashGuard.cpp - Recovering from crashes ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::CrashRecoveryContext does not recover from a stack overflow, as its
// handlers run on the full stack, nor from fatal errors that exit.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/CrashGuard.h"
#include "MappedRanges.h"

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <memory>
#include <new>

using namespace mlirprof;

namespace {

/// The point to which a crash of this thread returns.
struct Guard {
  sigjmp_buf place;
  /// Has a fixed size: a crash handler must not allocate.
  std::array<char, 512> reason = {};
  /// The guard around this one.
  Guard *outer = nullptr;
};

thread_local Guard *guard = nullptr;

constexpr std::array<int, 6> kSignals = {SIGSEGV, SIGABRT, SIGBUS,
                                         SIGILL,  SIGFPE,  SIGTRAP};
/// The program's handler.
llvm::fatal_error_handler_t ofProgram = nullptr;

/// The previous handlers of these signals.
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
  // A file that shrinks while being read is not a crash.
  if (signal == SIGBUS && coverMissingPages(*info))
    return;
  if (guard)
    comeBack(getName(signal));
  // The crash is on another thread: act as if there were no guard.
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

/// The previous handler of failed allocations.
std::new_handler ofMemory = nullptr;

/// An exception would leave runGuarded if the program catches it.
void onNoMemory() {
  if (guard)
    comeBack("out of memory");
  if (ofMemory)
    return ofMemory();
  // Without a handler an exception is thrown.
  std::set_new_handler(nullptr);
}

void installHandlers() {
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

void restoreHandlers() {
  std::set_new_handler(ofMemory);
  installFatalErrorHandler(ofProgram);
  for (size_t i = 0; i != kSignals.size(); ++i) {
    struct sigaction now;
    // A handler for mapped files installed since then stays.
    if (sigaction(kSignals[i], nullptr, &now) == 0 &&
        (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == onSignal)
      sigaction(kSignals[i], &before[i], nullptr);
  }
}

/// A stack for handlers on this thread, unless it has one.
class HandlerStack {
public:
  HandlerStack();
  ~HandlerStack();

private:
  /// Enough for a handler that jumps immediately.
  static constexpr size_t kBytes = size_t(64) << 10;
  std::unique_ptr<char[]> stack;
  stack_t oldStack = {};
};

/// Has the handlers of the process while any guard exists.
struct Handlers {
  HandlerStack stack;
  ProcessSwitch<installHandlers, restoreHandlers> handlers;
};

} // namespace

HandlerStack::HandlerStack() {
  sigaltstack(nullptr, &oldStack);
  if (!(oldStack.ss_flags & SS_DISABLE))
    return;
  stack = std::make_unique<char[]>(kBytes);
  stack_t own = {};
  own.ss_sp = stack.get();
  own.ss_size = kBytes;
  sigaltstack(&own, nullptr);
}

HandlerStack::~HandlerStack() {
  if (stack)
    sigaltstack(&oldStack, nullptr);
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
  // Saves the signal mask, since the jump leaves a handler.
  if (sigsetjmp(here.place, 1) == 0) {
    guard = &here;
    action();
    guard = here.outer;
    return std::nullopt;
  }
  return std::string(here.reason.data());
}
