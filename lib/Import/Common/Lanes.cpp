//===- Lanes.cpp - Merging events of several timelines --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// The next event of a lane.
struct Cursor {
  /// Begin of the event.
  int64_t beginPs;
  const LaneEvent *at;
  const LaneEvent *end;
  uint32_t track;
  uint32_t lane;

  bool isBefore(const Cursor &other) const {
    if (LLVM_LIKELY(beginPs != other.beginPs))
      return beginPs < other.beginPs;
    if (at->endPs != other.at->endPs)
      return at->endPs > other.at->endPs;
    return lane < other.lane;
  }
};

/// A binary heap with the earliest event on top. The top is replaced far more
/// often than removed, which std::priority_queue cannot do in one step.
class Merge {
public:
  explicit Merge(std::vector<Lane> &lanes) {
    for (auto [index, lane] : llvm::enumerate(lanes)) {
      if (!lane.isSorted && !llvm::is_sorted(lane.events, importer::isBefore))
        llvm::stable_sort(lane.events, importer::isBefore);
      if (!lane.events.empty())
        heap.push_back({lane.events.front().beginPs, lane.events.data(),
                        lane.events.data() + lane.events.size(), lane.track,
                        uint32_t(index)});
    }
    for (size_t i = heap.size() / 2; i--;)
      siftDown(i);
  }

  void emit(ProfileBuilder &builder) {
    Event event;
    while (!heap.empty()) {
      Cursor &first = heap.front();
      event.track = first.track;
      event.name = first.at->name;
      event.op = first.at->op;
      event.beginPs = first.at->beginPs;
      event.endPs = first.at->endPs;
      builder.event(event);
      if (++first.at != first.end) {
        first.beginPs = first.at->beginPs;
      } else {
        first = heap.back();
        heap.pop_back();
      }
      siftDown(0);
    }
  }

private:
  void siftDown(size_t hole) {
    if (hole >= heap.size())
      return;
    Cursor moved = heap[hole];
    for (size_t child; (child = 2 * hole + 1) < heap.size(); hole = child) {
      if (child + 1 < heap.size() && heap[child + 1].isBefore(heap[child]))
        ++child;
      if (!heap[child].isBefore(moved))
        break;
      heap[hole] = heap[child];
    }
    heap[hole] = moved;
  }

  std::vector<Cursor> heap;
};

} // namespace

void importer::emitLanes(std::vector<Lane> &lanes, ProfileBuilder &builder) {
  Merge(lanes).emit(builder);
}
