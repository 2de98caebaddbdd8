//===- LaneFinder.h - Events that nest --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_TIMELINE_LANEFINDER_H
#define MLIR_PROF_LIB_EXPORT_TIMELINE_LANEFINDER_H

#include <cstdint>
#include <limits>
#include <queue>
#include <set>
#include <vector>

namespace mlirprof::exporter {

/// Distributes the events of one track over lanes, so that the events of a lane
/// nest.
class LaneFinder {
public:
  /// The lane of an event: the one with the innermost open event that contains
  /// it, else an idle one, else a new one. Call in order of (begin, -end).
  /// O(log n) each, n being the number of open events.
  uint32_t place(int64_t beginPs, int64_t endPs) {
    for (; !ends.empty() && ends.top().first <= beginPs; ends.pop())
      close(ends.top().second);
    auto found = byEnd.lower_bound({endPs, 0});
    uint32_t lane = uint32_t(open.size());
    if (found == byEnd.end()) {
      open.emplace_back();
    } else {
      lane = found->second;
      byEnd.erase(found);
    }
    open[lane].push_back(endPs);
    byEnd.insert({endPs, lane});
    ends.push({endPs, lane});
    return lane;
  }

  /// The number of lanes.
  size_t size() const { return open.size(); }

private:
  int64_t getEnd(uint32_t lane) const {
    return open[lane].empty() ? std::numeric_limits<int64_t>::max()
                              : open[lane].back();
  }
  void close(uint32_t lane) {
    byEnd.erase({getEnd(lane), lane});
    open[lane].pop_back();
    byEnd.insert({getEnd(lane), lane});
  }

  using End = std::pair<int64_t, uint32_t>;
  /// Ends of the open events of each lane, outermost first.
  std::vector<std::vector<int64_t>> open;
  /// The end of the innermost open event of each lane, and the lane.
  std::set<End> byEnd;
  std::priority_queue<End, std::vector<End>, std::greater<End>> ends;
};

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_TIMELINE_LANEFINDER_H
