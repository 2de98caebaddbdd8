//===- BusyTime.h - Union of intervals, in all and per step -----*- C++ -*-===//
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
/// Intervals may arrive late, as asynchronous work does whose end is known only
/// when it completes. Those that nothing can change any more are folded into
/// the sum, so memory follows the number of open intervals and of windows. When
/// too many stay open, the oldest half is folded in anyway; an interval that
/// would then still reach back is cut, and the cut is counted.
class BusyTime {
public:
  /// How many disjoint intervals are held before old ones are folded in.
  static constexpr size_t kMaxOpen = 1 << 16;

  /// Adds a window; index from 0. It must not begin before a time that was
  /// given to settle().
  uint32_t addWindow(int64_t beginPs, int64_t endPs);

  /// Adds an interval; empty ones are ignored.
  void add(int64_t beginPs, int64_t endPs);

  /// Says that nothing that begins before `untilPs` will follow. Cheap: works
  /// only when enough has gathered.
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
  /// How many intervals were cut, and by how much at most.
  uint64_t getCut() const { return cut; }
  int64_t getCutPs() const { return cutPs; }

private:
  static constexpr size_t kFoldAt = 64;

  struct Interval {
    int64_t beginPs;
    int64_t endPs;
  };
  /// A begin or an end of a window that the folding has not reached yet.
  struct Boundary {
    int64_t timePs;
    uint32_t window;
    bool isEnd;
    /// Earliest on top; a window's begin before its end.
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
  /// Total at the begin while open, negated; then the window's active time.
  std::vector<int64_t> windows;
  uint64_t cut = 0;
  int64_t cutPs = 0;
};

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_BUSYTIME_H
