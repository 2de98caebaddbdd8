//===- CrashGuard.h - Coming back from a crash of MLIR -------------*- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_MATCH_CRASHGUARD_H
#define MLIRPROF_LIB_MATCH_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace mlirprof {

/// Runs `action`. When it crashes on this thread (a signal, an abort, a fatal
/// error of LLVM, a stack overflow), comes back and returns how: "SIGSEGV", or
/// LLVM's message.
///
/// Destructors of what was going on do not run: its memory leaks, and locks
/// that it held stay held. Whoever called must end, or not use again what
/// `action` worked on. Crashes of other threads take their usual course.
std::optional<std::string> runGuarded(llvm::function_ref<void()> action);

} // namespace mlirprof

#endif // MLIRPROF_LIB_MATCH_CRASHGUARD_H
