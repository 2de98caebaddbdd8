//===- TryInChild.h - Trying what may crash in a child ----------*- C++ -*-===//
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

/// How an action in a child process ended.
enum class ChildOutcome : uint8_t {
  /// It came to its end.
  Safe,
  /// It crashed, or gave up.
  Crashed,
  /// It ran out of its time.
  Limit,
  /// It could not be tried, or nobody knows how it ended.
  Unknown,
};

struct ChildLimits {
  uint64_t processorSeconds = 10;
  /// An action that waits for something uses no processor time.
  uint64_t wallSeconds = 30;
  /// Addresses, where no sanitizer needs them.
  uint64_t bytes = uint64_t(1) << 34;
};

/// Runs `action` in a copy of this process, silently and within `limits`, and
/// says how it ended. What it does to memory is lost. The copy has the calling
/// thread only: `action` must not need another one, nor a lock that another one
/// may hold at the time.
ChildOutcome tryInChild(llvm::function_ref<void()> action,
                        const ChildLimits &limits);

} // namespace mlirprof::module

#endif // MLIR_PROF_LIB_MODULE_TRYINCHILD_H
