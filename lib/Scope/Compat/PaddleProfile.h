//===- PaddleProfile.h - Profiles of Paddle's first generation --*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_PADDLEPROFILE_H
#define MLIR_PROF_LIB_SCOPE_PADDLEPROFILE_H

#include "mlir-prof/Scope/Recording.h"

namespace mlirprof::scope {

/// The scopes of `recording` that have ended, as the message that Paddle's
/// first profiler writes: nanoseconds since the epoch, names with those of the
/// scopes around them.
std::string writePaddleProfile(const Recording &recording);

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_PADDLEPROFILE_H
