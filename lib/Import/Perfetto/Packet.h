//===- Packet.h - Packets and their events ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_PACKET_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_PACKET_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlirprof::importer::perfetto {

/// The fields of nearly all packets: an event and its time. Absent messages
/// have a null data pointer.
struct EventPacket {
  uint64_t timestamp = 0;
  bool hasTimestamp = false;
  /// Whether the packet depends on the state of its sequence.
  bool needsState = false;
  /// 0 for the default of its sequence.
  uint32_t clock = 0;
  uint32_t sequence = 0;
  llvm::StringRef trackEvent;
};

/// The parts of a TracePacket that are read, as encoded in the file.
struct Packet : EventPacket {
  /// Whether the state of the sequence is reset.
  bool clearsState = false;
  /// Whether the previous packet on its sequence was lost.
  bool followsLoss = false;
  /// Number of a field with a payload that is not read, or 0.
  uint32_t otherPayload = 0;
  llvm::StringRef interned, defaults, track, snapshot;
  llvm::StringRef compressed, process, thread;
};

/// Reads the fields of a packet. Throws protozero's exceptions.
void readPacket(llvm::StringRef message, Packet &packet);

/// How to report a payload that is not read: its name, or null if it does not
/// contain measurements.
const char *getPayloadName(uint32_t field);

enum class EventType : uint8_t { Unknown, Begin, End, Instant, Counter };

/// The parts of a TrackEvent that are read.
struct TrackEvent {
  EventType type = EventType::Unknown;
  bool hasTrack = false;
  bool hasValue = false;
  bool hasAnnotations = false;
  bool hasExtraCounters = false;
  uint64_t track = 0;
  uint64_t nameId = 0;
  llvm::StringRef name;
  /// The first of its categories.
  uint64_t categoryId = 0;
  llvm::StringRef category;
  double value = 0;
  /// Times relative to the reference time of the sequence, or absolute: us.
  int64_t timeUs = 0;
  bool hasDeltaUs = false;
  bool hasAbsoluteUs = false;
  llvm::StringRef legacy;
};

/// Bytes up to `loadable` may be loaded. Throws protozero's exceptions.
void readTrackEvent(llvm::StringRef message, const char *loadable,
                    TrackEvent &event);

/// TrackEvent.legacy_event: an event of Chrome's JSON in a packet.
struct LegacyEvent {
  uint64_t nameId = 0;
  char phase = 0;
  int64_t durationUs = 0;
  /// Id that distinguishes asynchronous slices.
  bool hasId = false;
};

void readLegacyEvent(llvm::StringRef message, LegacyEvent &event);

/// The parts of a DebugAnnotation that are read.
struct DebugAnnotation {
  uint64_t nameId = 0;
  llvm::StringRef name;
  uint64_t textId = 0;
  llvm::StringRef text;
  int64_t integer = 0;
  bool hasInteger = false;
};

DebugAnnotation readAnnotation(llvm::StringRef message);

/// An interned string: EventName, EventCategory, DebugAnnotationName,
/// InternedString.
struct Interned {
  uint64_t id = 0;
  llvm::StringRef text;
};

Interned readInterned(llvm::StringRef message);

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_PACKET_H
