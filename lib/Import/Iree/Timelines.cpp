//===- Timelines.cpp - Tracks of IREE's profiles --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timelines.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using namespace mlirprof::trace;

uint32_t Timelines::get(const Record &record, IntervalKind kind) {
  auto [it, isNew] =
      numberOf.try_emplace({kind, record.device, record.queue, record.stream},
                           uint32_t(timelines.size()));
  if (!isNew)
    return it->second;
  Timeline timeline;
  timeline.track.plane = "device " + std::to_string(record.device);
  timeline.track.name = "queue " + std::to_string(record.queue) + " stream " +
                        std::to_string(record.stream) + " " +
                        getKindName(kind).str();
  timeline.track.id = int64_t(record.stream);
  timelines.push_back(std::move(timeline));
  return it->second;
}

uint32_t Timelines::chooseTrack(uint32_t number, int64_t beginPs,
                                int64_t endPs) {
  Timeline &timeline = timelines[number];
  size_t lane = timeline.lanes.take(beginPs, endPs);
  if (lane == timeline.tracks.size()) {
    Track track = timeline.track;
    track.line = uint32_t(number * FreeLanes::kMost + lane);
    if (lane)
      track.name += " (" + std::to_string(lane + 1) + ")";
    timeline.tracks.push_back(builder.addTrack(std::move(track)));
  }
  return timeline.tracks[lane];
}
