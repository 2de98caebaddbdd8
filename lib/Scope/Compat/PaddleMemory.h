//===- PaddleMemory.h - Memory events of Paddle's interface -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_PADDLEMEMORY_H
#define MLIR_PROF_LIB_SCOPE_PADDLEMEMORY_H

#include "mlir-prof/Scope/Recording.h"

namespace mlirprof::scope {

/// Forgets the memory events that were kept.
void clearPaddleMemory();
/// Moves the memory events that were kept to `recording`, below the innermost
/// scopes of their threads.
void takePaddleMemory(Recording &recording);

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_PADDLEMEMORY_H
