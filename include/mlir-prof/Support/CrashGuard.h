//===- CrashGuard.h - Coming back from crashes ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_CRASHGUARD_H
#define MLIR_PROF_SUPPORT_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <optional>
#include <string>

namespace mlirprof {

/// Runs `action`. When it crashes on this thread (a signal, an abort, a fatal
/// error of LLVM, a stack overflow), comes back and returns how: "SIGSEGV", or
/// LLVM's message.
///
/// Destructors of what was going on do not run: its memory leaks, and locks
/// that it held stay held. Whoever called must end, or not use again what
/// `action` worked on. Several threads may do so, and it nests. Crashes of
/// threads without a guard take their usual course.
std::optional<std::string> runGuarded(llvm::function_ref<void()> action);

/// Whether this thread is within runGuarded: handlers of exhausted memory must
/// abort then, which comes back.
bool isGuarded();

/// LLVM has one handler of fatal errors, and tells nobody which. Programs that
/// want one install it here: runGuarded gives it back.
void installFatalErrorHandler(llvm::fatal_error_handler_t handler);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_CRASHGUARD_H
