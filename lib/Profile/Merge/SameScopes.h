//===- SameScopes.h - Recordings of the same scopes -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_MERGE_SAMESCOPES_H
#define MLIR_PROF_LIB_PROFILE_MERGE_SAMESCOPES_H

#include "mlir-prof/Scope/Recording.h"

#include <tuple>

namespace mlirprof::profile {

/// The process and the first reading of the clock: one session, of which there
/// may be copies of several moments and parts, whose bytes differ.
using SessionKey = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, int64_t>;

/// The session of a recording, or nothing if it was made by another program.
std::optional<SessionKey> getSession(const scope::Recording &recording);

enum class Containment : uint8_t {
  /// They do not share a scope.
  Apart,
  /// All scopes of the first one are in the second one.
  Inside,
  /// They share some scopes, and each may have others.
  Overlapping,
};

/// Compares the scopes of two recordings of one session.
Containment compareScopes(const scope::Recording &a, const scope::Recording &b);

} // namespace mlirprof::profile

#endif // MLIR_PROF_LIB_PROFILE_MERGE_SAMESCOPES_H
