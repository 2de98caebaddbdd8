//===- Perfetto.cpp - Perfetto's protobuf traces --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Packets of one sequence: a descriptor for each process and lane, and a begin
// and an end for each event, by time. Timestamps are whole nanoseconds, rounded
// down; events whose times have a fraction carry exact times as annotations.

#include "../Decimal.h"
#include "../Exporters.h"
#include "../Timeline/OpText.h"
#include "../Timeline/Timeline.h"
#include "mlir-prof/Report/JsonText.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <protozero/pbf_writer.hpp>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;
using protozero::pbf_writer;

namespace {

/// Numbers of the fields written, by message, from perfetto_trace.proto.
namespace packet {
enum : uint32_t {
  ClockSnapshot = 6,
  Timestamp = 8,
  Sequence = 10,
  TrackEvent = 11,
  InternedData = 12,
  SequenceFlags = 13,
  TrackDescriptor = 60
};
} // namespace packet
namespace event {
enum : uint32_t {
  Annotation = 4,
  Type = 9,
  NameId = 10,
  TrackUuid = 11,
  FlowIds = 47,
  TerminatingFlowIds = 48
};
} // namespace event
namespace annotation {
enum : uint32_t { NameId = 1, IntValue = 4, StringValue = 6 };
} // namespace annotation
namespace descriptor {
enum : uint32_t { Uuid = 1, Name = 2, Process = 3, Parent = 5, Merge = 15 };
} // namespace descriptor

constexpr uint32_t kTypeBegin = 1, kTypeEnd = 2;
constexpr uint32_t kClockRealtime = 1, kClockBoottime = 6;
constexpr uint32_t kStateCleared = 1, kNeedsState = 2;
constexpr uint32_t kMergeNone = 2;
constexpr uint32_t kSequence = 1;

class PerfettoWriter {
public:
  PerfettoWriter(const ExportInput &input, const Timeline &timeline,
                 llvm::raw_ostream &os);

  void write();

private:
  void writePacket();
  void writeClock();
  void writeTracks();
  void writeBegin(uint32_t run, size_t event);
  void writeScope(pbf_writer &event, uint32_t run, size_t index);
  void writeLaunches(pbf_writer &event, uint32_t run, size_t index);
  void writeEnd(uint32_t run, size_t event);
  void annotate(pbf_writer &message, llvm::StringRef name, int64_t value);
  void annotate(pbf_writer &message, llvm::StringRef name,
                llvm::StringRef value);
  const std::string &getAnnotations(uint32_t op);
  uint32_t internAnnotation(llvm::StringRef name);
  uint64_t getNs(int64_t ps) const {
    return uint64_t(floorDivide(ps, 1000)) - uint64_t(zeroNs);
  }

  const ExportInput &input;
  const Timeline &timeline;
  llvm::raw_ostream &os;
  OpText ops;
  /// The origin of timestamps, which are unsigned.
  int64_t zeroNs = 0;
  /// The current packet and parts of it; members to reuse their memory.
  std::string packetBytes, message, interned, part;
  std::vector<bool> isNameKnown;
  /// The annotations of each op key as written in an event, computed on demand.
  std::vector<std::string> opAnnotations;
  std::map<std::string, uint32_t> annotationIds;
  bool isFirst = true;
};

} // namespace

PerfettoWriter::PerfettoWriter(const ExportInput &input,
                               const Timeline &timeline, llvm::raw_ostream &os)
    : input(input), timeline(timeline), os(os), ops(input),
      isNameKnown(timeline.getNameCount()),
      opAnnotations(input.profile.opKeys.size()) {
  zeroNs = floorDivide(timeline.getZeroPs(), 1000);
}

/// Adds the fields common to all packets, and writes the packet.
void PerfettoWriter::writePacket() {
  pbf_writer fields(packetBytes);
  if (!interned.empty())
    fields.add_message(packet::InternedData, interned);
  fields.add_uint32(packet::Sequence, kSequence);
  fields.add_uint32(packet::SequenceFlags,
                    isFirst ? kStateCleared : kNeedsState);
  isFirst = false;
  // Field 1 of the trace: a message.
  os << char(1 << 3 | 2);
  size_t size = packetBytes.size();
  for (; size >= 0x80; size >>= 7)
    os << char(size | 0x80);
  os << char(size) << packetBytes;
  packetBytes.clear();
  interned.clear();
}

/// Relates the timestamps to the time of day.
void PerfettoWriter::writeClock() {
  std::optional<int64_t> anchorNs = timeline.getAnchorNs();
  message.clear();
  int64_t realtime;
  if (anchorNs && !__builtin_add_overflow(*anchorNs, zeroNs, &realtime) &&
      realtime >= 0)
    for (auto [clock, ns] :
         {std::make_pair(kClockBoottime, uint64_t(0)),
          std::make_pair(kClockRealtime, uint64_t(realtime))}) {
      part.clear();
      pbf_writer fields(part);
      fields.add_uint32(1, clock);
      fields.add_uint64(2, ns);
      pbf_writer(message).add_message(1, part);
    }
  if (message.empty())
    return;
  pbf_writer(packetBytes).add_message(packet::ClockSnapshot, message);
  writePacket();
}

/// Processes are numbered from 1; tracks of processes and lanes have uuids in
/// order, first those of lanes.
void PerfettoWriter::writeTracks() {
  std::map<std::string, uint32_t> processes;
  size_t lanes = timeline.getLanes().size();
  for (auto [index, lane] : llvm::enumerate(timeline.getLanes())) {
    std::string group = timeline.getGroup(lane);
    auto [entry, inserted] =
        processes.try_emplace(group, uint32_t(processes.size() + 1));
    uint64_t parent = lanes + entry->second;
    if (inserted) {
      part.clear();
      pbf_writer process(part);
      process.add_int32(1, int32_t(entry->second));
      process.add_string(6, toJsonText(group));
      message.clear();
      pbf_writer track(message);
      track.add_uint64(descriptor::Uuid, parent);
      track.add_message(descriptor::Process, part);
      pbf_writer(packetBytes).add_message(packet::TrackDescriptor, message);
      writePacket();
    }
    message.clear();
    pbf_writer track(message);
    track.add_uint64(descriptor::Uuid, index + 1);
    track.add_string(descriptor::Name, toJsonText(timeline.getName(lane)));
    track.add_uint64(descriptor::Parent, parent);
    // Lanes with the same name are different threads.
    track.add_uint32(descriptor::Merge, kMergeNone);
    pbf_writer(packetBytes).add_message(packet::TrackDescriptor, message);
    writePacket();
  }
}

uint32_t PerfettoWriter::internAnnotation(llvm::StringRef name) {
  auto [entry, inserted] =
      annotationIds.try_emplace(name.str(), uint32_t(annotationIds.size() + 1));
  if (inserted) {
    std::string bytes;
    pbf_writer fields(bytes);
    fields.add_uint64(1, entry->second);
    fields.add_string(2, entry->first);
    pbf_writer(interned).add_message(3, bytes);
  }
  return entry->second;
}

void PerfettoWriter::annotate(pbf_writer &event, llvm::StringRef name,
                              int64_t value) {
  part.clear();
  pbf_writer fields(part);
  fields.add_uint64(annotation::NameId, internAnnotation(name));
  fields.add_int64(annotation::IntValue, value);
  event.add_message(event::Annotation, part);
}

void PerfettoWriter::annotate(pbf_writer &event, llvm::StringRef name,
                              llvm::StringRef value) {
  part.clear();
  pbf_writer fields(part);
  fields.add_uint64(annotation::NameId, internAnnotation(name));
  fields.add_string(annotation::StringValue, toJsonText(value));
  event.add_message(event::Annotation, part);
}

const std::string &PerfettoWriter::getAnnotations(uint32_t op) {
  std::string &bytes = opAnnotations[op];
  if (!bytes.empty())
    return bytes;
  pbf_writer fields(bytes);
  for (const auto &[name, value] : ops.describe(op))
    annotate(fields, name, llvm::StringRef(value));
  return bytes;
}

void PerfettoWriter::writeBegin(uint32_t run, size_t index) {
  const EventColumns &kept = timeline.getEvents(run);
  uint32_t name = timeline.getName(run, index);
  if (!isNameKnown[name]) {
    isNameKnown[name] = true;
    part.clear();
    pbf_writer fields(part);
    fields.add_uint64(1, name + uint64_t(1));
    fields.add_string(2, toJsonText(timeline.getText(name)));
    pbf_writer(interned).add_message(2, part);
  }
  int64_t beginPs = timeline.getBeginPs(run, index);
  message.clear();
  pbf_writer event(message);
  event.add_uint32(event::Type, kTypeBegin);
  event.add_uint64(event::NameId, name + uint64_t(1));
  event.add_uint64(event::TrackUuid, timeline.getLane(run, index) + 1);
  if (beginPs % 1000 != 0 || kept.durationPs[index] % 1000 != 0) {
    annotate(event, "begin_ps", beginPs);
    annotate(event, "duration_ps", kept.durationPs[index]);
  }
  if (kept.op[index] != kNone)
    message += getAnnotations(kept.op[index]);
  if (timeline.getScopes(run))
    writeScope(event, run, index);
  writeLaunches(event, run, index);
  if (uint64_t samples = timeline.getSamples(run, index)) {
    const SliceText &slice = timeline.getSlice(run, index);
    if (!slice.op.empty()) {
      annotate(event, "op", slice.location.empty() ? slice.op : slice.location);
      annotate(event, "kernel", slice.op);
    }
    if (!slice.owners.empty())
      annotate(event, "mlir_index", slice.owners);
    annotate(event, "samples", int64_t(samples));
  }
  pbf_writer fields(packetBytes);
  fields.add_uint64(packet::Timestamp, getNs(beginPs));
  fields.add_message(packet::TrackEvent, message);
  writePacket();
}

/// An arrow has the number of the event where it ends.
static uint64_t getArrowId(uint32_t run, size_t target) {
  return (uint64_t(run) << 32 | target) + 1;
}

/// The arrows from calls to the work on devices that they launched.
void PerfettoWriter::writeLaunches(pbf_writer &event, uint32_t run,
                                   size_t index) {
  for (auto [launch, target] : timeline.getLaunched(run, index))
    event.add_fixed64(event::FlowIds, getArrowId(run, target));
  if (timeline.getLaunch(run, index) != kNone)
    event.add_fixed64(event::TerminatingFlowIds, getArrowId(run, index));
}

/// Facts about a scope, and the arrows from it and to it.
void PerfettoWriter::writeScope(pbf_writer &event, uint32_t run, size_t index) {
  const ScopeEvents &scopes = *timeline.getScopes(run);
  for (const auto &[name, value] :
       describeScope(scopes.getRecording(), scopes.getScope(index)))
    annotate(event, name, llvm::StringRef(value));
  for (uint32_t target : scopes.getTargets(index))
    event.add_fixed64(event::FlowIds, getArrowId(run, target));
  if (scopes.findArrow(index))
    event.add_fixed64(event::TerminatingFlowIds, getArrowId(run, index));
}

void PerfettoWriter::writeEnd(uint32_t run, size_t index) {
  message.clear();
  pbf_writer event(message);
  event.add_uint32(event::Type, kTypeEnd);
  event.add_uint64(event::TrackUuid, timeline.getLane(run, index) + 1);
  pbf_writer fields(packetBytes);
  fields.add_uint64(packet::Timestamp, getNs(timeline.getEndPs(run, index)));
  fields.add_message(packet::TrackEvent, message);
  writePacket();
}

void PerfettoWriter::write() {
  writeClock();
  writeTracks();
  for (uint32_t run = 0; run < input.profile.runs.size(); ++run)
    timeline.walk(
        run, {}, [&](size_t event) { writeBegin(run, event); },
        [&](size_t event) { writeEnd(run, event); });
}

static llvm::Error writePerfetto(const ExportInput &input,
                                 llvm::raw_ostream &os) {
  auto timeline = Timeline::make(input);
  if (!timeline)
    return timeline.takeError();
  PerfettoWriter(input, *timeline, os).write();
  return llvm::Error::success();
}

Exporter exporter::Perfetto() {
  return {"perfetto", "Perfetto's protobuf trace of single events",
          ExportNeeds::Events, writePerfetto};
}
