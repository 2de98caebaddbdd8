//===- CrashGuard.h - Recovering from crashes -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_CRASHGUARD_H
#define MLIR_PROF_SUPPORT_CRASHGUARD_H

#include "mlir-prof/Support/ProcessSwitch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <optional>
#include <string>

namespace mlirprof {

/// Runs `action`. If it crashes on this thread (a signal, an abort, a fatal
/// error of LLVM, a stack overflow), recovers and returns the cause: "SIGSEGV",
/// or LLVM's message.
///
/// Destructors of interrupted functions do not run: their memory leaks, and
/// locks that they held stay held. The caller must end, or not use again the
/// data on which `action` worked. Guards may nest, and run on several threads.
/// Crashes of threads without a guard take their usual course.
std::optional<std::string> runGuarded(llvm::function_ref<void()> action);

/// Whether this thread is within runGuarded: handlers of exhausted memory must
/// then abort, which recovers.
bool isGuarded();

/// While one exists, llvm::CrashRecoveryContext recovers from crashes.
using CrashRecovery = ProcessSwitch<llvm::CrashRecoveryContext::Enable,
                                    llvm::CrashRecoveryContext::Disable>;

/// LLVM has a single handler of fatal errors, which cannot be queried. Programs
/// with a handler install it here: runGuarded restores it.
void installFatalErrorHandler(llvm::fatal_error_handler_t handler);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_CRASHGUARD_H
