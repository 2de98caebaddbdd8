//===- ReadScopes.h - Recordings in tests -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_SCOPE_READSCOPES_H
#define MLIR_PROF_UNITTESTS_SCOPE_READSCOPES_H

#include "mlir-prof/Runtime/prof_scope.h"
#include "mlir-prof/Scope/Recording.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <string_view>

namespace mlirprof::scope {

/// Nanoseconds of the simulated clock, which tests advance.
extern std::atomic<int64_t> simulatedNs;

/// Replaces the clock while it lives, and stops what was not stopped.
class SimulatedClock {
public:
  SimulatedClock();
  ~SimulatedClock();
};

/// The bytes of prof_scope_copy().
std::vector<char> copyScopes();

/// Reads it; an error fails the test.
Recording readScopes(const std::vector<char> &bytes, const Window &window = {});
inline Recording readScopes() { return readScopes(copyScopes()); }

/// Reads a file; an error fails the test.
Recording readScopeFile(const std::string &path);

/// The events of scopes called `name`.
std::vector<ScopeEvent> findEvents(const Recording &recording,
                                   std::string_view name);
/// The only one.
ScopeEvent findEvent(const Recording &recording, std::string_view name);
/// The name of the scope around it, or "".
std::string getParent(const Recording &recording, const ScopeEvent &event);

uint64_t getLoss(const Recording &recording, std::string_view name);

/// A path in a folder for temporary files, which nothing else uses.
std::string makePath(std::string_view name);

/// Starts a session that writes the file `path`, in rings of `ring` records if
/// that is not 0; the result of prof_scope_start().
int startRecording(const std::string &path, uint64_t ring = 0);

/// The status of a child that does `work`, which tells whether all is well; one
/// that hangs is ended by a signal.
int runChild(const std::function<bool()> &work);

} // namespace mlirprof::scope

#endif // MLIR_PROF_UNITTESTS_SCOPE_READSCOPES_H
