//===- Packet.cpp - Packets and their events ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packet.h"
#include "EventPackets.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;

void perfetto::readPacket(llvm::StringRef message, Packet &packet) {
  readFields(message, [&](uint64_t tag, const char *&at, const char *end) {
    switch (tag) {
    case varintTag(8):
      packet.timestamp = readVarint(at, end);
      packet.hasTimestamp = true;
      return;
    case varintTag(10):
      packet.sequence = uint32_t(readShortVarint(at, end));
      return;
    case bytesTag(11):
      packet.trackEvent = readBytes(at, end);
      return;
    case bytesTag(12):
      packet.interned = readBytes(at, end);
      return;
    case varintTag(13): {
      uint64_t flags = readShortVarint(at, end);
      packet.clearsState |= flags & 1;
      packet.needsState = flags & 2;
      return;
    }
    case varintTag(41):
      packet.clearsState |= readVarint(at, end) != 0;
      return;
    case varintTag(42):
      packet.followsLoss = readVarint(at, end) != 0;
      return;
    case varintTag(3):
    case varintTag(79):
      // The tracing service adds these facts about its clients to each packet.
      readVarint(at, end);
      return;
    case varintTag(58):
      packet.clock = uint32_t(readShortVarint(at, end));
      return;
    case bytesTag(59):
      packet.defaults = readBytes(at, end);
      return;
    case bytesTag(60):
      packet.track = readBytes(at, end);
      return;
    case bytesTag(6):
      packet.snapshot = readBytes(at, end);
      return;
    case bytesTag(43):
      packet.process = readBytes(at, end);
      return;
    case bytesTag(44):
      packet.thread = readBytes(at, end);
      return;
    case bytesTag(50):
      packet.compressed = readBytes(at, end);
      return;
    }
    if ((tag & 7) == 2)
      packet.otherPayload = uint32_t(tag >> 3);
    skipField(tag, at, end);
  });
}

/// Fields of an event's packet, as bits.
enum : unsigned {
  kSequenceField = 1,
  kFlagsField = 2,
  /// Any field that differs in the next packet.
  kOwnField = 4,
};

static inline void skipVarint(const char *&at, const char *loadable) {
  if (LLVM_LIKELY(int8_t(*at) >= 0))
    ++at;
  else if (LLVM_LIKELY(int8_t(at[1]) >= 0))
    at += 2;
  else
    readVarint(at, loadable);
}

/// Reads fields of an event's packet up to the event (or up to `end` if there
/// is none), behind which 16 bytes can be loaded: the end of the message is
/// checked once per field. False if it is not such a packet.
static inline bool readEventFields(const char *&at, const char *end,
                                   const char *loadable, EventPacket &packet,
                                   unsigned &fields) {
  // Encoded tags: one byte, or the first of two.
  constexpr uint8_t kTimestamp = 8 << 3, kSequence = 10 << 3, kFlags = 13 << 3;
  constexpr uint8_t kUid = 3 << 3, kTrackEvent = 11 << 3 | 2;
  constexpr uint8_t kClockOfTwo = 0xd0, kPidOfTwo = 0xf8;
  constexpr uint8_t kClockEnd = 58 >> 4, kPidEnd = 79 >> 4;
  while (at < end) {
    switch (uint8_t(*at++)) {
    case kTimestamp:
      packet.timestamp = readVarint(at, loadable);
      packet.hasTimestamp = true;
      fields |= kOwnField;
      break;
    case kSequence:
      packet.sequence = uint32_t(readVarint(at, loadable));
      fields |= kSequenceField;
      break;
    case kTrackEvent: {
      uint64_t length = readVarint(at, loadable);
      if (at > end || length > uint64_t(end - at))
        return false;
      packet.trackEvent = llvm::StringRef(at, size_t(length));
      at += length;
      fields |= kOwnField;
      return true;
    }
    case kFlags:
      // Only the flag that the packet needs the state is accepted.
      if (*at != 0 && *at != 2)
        return false;
      packet.needsState = *at++ == 2;
      fields |= kFlagsField;
      break;
    case kUid:
      skipVarint(at, loadable);
      break;
    case kPidOfTwo:
      if (*at++ != kPidEnd)
        return false;
      skipVarint(at, loadable);
      break;
    case kClockOfTwo:
      if (*at++ != kClockEnd)
        return false;
      packet.clock = uint32_t(readVarint(at, loadable));
      fields |= kOwnField;
      break;
    default:
      return false;
    }
  }
  return at == end;
}

void EventPacketReader::keepTail(llvm::StringRef bytes, unsigned fields,
                                 const EventPacket &packet) {
  char text[kLongestTail] = {}, mask[kLongestTail] = {};
  llvm::copy(bytes, text);
  std::fill_n(mask, bytes.size(), char(-1));
  std::memcpy(tail, text, sizeof tail);
  std::memcpy(tailMask, mask, sizeof tailMask);
  tailSize = bytes.size();
  tailFields = fields;
  tailSequence = fields & kSequenceField ? packet.sequence : 0;
  tailNeedsState = (fields & kFlagsField) && packet.needsState;
}

bool EventPacketReader::read(llvm::StringRef message, const char *loadable,
                             EventPacket &packet) {
  const char *at = message.begin();
  const char *end = message.end();
  unsigned fields = 0;
  if (LLVM_UNLIKELY(size_t(loadable - end) < kLongestTail) ||
      !readEventFields(at, end, loadable, packet, fields) ||
      !packet.trackEvent.data())
    return false;
  size_t size = size_t(end - at);
  if (LLVM_LIKELY(size == tailSize && isTail(at))) {
    if (tailFields & kSequenceField)
      packet.sequence = tailSequence;
    if (tailFields & kFlagsField)
      packet.needsState = tailNeedsState;
    return true;
  }
  const char *begin = at;
  fields = 0;
  while (at < end)
    if (!readEventFields(at, end, loadable, packet, fields))
      return false;
  if (size <= kLongestTail && !(fields & kOwnField))
    keepTail({begin, size}, fields, packet);
  return true;
}

const char *perfetto::getPayloadName(uint32_t field) {
  switch (field) {
  // Descriptions of the machine, the tracer or the trace.
  case 2:   // process_tree
  case 33:  // trace_config
  case 34:  // ftrace_stats
  case 35:  // trace_stats
  case 36:  // synchronization_marker
  case 45:  // system_info
  case 46:  // trigger
  case 47:  // packages_list
  case 48:  // chrome_benchmark_metadata
  case 49:  // perfetto_metatrace
  case 51:  // chrome_metadata
  case 61:  // module_symbols
  case 64:  // deobfuscation_mapping
  case 67:  // cpu_info
  case 69:  // service_event
  case 70:  // initial_display_state
  case 72:  // extension_descriptor
  case 78:  // ui_state
  case 82:  // translation_table
  case 89:  // trace_uuid
  case 90:  // track_event_range_of_interest
  case 107: // remote_clock_sync
  case 109: // chrome_trigger
  case 113: // clone_snapshot_trigger
  case 124: // trace_provenance
  case 126: // trace_attributes
  case 128: // gpu_info
  case 130: // interrupt_info
    return nullptr;
  case 1:
    return "packet of kernel events (ftrace): not read";
  case 5:
    return "packet of Chrome's old events: not read";
  case 7:
  case 9:
    return "packet of system or process counters: not read";
  case 37:
  case 54:
  case 66:
  case 74:
  case 75:
  case 135:
    return "packet of samples or allocations: not read";
  case 39:
    return "packet of a log: not read";
  case 52:
  case 53:
  case 62:
  case 63:
  case 65:
  case 71:
    return "packet of graphics events or counters: not read";
  case 133:
    return "packet compressed with zstd: not read";
  }
  return "packet of a kind that is not read";
}

static EventType toEventType(uint64_t type) {
  return type <= uint64_t(EventType::Counter) ? EventType(type)
                                              : EventType::Unknown;
}

static double readDouble(const char *&at, const char *end) {
  if (end - at < 8)
    throw protozero::end_of_buffer_exception();
  uint64_t bits = llvm::support::endian::read64le(at);
  at += 8;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void perfetto::readTrackEvent(llvm::StringRef message, const char *loadable,
                              TrackEvent &event) {
  readFields(message, [&](uint64_t tag, const char *&at, const char *end) {
    switch (tag) {
    case varintTag(9):
      event.type = toEventType(readShortVarint(at, end));
      return;
    case varintTag(11):
      event.track = readVarint(at, end, loadable);
      event.hasTrack = true;
      return;
    case varintTag(10):
      event.nameId = readVarint(at, end, loadable);
      return;
    case bytesTag(23):
      event.name = readBytes(at, end);
      return;
    case varintTag(3): {
      uint64_t id = readShortVarint(at, end);
      event.categoryId = event.categoryId ? event.categoryId : id;
      return;
    }
    case bytesTag(3): {
      // Packed.
      llvm::StringRef ids = readBytes(at, end);
      const char *first = ids.begin();
      if (!ids.empty() && !event.categoryId)
        event.categoryId = readVarint(first, ids.end());
      return;
    }
    case bytesTag(22): {
      llvm::StringRef name = readBytes(at, end);
      event.category = event.category.empty() ? name : event.category;
      return;
    }
    case bytesTag(4):
      event.hasAnnotations = true;
      readBytes(at, end);
      return;
    case varintTag(30):
      event.value = double(int64_t(readVarint(at, end)));
      event.hasValue = true;
      return;
    case fixed64Tag(44):
      event.value = readDouble(at, end);
      event.hasValue = true;
      return;
    case varintTag(1):
      event.timeUs = int64_t(readVarint(at, end));
      event.hasDeltaUs = true;
      return;
    case varintTag(16):
      event.timeUs = int64_t(readVarint(at, end));
      event.hasAbsoluteUs = true;
      return;
    case bytesTag(6):
      event.legacy = readBytes(at, end);
      return;
    }
    uint64_t field = tag >> 3;
    event.hasExtraCounters |= field == 12 || field == 46;
    skipField(tag, at, end);
  });
}

void perfetto::readLegacyEvent(llvm::StringRef message, LegacyEvent &event) {
  readFields(message, [&](uint64_t tag, const char *&at, const char *end) {
    switch (tag) {
    case varintTag(1):
      event.nameId = readVarint(at, end);
      return;
    case varintTag(2):
      event.phase = char(readVarint(at, end));
      return;
    case varintTag(3):
      event.durationUs = int64_t(readVarint(at, end));
      return;
    case varintTag(6):
    case varintTag(10):
    case varintTag(11):
      event.hasId = true;
      break;
    }
    skipField(tag, at, end);
  });
}

Interned perfetto::readInterned(llvm::StringRef message) {
  Interned entry;
  readFields(message, [&](uint64_t tag, const char *&at, const char *end) {
    if (tag == varintTag(1))
      entry.id = readVarint(at, end);
    else if (tag == bytesTag(2))
      entry.text = readBytes(at, end);
    else
      skipField(tag, at, end);
  });
  return entry;
}

DebugAnnotation perfetto::readAnnotation(llvm::StringRef message) {
  DebugAnnotation annotation;
  readFields(message, [&](uint64_t tag, const char *&at, const char *end) {
    switch (tag) {
    case varintTag(1):
      annotation.nameId = readShortVarint(at, end);
      return;
    case bytesTag(10):
      annotation.name = readBytes(at, end);
      return;
    case bytesTag(6):
      annotation.text = readBytes(at, end);
      return;
    case varintTag(17):
      annotation.textId = readShortVarint(at, end);
      return;
    case varintTag(3):
    case varintTag(4):
      annotation.integer = int64_t(readVarint(at, end));
      annotation.hasInteger = true;
      return;
    }
    skipField(tag, at, end);
  });
  return annotation;
}
