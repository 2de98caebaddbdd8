//===- ReaderLines.cpp - Finding the lines of a space ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using pbf_reader = mlirprof::ProtoReader;

void Reader::reportLine(const Plane &plane, const LineInfo &info) {
  if (info.order != LineOrder::Ordered && info.events)
    builder.loss(info.order == LineOrder::Unordered
                     ? "event on a line that is not in time order: sorted in "
                       "memory"
                     : "event on a line with unordered ties: sorted in memory",
                 info.events, 0);
  if (info.aggregated)
    builder.loss("aggregated event without a place in time (num_occurrences)",
                 std::max(info.occurrences, info.aggregated),
                 info.aggregatedPs);
  if (info.mistypedFields)
    builder.loss("field of an unexpected type", info.mistypedFields, 0);
}

void Reader::addLine(uint32_t plane, uint32_t index, llvm::StringRef bytes) {
  Line line;
  line.bytes = bytes;
  line.info = scanLine(bytes, input.backing, position);
  line.plane = plane;
  line.kind = LineKind::Plain;
  const Plane &owner = *planes[plane].plane;
  uint32_t device = planes[plane].device;
  if (device != kNone)
    line.kind =
        isStreamLine(line.info.name) ? LineKind::Stream : LineKind::Derived;
  else if (owner.name.starts_with("/device:")) {
    if (line.info.name == "XLA Ops")
      line.kind = LineKind::XlaOps;
    else if (line.info.name == "Steps")
      line.kind = LineKind::Steps;
  }
  Track track;
  track.plane = owner.name.str();
  track.line = index;
  track.id = line.info.id;
  track.name = line.info.name.str();
  track.displayName = line.info.displayName.str();
  track.timestampNs = line.info.timestampNs;
  if (line.kind == LineKind::Stream)
    track.device = device;
  builder.addTrack(std::move(track));
  reportLine(owner, line.info);
  lines.push_back(std::move(line));
}

/// The name of a line, which may come after its events.
static llvm::StringRef readLineName(llvm::StringRef line) {
  llvm::StringRef name;
  pbf_reader reader(line.data(), line.size());
  while (reader.next())
    if (reader.tag_and_type() == bytesField(2))
      name = toRef(reader.get_view());
    else
      reader.skip();
  return name;
}

void Reader::scanPlane(Plane &plane) {
  planes.push_back(
      {&plane, StatReader(plane.statMetadata, texts, space.inflation)});
  if (isGpuPlane(plane.name) &&
      llvm::any_of(plane.lines, [&](llvm::StringRef line) {
        return isStreamLine(readLineName(line));
      }))
    planes.back().device = gpuWork.addDevice(plane, planes.back().stats);
  for (size_t i = 0; i != plane.lines.size(); ++i)
    addLine(uint32_t(planes.size() - 1), uint32_t(i), plane.lines[i]);
}

void Reader::scanLines() {
  for (Plane &plane : space.planes)
    scanPlane(plane);
}

void Reader::scanGraphs() {
  for (uint32_t track = 0; track != lines.size(); ++track) {
    const Line &line = lines[track];
    PlaneState &plane = planes[line.plane];
    if (line.kind != LineKind::Stream || !GpuWork::hasGraphs(*plane.plane))
      continue;
    // Odd times are counted when the events are read.
    TimeTroubles ignored;
    StatReader reader = plane.stats;
    LineCursor cursor(line.bytes, input.backing, line.info, originNs,
                      line.plane, track, ignored);
    while (cursor.advance()) {
      position = cursor.get().position;
      const EventMetadata &metadata =
          getMetadata(line.plane, cursor.get().metadataId);
      EventStats stats = metadata.stats;
      reader.readOfEvent(cursor.get().stats, input.bytes.end(), nullptr, stats);
      if (metadata.opText != kNone)
        gpuWork.addNode(stats, texts[metadata.opText]);
    }
  }
  gpuWork.resolveNodes(space);
}

/// Lines count from the begin of the session. If they count from the epoch,
/// picoseconds would overflow: then the earliest line is the origin.
void Reader::chooseOrigin() {
  constexpr int64_t kMaxNs = std::numeric_limits<int64_t>::max() / 2000;
  int64_t earliest = std::numeric_limits<int64_t>::max();
  bool isFar = false;
  for (const Line &line : lines) {
    if (!line.info.events)
      continue;
    earliest = std::min(earliest, line.info.timestampNs);
    isFar |= line.info.timestampNs > kMaxNs;
  }
  if (!isFar || earliest <= 0)
    return;
  originNs = earliest;
  Clock &clock = builder.getRun().clock;
  clock.name = "epoch";
  clock.anchorNs = originNs;
  clock.hasAnchor = true;
}

void Reader::openCursors() {
  for (uint32_t track = 0; track != lines.size(); ++track) {
    const Line &line = lines[track];
    if (line.info.events)
      cursors.emplace_back(line.bytes, input.backing, line.info, originNs,
                           line.plane, track, troubles);
  }
}
