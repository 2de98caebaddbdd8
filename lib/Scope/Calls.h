//===- Calls.h - Scopes with all of their parts --------------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_CALLS_H
#define MLIR_PROF_LIB_SCOPE_CALLS_H

#include "mlir-prof/Scope/Recording.h"

namespace mlirprof::scope {

/// A scope: all of its parts together.
struct Call {
  int64_t durationPs = 0;
  int64_t selfPs = 0;
  int64_t costPs = 0;
  int64_t selfCostPs = 0;
  int64_t endPs = 0;
  bool isOpen = false;
  bool isSelfBound = false;
};

/// The scopes of a recording by their first events.
class Calls {
public:
  explicit Calls(const Recording &recording);
  /// Whether `event` is the first one of a scope.
  bool isFirst(uint32_t event) const {
    return recording.events[event].first == event;
  }
  /// `event` is a first one.
  Call get(uint32_t event) const;

private:
  const Recording &recording;
  /// Empty if no scope was suspended.
  std::vector<Call> joined;
};

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_CALLS_H
