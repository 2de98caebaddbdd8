//===- Finish.cpp - The end of a trace ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Traces of whole systems have many counters.
static constexpr size_t kMostCounters = 1000;

/// Adds the tracks that have events, in order of first mention.
void Reader::addTracks(std::vector<Lane> &lanes) {
  std::vector<bool> isUsed(tracks.size());
  for (const Lane &lane : lanes)
    isUsed[lane.track] = true;
  std::vector<uint32_t> newIndex(tracks.size(), kNone);
  for (uint32_t index = 0; index != tracks.size(); ++index)
    if (isUsed[index])
      newIndex[index] = builder.addTrack(tracks.makeTrack(index));
  for (Lane &lane : lanes) {
    const TrackDescription &track = tracks[lane.track];
    if (!track.isDescribed && track.uuid)
      builder.loss("event on a track without a description", lane.events.size(),
                   0);
    lane.track = newIndex[lane.track];
  }
}

/// Sets the wall clock, if snapshots lead to it.
void Reader::describeClock(uint32_t traceClock, int64_t originNs) {
  Run &run = builder.getRun();
  run.clock.name = clocks.getName(traceClock);
  run.facts.emplace_back("time of the first event on the trace's clock, ns",
                         std::to_string(originNs));
  auto path = clocks.findPath(traceClock, clocks.getIndex(0, kRealtime));
  std::optional<int64_t> anchor =
      path ? path->translate(originNs) : std::nullopt;
  if (!anchor || *anchor < 0)
    return;
  run.clock.anchorNs = *anchor;
  run.clock.hasAnchor = true;
}

static std::string print(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

void Reader::describeCounters() {
  size_t kept = 0;
  uint64_t values = 0;
  for (uint32_t index = 0; index != tracks.size(); ++index) {
    const TrackDescription &track = tracks[index];
    const CounterValues &counter = track.values;
    if (!counter.count)
      continue;
    values += counter.count;
    if (kept++ == kMostCounters)
      break;
    std::string name = tracks.makeTrack(index).name;
    double unit = track.unitMultiplier;
    builder.getRun().facts.emplace_back(
        "counter " + name + (track.unit.empty() ? "" : ", " + track.unit),
        llvm::formatv("{0} values, smallest {1}, largest {2}, last {3}",
                      counter.count, print(counter.smallest * unit),
                      print(counter.largest * unit), print(counter.last * unit))
            .str());
  }
  if (values)
    builder.loss("values of counters: kept as a summary only", values, 0);
}

void Reader::reportLosses() {
  static constexpr llvm::StringLiteral names[] = {
      "packet that needs state of packets that were lost",
      "event without a time",
      "event with a time out of range",
      "event with an interned name that is not in the trace",
      "legacy event that is asynchronous or of another phase: not read",
      "event whose extra counters are not read",
      "event of an unknown type",
      "compressed packets within compressed packets: not read",
  };
  static_assert(std::size(names) == size_t(Trouble::Count));
  for (auto [index, name] : llvm::enumerate(names))
    if (troubles[index])
      builder.loss(name, troubles[index], 0);
  for (const auto &[name, count] : otherPayloads)
    builder.loss(name, count, 0);
  if (clocks.getLeftOut())
    builder.loss("reading of a clock in a snapshot: not usable",
                 clocks.getLeftOut(), 0);
}

void Reader::finish() {
  uint32_t used = slices.getMostUsedClock();
  if (used != kNone) {
    uint32_t traceClock = clocks.getTraceClock(used);
    int64_t originNs = 0;
    std::vector<Lane> lanes =
        slices.take(clocks, traceClock, builder, originNs);
    addTracks(lanes);
    if (!lanes.empty())
      describeClock(traceClock, originNs);
    emitLanes(lanes, builder);
  } else {
    builder.loss("no packet with an event: nothing was measured", 1, 0);
  }
  describeCounters();
  reportLosses();
}
