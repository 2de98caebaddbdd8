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

namespace mlirprof::trace {

/// Nests the events of each track and computes the time of an event without its
/// nested events.
///
/// Events arrive by (begin, -end). Those that end before the new one begins are
/// closed; then those that end before the new one ends, which overlap it only
/// partially, are closed too and counted; the event left on top is the parent.
/// Self time is the duration without the direct children; op self time of a
/// measured op is the duration without the nearest measured ops below it, so
/// that it includes the runtime's work on behalf of the op.
///
/// Work on a stream of a device may overlap, but is never a part of other work:
/// all of its time is self time.
///
/// A track of regions holds events that overlap other events of a thread
/// partially, but nest with its measured ops: the time of a region in an op
/// does not count for the op, and the region's time excludes the ops in it.
class SelfTime {
public:
  /// Makes `regions` the regions track of the track `ops`. Call before the
  /// first event of either.
  void setRegions(uint32_t regions, uint32_t ops) {
    reserveTrack(std::max(regions, ops));
    tracks[regions].beside = ops;
    tracks[regions].areRegions = true;
    tracks[ops].beside = regions;
  }

  /// Makes `track` a stream of a device. Call before its first event.
  void setStream(uint32_t track) {
    reserveTrack(track);
    tracks[track].isStream = true;
  }

  struct Closed {
    /// The tag given to open().
    uint32_t tag = 0;
    uint32_t op = kNone;
    int64_t durationPs = 0;
    int64_t selfPs = 0;
    /// Only for events with an op.
    int64_t opSelfPs = 0;
  };

  /// Adds the next event, after calling `onClosed(Closed)` for each event of
  /// its track that has ended. `tag` is returned with the closed event.
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
    if (!stack.empty())
      stack.back().childrenPs =
          saturatingAdd(stack.back().childrenPs, duration);
    if (event.op != kNone || track.areRegions) {
      Entry *around = track.ops.empty() ? nullptr : &stack[track.ops.back()];
      int64_t ownPs = duration;
      if (LLVM_UNLIKELY(track.beside != kNone))
        ownPs = lookBeside(event, track, around, onClosed);
      if (around)
        around->opChildrenPs = saturatingAdd(around->opChildrenPs, ownPs);
      track.ops.push_back(uint32_t(stack.size()));
    }
    stack.push_back({event.endPs, duration, 0, 0, opened++, tag, event.op});
  }

  /// Closes all events that are still open.
  template <typename OnClosed>
  void finish(OnClosed &&onClosed) {
    for (TrackState &track : tracks)
      while (!track.stack.empty())
        close(track, onClosed);
  }

  /// Number of events of `track` so far that ended within another one that
  /// began later.
  uint64_t getPartialOverlaps(uint32_t track) const {
    return track < tracks.size() ? tracks[track].partialOverlaps : 0;
  }

private:
  struct Entry {
    int64_t endPs;
    int64_t durationPs;
    int64_t childrenPs;
    int64_t opChildrenPs;
    /// Number of events opened before, on all tracks.
    uint64_t order;
    uint32_t tag;
    uint32_t op;
  };
  struct TrackState {
    std::vector<Entry> stack;
    /// Positions of ops and regions on the stack.
    std::vector<uint32_t> ops;
    uint64_t partialOverlaps = 0;
    /// The track of its regions, or of its ops; or kNone.
    uint32_t beside = kNone;
    bool areRegions = false;
    bool isStream = false;
  };

  void reserveTrack(uint32_t track) {
    if (track >= tracks.size())
      tracks.resize(size_t(track) + 1);
  }

  /// Replaces `around` by the innermost op or region of the companion track
  /// that encloses all of `event`, if it is further in. Returns the part of the
  /// event that is not in another op or region with which it overlaps
  /// partially: the enclosing one has already been reduced by that part.
  template <typename OnClosed>
  int64_t lookBeside(const Event &event, TrackState &track, Entry *&around,
                     OnClosed &&onClosed) {
    TrackState &beside = tracks[track.beside];
    std::vector<Entry> &stack = beside.stack;
    while (!stack.empty() && stack.back().endPs <= event.beginPs)
      close(beside, onClosed);
    // Inner ones end earlier.
    auto overlapped = llvm::partition_point(beside.ops, [&](uint32_t position) {
      return stack[position].endPs >= event.endPs;
    });
    if (overlapped != beside.ops.begin()) {
      Entry &inner = stack[*std::prev(overlapped)];
      if (!around || inner.order > around->order)
        around = &inner;
    }
    if (overlapped == beside.ops.end())
      return saturatingSub(event.endPs, event.beginPs);
    ++track.partialOverlaps;
    // Those that began before the enclosing one are not in it. The outermost of
    // the others ends last.
    auto inside = llvm::partition_point(
        llvm::make_range(overlapped, beside.ops.end()), [&](uint32_t position) {
          return around && stack[position].order < around->order;
        });
    int64_t begin = event.beginPs;
    if (inside != beside.ops.end())
      begin = std::max(begin, stack[*inside].endPs);
    return saturatingSub(event.endPs, begin);
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
    if (track.isStream)
      closed.selfPs = closed.opSelfPs = entry.durationPs;
    stack.pop_back();
    if (!track.ops.empty() && track.ops.back() == stack.size())
      track.ops.pop_back();
    onClosed(closed);
  }

  std::vector<TrackState> tracks;
  uint64_t opened = 0;
};

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_SELFTIME_H
