//===- InnermostEvents.h - Innermost events of a track ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRACE_INNERMOSTEVENTS_H
#define MLIR_PROF_TRACE_INNERMOSTEVENTS_H

#include "mlir-prof/Trace/Event.h"

#include <cstddef>
#include <deque>
#include <map>
#include <vector>

namespace mlirprof::trace {

/// The innermost event of one track at every moment since the last call of
/// forget(). If two events overlap partially, the later one is innermost until
/// it ends.
class InnermostEvents {
public:
  /// Limit on the changes of the innermost event that are held; older ones are
  /// forgotten.
  static constexpr size_t kMaxHeld = 1 << 16;

  /// Adds the next event of the track, in order of (begin, -end).
  void add(const Event &event);
  /// Forgets everything before `timePs`.
  void forget(int64_t timePs);
  /// Adds to `times`, by name, the time in [beginPs, endPs) in which an event
  /// of that name was innermost; kNone if there was none, or it is forgotten.
  /// No event that begins before `endPs` may follow.
  void addTimes(int64_t beginPs, int64_t endPs,
                std::map<uint32_t, int64_t> &times);

private:
  struct Open {
    int64_t endPs;
    uint32_t name;
  };
  /// From `beginPs` on, `name` is innermost.
  struct Change {
    int64_t beginPs;
    uint32_t name;
  };

  void closeUntil(int64_t timePs);
  void change(int64_t timePs);

  std::vector<Open> open;
  std::deque<Change> changes;
};

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_INNERMOSTEVENTS_H
