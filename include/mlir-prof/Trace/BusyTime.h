//===- BusyTime.h - Union of intervals, in total and per step ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRACE_BUSYTIME_H
#define MLIR_PROF_TRACE_BUSYTIME_H

#include "mlir-prof/Trace/Event.h"

#include <cstddef>
#include <limits>
#include <queue>
#include <vector>

namespace mlirprof::trace {

/// The time in which at least one interval is active: over the whole trace and
/// within windows (steps).
///
/// Intervals may arrive late, such as asynchronous work whose end is known only
/// when it completes. Intervals that can no longer change are folded into the
/// sum, so memory depends on the number of open intervals and windows. If too
/// many stay open, the oldest half is folded in anyway; a later interval that
/// reaches back before that point is cut, and the cut is counted.
class BusyTime {
public:
  /// Limit on the disjoint intervals held before old ones are folded in.
  static constexpr size_t kMaxOpen = 1 << 16;

  /// Adds a window and returns its index, from 0. It must not begin before a
  /// time that was given to settle().
  uint32_t addWindow(int64_t beginPs, int64_t endPs);

  /// Adds an interval; empty ones are ignored.
  void add(int64_t beginPs, int64_t endPs);

  /// Declares that no interval that begins before `untilPs` will follow. Cheap:
  /// works only when enough intervals have gathered.
  void settle(int64_t untilPs) {
    if (isDue())
      fold(untilPs);
  }
  /// Whether settle() would do anything.
  bool isDue() const { return open.size() - first >= kFoldAt; }

  /// Folds in everything; call once, at the end.
  void finish();

  int64_t getTotalPs() const { return totalPs; }
  /// Active time within window `window`, after finish().
  int64_t getWindowPs(uint32_t window) const { return windows[window]; }
  /// Number of cut intervals, and an upper bound on the time cut off.
  uint64_t getCut() const { return cut; }
  int64_t getCutPs() const { return cutPs; }

private:
  static constexpr size_t kFoldAt = 64;

  struct Interval {
    int64_t beginPs;
    int64_t endPs;
  };
  /// A begin or an end of a window that folding has not reached yet.
  struct Boundary {
    int64_t timePs;
    uint32_t window;
    bool isEnd;
    /// Earliest on top; a window's begin comes before its end.
    bool operator<(const Boundary &other) const {
      return timePs != other.timePs ? timePs > other.timePs
                                    : isEnd && !other.isEnd;
    }
  };

  void fold(int64_t untilPs);
  void foldFront();
  void passBoundaries(int64_t untilPs, int64_t activeFromPs);

  /// Disjoint and ascending; those before `first` are folded in.
  std::vector<Interval> open;
  size_t first = 0;
  int64_t foldedUntilPs = std::numeric_limits<int64_t>::min();
  int64_t latestBeginPs = std::numeric_limits<int64_t>::min();
  int64_t totalPs = 0;
  std::priority_queue<Boundary> boundaries;
  /// While a window is open, the negated total at its begin; then its active
  /// time.
  std::vector<int64_t> windows;
  uint64_t cut = 0;
  int64_t cutPs = 0;
};

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_BUSYTIME_H
