//===- Timeline.h - Events in layers ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_TIMELINE_TIMELINE_H
#define MLIR_PROF_LIB_SERVE_TIMELINE_TIMELINE_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace mlirprof::serve {

/// An event of a timeline. Lanes are tracks of events that do not overlap: an
/// event nested in another one is in a deeper lane.
struct TimelineEvent {
  int64_t beginPs = 0;
  int64_t durationPs = 0;
  /// Indices into the texts of the timeline, and into Profile::opKeys (kNone
  /// for none).
  uint32_t name = 0;
  uint32_t op = 0;
  /// Its number among the events of the recording, in order of begin.
  uint32_t id = 0;
  /// Index into the lanes.
  uint32_t lane = 0;
};

/// Several events too narrow for a layer that lie closer to each other than its
/// resolution, as one bar.
struct TimelineBlock {
  int64_t beginPs = 0;
  int64_t endPs = 0;
  uint32_t count = 0;
  /// The finest layer that has it. In finer ones its events are apart.
  uint32_t firstLayer = 0;
};

struct TimelineTrack {
  std::string process;
  std::string name;
  uint64_t events = 0;
  uint32_t depth = 0;
  /// Its first lane; the others follow.
  uint32_t firstLane = 0;
};

/// Writes the kept events of all runs as layers: each event is in the coarsest
/// layer that shows it alone, once: in which it is as wide as the resolution,
/// or as far from its neighbors. So is each bar. The resolution of a layer is
/// four times that of the one before. Does not write anything without kept
/// events.
llvm::Error writeTimeline(const profile::Profile &profile,
                          llvm::StringRef path);

/// A timeline as a mapped file: windows read only their own pages.
class Timeline {
public:
  static llvm::Expected<std::unique_ptr<Timeline>> open(llvm::StringRef path);

  int64_t getBeginPs() const { return header->beginPs; }
  int64_t getEndPs() const { return header->endPs; }
  uint64_t size() const { return header->events; }
  llvm::ArrayRef<TimelineTrack> getTracks() const { return tracks; }
  uint32_t getTrackOf(uint32_t lane) const { return trackOfLane[lane]; }
  uint32_t countLanes() const { return header->lanes; }
  llvm::StringRef getText(uint32_t name) const;
  uint32_t countTexts() const { return header->texts; }

  static constexpr unsigned kLayers = 24;
  /// The narrowest event of a layer, ps.
  static int64_t getResolution(unsigned layer) {
    return layer == 0 ? 0 : int64_t(1) << (2 * layer + 4);
  }

  /// The events of a lane in one layer, in order; finer layers show them, too.
  llvm::ArrayRef<TimelineEvent> getEvents(uint32_t lane, unsigned layer) const;
  /// The bars of a lane in one layer, in order; finer layers down to the first
  /// one of a bar show it, too.
  llvm::ArrayRef<TimelineBlock> getBlocks(uint32_t lane, unsigned layer) const;
  /// The event `id`, or null.
  const TimelineEvent *find(uint32_t id) const;
  /// By event, the one that launched it, or kNone; empty if none was launched.
  llvm::ArrayRef<uint32_t> getLaunches() const { return launches; }

private:
  friend class TimelineWriter;
  static constexpr uint32_t kVersion = 3;
  struct Header {
    char magic[8];
    uint32_t version;
    uint32_t lanes;
    uint32_t tracks;
    uint32_t texts;
    uint64_t events;
    int64_t beginPs;
    int64_t endPs;
    /// Offsets of the sections in the file.
    uint64_t eventsAt, blocksAt, eventEndsAt, blockEndsAt, placesAt, launchesAt,
        textEndsAt, textsAt, tracksAt, end;
    /// 0 or the number of events.
    uint64_t launches;
  };

  llvm::Error check(llvm::StringRef path);

  std::unique_ptr<llvm::MemoryBuffer> file;
  const Header *header = nullptr;
  const TimelineEvent *events = nullptr;
  const TimelineBlock *blocks = nullptr;
  /// Ends of the events and bars of (lane, layer), in this order.
  const uint64_t *eventEnds = nullptr;
  const uint64_t *blockEnds = nullptr;
  /// The place of each event, by id.
  const uint32_t *places = nullptr;
  llvm::ArrayRef<uint32_t> launches;
  const uint64_t *textEnds = nullptr;
  const char *texts = nullptr;
  std::vector<TimelineTrack> tracks;
  std::vector<uint32_t> trackOfLane;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_TIMELINE_TIMELINE_H
