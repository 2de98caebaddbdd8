//===- TryInChild.h - Trying risky actions in a child -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_TRYINCHILD_H
#define MLIR_PROF_LIB_MODULE_TRYINCHILD_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace mlirprof::module {

/// The outcome of an action in a child process.
enum class ChildOutcome : uint8_t {
  /// It finished.
  Safe,
  /// It called confirm().
  Confirmed,
  /// It crashed, or gave up.
  Crashed,
  /// It exceeded its time limit.
  Limit,
  /// It could not be tried, or its outcome is unknown.
  Unknown,
};

struct ChildLimits {
  uint64_t processorSeconds = 10;
  /// An action that waits does not use processor time.
  uint64_t wallSeconds = 30;
  /// Address space, unless a sanitizer needs it.
  uint64_t bytes = uint64_t(1) << 34;
};

/// Runs `action` in a copy of this process, silently and within `limits`, and
/// returns the outcome. Its changes to memory are lost. The copy has only the
/// calling thread: `action` must not need another one, nor a lock that another
/// one may hold at the time. Once `action` calls report(), this process does
/// `beside`, if it is set, next to the rest of `action`.
ChildOutcome tryInChild(llvm::function_ref<void()> action,
                        const ChildLimits &limits,
                        llvm::function_ref<void()> beside = nullptr);

/// Tells the parent of the child that the part of the action that it waits for
/// has succeeded.
void report();

/// Ends the child, as what it tried has succeeded.
[[noreturn]] void confirm();

} // namespace mlirprof::module

#endif // MLIR_PROF_LIB_MODULE_TRYINCHILD_H
