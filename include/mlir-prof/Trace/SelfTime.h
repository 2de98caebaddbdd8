//===- SelfTime.h - Time of events without their children -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRACE_SELFTIME_H
#define MLIR_PROF_TRACE_SELFTIME_H

#include "mlir-prof/Trace/Event.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compiler.h"

#include <algorithm>
#include <vector>

namespace mlirprof {

/// Nests the events of each track and computes what is left of an event without
/// the events in it.
///
/// Events arrive by (begin, -end). Those that end before the new one begins are
/// closed; then those that end before the new one ends, which overlap it only
/// partially, are closed too and counted; the event left on top is the parent.
/// Self time is the duration without the direct children; op self time of a
/// measured op is the duration without the nearest measured ops below it, so
/// that what the runtime does on behalf of the op stays inside.
///
/// A track of regions holds what overlaps the other events of a thread
/// partially, but is nested with its measured ops: a region in an op is not the
/// op's, and is itself without the ops in it.
class SelfTime {
public:
  /// Makes `regions` the track of regions of the track `ops`. Call before the
  /// first event of either.
  void setRegions(uint32_t regions, uint32_t ops) {
    reserveTrack(std::max(regions, ops));
    tracks[regions].beside = ops;
    tracks[regions].areRegions = true;
    tracks[ops].beside = regions;
  }

  struct Closed {
    /// What the caller gave to open().
    uint32_t tag = 0;
    uint32_t op = kNone;
    int64_t durationPs = 0;
    int64_t selfPs = 0;
    /// Only for events with an op.
    int64_t opSelfPs = 0;
  };

  /// Takes the next event, after calling `onClosed(Closed)` for each event of
  /// its track that ends by this. `tag` comes back with the closed event.
  template <typename OnClosed>
  void open(const Event &event, uint32_t tag, OnClosed &&onClosed) {
    reserveTrack(event.track);
    TrackState &track = tracks[event.track];
    std::vector<Entry> &stack = track.stack;
    while (!stack.empty() && stack.back().endPs <= event.beginPs)
      close(track, onClosed);
    while (!stack.empty() && stack.back().endPs < event.endPs) {
      close(track, onClosed);
      ++track.partialOverlaps;
    }
    int64_t duration = saturatingSub(event.endPs, event.beginPs);
    uint32_t nearestOp = kNone;
    if (!stack.empty()) {
      Entry &parent = stack.back();
      parent.childrenPs = saturatingAdd(parent.childrenPs, duration);
      nearestOp = parent.nearestOp;
    }
    if (event.op != kNone || track.areRegions) {
      Entry *around = nearestOp == kNone ? nullptr : &stack[nearestOp];
      if (LLVM_UNLIKELY(track.beside != kNone))
        around = getInner(around, findAround(event, tracks[track.beside]));
      if (around)
        around->opChildrenPs = saturatingAdd(around->opChildrenPs, duration);
      nearestOp = uint32_t(stack.size());
    }
    stack.push_back(
        {event.endPs, duration, 0, 0, opened++, nearestOp, tag, event.op});
  }

  /// Closes all events that are still open.
  template <typename OnClosed>
  void finish(OnClosed &&onClosed) {
    for (TrackState &track : tracks)
      while (!track.stack.empty())
        close(track, onClosed);
  }

  /// Events of `track` so far that ended within another one that began later.
  uint64_t getPartialOverlaps(uint32_t track) const {
    return track < tracks.size() ? tracks[track].partialOverlaps : 0;
  }

private:
  struct Entry {
    int64_t endPs;
    int64_t durationPs;
    int64_t childrenPs;
    int64_t opChildrenPs;
    /// How many events were opened before, on all tracks.
    uint64_t order;
    /// Position on the stack of the innermost op or region, this one included.
    uint32_t nearestOp;
    uint32_t tag;
    uint32_t op;
  };
  struct TrackState {
    std::vector<Entry> stack;
    uint64_t partialOverlaps = 0;
    /// The track of its regions, or of its ops; or kNone.
    uint32_t beside = kNone;
    bool areRegions = false;
  };

  void reserveTrack(uint32_t track) {
    if (track >= tracks.size())
      tracks.resize(size_t(track) + 1);
  }

  /// The innermost op or region of `track` that is around all of `event`.
  static Entry *findAround(const Event &event, TrackState &track) {
    for (Entry &entry : llvm::reverse(track.stack))
      if (entry.endPs >= event.endPs && entry.endPs > event.beginPs)
        return entry.nearestOp == kNone ? nullptr
                                        : &track.stack[entry.nearestOp];
    return nullptr;
  }

  static Entry *getInner(Entry *a, Entry *b) {
    return !a || (b && b->order > a->order) ? b : a;
  }

  template <typename OnClosed>
  static void close(TrackState &track, OnClosed &&onClosed) {
    std::vector<Entry> &stack = track.stack;
    const Entry &entry = stack.back();
    Closed closed;
    closed.tag = entry.tag;
    closed.op = entry.op;
    closed.durationPs = entry.durationPs;
    closed.opSelfPs = saturatingSub(entry.durationPs, entry.opChildrenPs);
    closed.selfPs = track.areRegions
                        ? closed.opSelfPs
                        : saturatingSub(entry.durationPs, entry.childrenPs);
    stack.pop_back();
    onClosed(closed);
  }

  std::vector<TrackState> tracks;
  uint64_t opened = 0;
};

} // namespace mlirprof

#endif // MLIR_PROF_TRACE_SELFTIME_H
