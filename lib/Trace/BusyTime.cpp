//===- BusyTime.cpp - Union of intervals, in total and per step -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Trace/BusyTime.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::trace;

uint32_t BusyTime::addWindow(int64_t beginPs, int64_t endPs) {
  uint32_t window = uint32_t(windows.size());
  windows.push_back(0);
  boundaries.push({beginPs, window, /*isEnd=*/false});
  boundaries.push({std::max(beginPs, endPs), window, /*isEnd=*/true});
  return window;
}

void BusyTime::add(int64_t beginPs, int64_t endPs) {
  latestBeginPs = std::max(latestBeginPs, beginPs);
  if (beginPs < foldedUntilPs && endPs > beginPs) {
    // Only possible after a forced fold.
    int64_t keptFrom = std::min(foldedUntilPs, endPs);
    ++cut;
    cutPs = saturatingAdd(cutPs, saturatingSub(keptFrom, beginPs));
    beginPs = keptFrom;
  }
  if (endPs <= beginPs)
    return;
  // Nearly always the interval touches or follows the last one.
  if (open.size() > first) {
    Interval &last = open.back();
    if (last.beginPs <= beginPs && last.endPs >= beginPs) {
      last.endPs = std::max(last.endPs, endPs);
      return;
    }
    if (last.endPs < beginPs && open.size() - first < kMaxOpen) {
      open.push_back({beginPs, endPs});
      return;
    }
  }
  // Otherwise find the open intervals that it touches, and merge it with them.
  auto low = open.begin() + first;
  auto from = open.end();
  if (from != low && std::prev(from)->endPs >= beginPs)
    from = std::lower_bound(low, open.end(), beginPs,
                            [](const Interval &interval, int64_t time) {
                              return interval.endPs < time;
                            });
  auto to = from;
  for (; to != open.end() && to->beginPs <= endPs; ++to) {
    beginPs = std::min(beginPs, to->beginPs);
    endPs = std::max(endPs, to->endPs);
  }
  // If it does not touch any, insert it, and fold the oldest half if too many
  // are open.
  if (from == to) {
    open.insert(from, {beginPs, endPs});
    if (open.size() - first > kMaxOpen)
      for (size_t half = kMaxOpen / 2;
           half-- && open[first].endPs <= latestBeginPs;)
        foldFront();
    return;
  }
  *from = {beginPs, endPs};
  open.erase(std::next(from), to);
}

void BusyTime::passBoundaries(int64_t untilPs, int64_t activeFromPs) {
  while (!boundaries.empty() && boundaries.top().timePs <= untilPs) {
    Boundary boundary = boundaries.top();
    boundaries.pop();
    int64_t at = totalPs;
    if (boundary.timePs > activeFromPs)
      at = saturatingAdd(at, saturatingSub(boundary.timePs, activeFromPs));
    int64_t &window = windows[boundary.window];
    window = boundary.isEnd ? saturatingAdd(at, window) : -at;
  }
}

void BusyTime::foldFront() {
  Interval interval = open[first++];
  passBoundaries(interval.endPs, interval.beginPs);
  totalPs =
      saturatingAdd(totalPs, saturatingSub(interval.endPs, interval.beginPs));
  foldedUntilPs = interval.endPs;
  if (first > open.size() / 2) {
    open.erase(open.begin(), open.begin() + first);
    first = 0;
  }
}

void BusyTime::fold(int64_t untilPs) {
  while (first < open.size() && open[first].endPs <= untilPs)
    foldFront();
}

void BusyTime::finish() {
  fold(std::numeric_limits<int64_t>::max());
  passBoundaries(std::numeric_limits<int64_t>::max(),
                 std::numeric_limits<int64_t>::max());
}
