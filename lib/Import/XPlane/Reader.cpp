//===- Reader.cpp - Events of all lines -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "FrameworkOp.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using pbf_reader = mlirprof::ProtoReader;

//===----------------------------------------------------------------------===//
// One event
//===----------------------------------------------------------------------===//

/// Resolves the metadata of event id `id`, once: its name determines nearly
/// everything.
void Reader::resolve(PlaneState &plane, int64_t id, EventMetadata &metadata) {
  metadata.isResolved = true;
  llvm::StringRef message = metadata.message;
  llvm::StringRef name, displayName;
  pbf_reader reader(message.data(), message.size());
  while (reader.next()) {
    if (reader.tag_and_type() == bytesField(2))
      name = toRef(reader.get_view());
    else if (reader.tag_and_type() == bytesField(4))
      displayName = toRef(reader.get_view());
    else
      reader.skip();
  }
  plane.stats.readOfMetadata(message, metadata.stats);
  metadata.name = builder.addName(name);
  if (name.starts_with("end: "))
    metadata.kind = EventMetadata::Kind::End;
  else if (name == "CpuExecutable::ExecuteAsyncOnStream")
    metadata.kind = EventMetadata::Kind::Execute;
  else if (name == "MemoryAllocation")
    metadata.kind = EventMetadata::Kind::Allocation;
  else if (name == "MemoryDeallocation")
    metadata.kind = EventMetadata::Kind::Deallocation;
  if (auto op = splitFrameworkOp(name)) {
    metadata.frameworkOp = builder.addOpKey(
        OpKey(op->first.str(), op->second.str(), GraphNodeKey()));
  }
  // TPU names are whole instructions: "%fusion.1 = f32[8] fusion(...)".
  llvm::StringRef op = displayName.empty() ? name : displayName;
  op = op.split(" = ").first;
  op.consume_front("%");
  metadata.opText = texts.get(op);
}

/// The slow part of getMetadata(): the first event of an id, or one whose id is
/// not described. `metadata` is its description, or null.
LLVM_ATTRIBUTE_NOINLINE EventMetadata &
Reader::resolveOrAdd(uint32_t plane, int64_t id, EventMetadata *metadata) {
  if (metadata) {
    resolve(planes[plane], id, *metadata);
    return *metadata;
  }
  if (strayMetadata.size() <= plane)
    strayMetadata.resize(plane + 1);
  IdTable<EventMetadata> &strays = strayMetadata[plane];
  if (EventMetadata *stray = strays.find(id))
    return *stray;
  EventMetadata stray;
  stray.isResolved = true;
  stray.isStray = true;
  std::string name =
      "event metadata " + llvm::itostr(id) + " (not in the file)";
  stray.name = builder.addName(name);
  stray.opText = texts.get(name);
  strays.set(id, stray);
  return *strays.find(id);
}

/// The execution to which an instruction's event belongs. JAX numbers
/// executions; TensorFlow writes -1, which stands for the last execution that
/// began.
uint64_t Reader::getRun(const EventStats &stats) const {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15ull;
  if (!stats.has(StatKind::RunId) || int64_t(stats.get(StatKind::RunId)) == -1)
    return executions;
  uint64_t device = stats.has(StatKind::DeviceOrdinal)
                        ? stats.get(StatKind::DeviceOrdinal) + 1
                        : 0;
  // The high bit separates the numbers of the two kinds; within the first kind
  // the product spreads devices so that small run ids do not collide.
  return (stats.get(StatKind::RunId) + device * kOdd) | uint64_t(1) << 63;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE void Reader::setOp(Event &event,
                                                EventMetadata &metadata,
                                                const EventStats &stats,
                                                LineKind kind) {
  const EventStats *opStats = &stats;
  EventStats named;
  if (!stats.has(StatKind::HloOp)) {
    if (kind != LineKind::XlaOps) {
      event.op = metadata.frameworkOp;
      return;
    }
    named = stats;
    named.hloOp = metadata.opText;
    opStats = &named;
  }
  metadata.lastHloOp = hloOps.get(*opStats, metadata.lastHloOp);
  event.op = hloOps.count(metadata.lastHloOp,
                          saturatingSub(event.endPs, event.beginPs));
  event.run = getRun(*opStats);
  event.hasFlowOut = stats.has(StatKind::FlowOut);
  event.flowOut = stats.get(StatKind::FlowOut);
}

LLVM_ATTRIBUTE_ALWAYS_INLINE void Reader::setRole(Event &event,
                                                  const EventMetadata &metadata,
                                                  const EventStats &stats,
                                                  LineKind kind) {
  if (metadata.kind == EventMetadata::Kind::End &&
      stats.has(StatKind::FlowIn)) {
    event.role = EventRole::Completion;
    event.hasFlowIn = true;
    event.flowIn = stats.get(StatKind::FlowIn);
  } else if (metadata.kind == EventMetadata::Kind::Execute) {
    ++executions;
  } else if (stats.has(StatKind::StepNumber) || kind == LineKind::Steps) {
    event.role = EventRole::Step;
    event.step = int64_t(stats.get(StatKind::StepNumber));
    // The names of derived steps are their numbers.
    if (!stats.has(StatKind::StepNumber))
      texts[metadata.opText].getAsInteger(10, event.step);
  }
}

/// Calls of the driver have the number of what they launch.
LLVM_ATTRIBUTE_ALWAYS_INLINE void Reader::setLaunch(Event &event,
                                                    const EventStats &stats) {
  if (LLVM_LIKELY(!stats.has(StatKind::Correlation)) || event.hasFlowOut)
    return;
  event.hasFlowOut = true;
  event.flowOut = stats.get(StatKind::Correlation);
}

void Reader::emit(const LineCursor &cursor) {
  const RawEvent &raw = cursor.get();
  const Line &line = lines[cursor.getTrack()];
  position = raw.position;
  EventMetadata &metadata = getMetadata(cursor.getPlane(), raw.metadataId);
  Event event;
  event.track = cursor.getTrack();
  event.name = metadata.name;
  event.beginPs = raw.beginPs;
  event.endPs = raw.endPs;
  EventStats &stats = scratch;
  if (metadata.stats.present)
    stats = metadata.stats;
  else
    stats.clear();
  if (!raw.stats.empty())
    planes[cursor.getPlane()].stats.readOfEvent(
        raw.stats, input.bytes.end(),
        metadata.lastHloOp == kNone ? nullptr : &metadata.prefix, stats);
  if (LLVM_UNLIKELY(metadata.kind >= EventMetadata::Kind::Allocation))
    allocators.add(metadata.kind == EventMetadata::Kind::Allocation, raw.stats,
                   *planes[cursor.getPlane()].plane,
                   planes[cursor.getPlane()].stats);
  if (LLVM_UNLIKELY(metadata.isStray)) {
    ++unknownMetadata;
    unknownMetadataPs =
        saturatingAdd(unknownMetadataPs, saturatingSub(raw.endPs, raw.beginPs));
  }
  if (LLVM_UNLIKELY(line.kind == LineKind::Stream)) {
    gpuWork.set(event, metadata, stats);
  } else if (LLVM_LIKELY(line.kind != LineKind::Derived)) {
    setRole(event, metadata, stats, line.kind);
    setOp(event, metadata, stats, line.kind);
    setLaunch(event, stats);
  }
  builder.event(event);
}

//===----------------------------------------------------------------------===//
// Merging the lines
//===----------------------------------------------------------------------===//

void Reader::siftDown(size_t hole) {
  uint32_t moved = heap[hole];
  for (size_t child; (child = 2 * hole + 1) < heap.size(); hole = child) {
    if (child + 1 < heap.size() &&
        cursors[heap[child + 1]].isBefore(cursors[heap[child]]))
      ++child;
    if (!cursors[heap[child]].isBefore(cursors[moved]))
      break;
    heap[hole] = heap[child];
  }
  heap[hole] = moved;
}

const LineCursor *Reader::getSecond() const {
  if (heap.size() < 2)
    return nullptr;
  const LineCursor &second = cursors[heap[1]];
  if (heap.size() == 2 || second.isBefore(cursors[heap[2]]))
    return &second;
  return &cursors[heap[2]];
}

bool Reader::emitWhileFirst(LineCursor &first, const LineCursor *second) {
  do {
    if (--eventsToRelease == 0) {
      for (LineCursor &cursor : cursors)
        cursor.release();
      eventsToRelease = kEventsBetweenReleases;
    }
    emit(first);
    if (!first.advance())
      return false;
  } while (!second || first.isBefore(*second));
  return true;
}

void Reader::mergeLines() {
  for (uint32_t i = 0; i != cursors.size(); ++i)
    if (cursors[i].advance())
      heap.push_back(i);
  for (size_t i = heap.size() / 2; i--;)
    siftDown(i);
  while (!heap.empty()) {
    if (!emitWhileFirst(cursors[heap.front()], getSecond())) {
      heap.front() = heap.back();
      heap.pop_back();
    }
    if (!heap.empty())
      siftDown(0);
  }
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

void Reader::reportLosses() {
  auto report = [&](llvm::StringRef name, uint64_t count, int64_t timePs = 0) {
    if (count)
      builder.loss(name, count, timePs);
  };
  report("event with a negative offset", troubles.negativeOffsets);
  report("event with a negative duration: counted as 0",
         troubles.negativeDurations);
  report("event with a time out of range", troubles.overflows);
  report("event whose metadata is not in the file", unknownMetadata,
         unknownMetadataPs);
  uint64_t unusable = 0, misplaced = 0;
  for (const PlaneState &plane : planes) {
    unusable += plane.stats.getUnusable();
    misplaced += plane.stats.getMisplaced();
  }
  report("stat without a usable value", unusable);
  report("field of an event after its stats: not read", misplaced);
  if (cursors.empty())
    builder.loss("no plane with events: the file may be cut before /host:CPU",
                 1, 0);
  hloOps.reportMissing();
}

void Reader::read() {
  scanLines();
  chooseOrigin();
  scanGraphs();
  openCursors();
  mergeLines();
  allocators.finish(builder.getRun());
  reportLosses();
}
