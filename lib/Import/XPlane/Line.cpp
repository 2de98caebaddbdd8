//===- Line.cpp - Events of one line --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Line.h"
#include "FastWire.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::trace;
using pbf_reader = mlirprof::ProtoReader;

namespace {

/// The fields of an XEvent as encoded in the file.
struct EventFields {
  int64_t metadataId = 0;
  int64_t offsetPs = 0;
  int64_t durationPs = 0;
  int64_t occurrences = 0;
  bool isAggregated = false;
  uint32_t mistyped = 0;
  const char *stats = nullptr;
};

} // namespace

/// Reads the fields of one event in any order; skips its stats.
static void readAnyEvent(llvm::StringRef message, EventFields &fields) {
  pbf_reader reader(message.data(), message.size());
  const char *at = message.data();
  for (; reader.next(); at = reader.data().data()) {
    switch (reader.tag_and_type()) {
    case varintField(1):
      fields.metadataId = reader.get_int64();
      break;
    case varintField(2):
      fields.offsetPs = reader.get_int64();
      fields.isAggregated = false;
      break;
    case varintField(3):
      fields.durationPs = reader.get_int64();
      break;
    case bytesField(4):
      if (!fields.stats)
        fields.stats = at;
      reader.skip();
      break;
    case varintField(5):
      fields.occurrences = reader.get_int64();
      fields.isAggregated = true;
      break;
    default:
      fields.mistyped += reader.tag() <= 5;
      reader.skip();
    }
  }
}

/// Reads the fields of one event, up to its stats if these come last, as in
/// every protobuf library's encoding of events with an offset. Fields after
/// them are found, and counted, when the stats are read.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void readEvent(llvm::StringRef message,
                                                   EventFields &fields) {
  const char *at = message.begin();
  const char *end = message.end();
  if (LLVM_LIKELY(at != end && *at == kVarint1))
    fields.metadataId = int64_t(readShortVarint(++at, end));
  if (LLVM_LIKELY(at != end && *at == kVarint2)) {
    fields.offsetPs = int64_t(readVarint(++at, end));
    if (at != end && *at == kVarint3)
      fields.durationPs = int64_t(readVarint(++at, end));
    if (at == end)
      return;
    if (LLVM_LIKELY(*at == kBytes4)) {
      fields.stats = at;
      return;
    }
  }
  fields = EventFields();
  readAnyEvent(message, fields);
}

/// The event at `at`, which is advanced past it, or an empty view with a null
/// data pointer if another field is there.
static inline llvm::StringRef takeEvent(const char *&at, const char *end) {
  if (LLVM_UNLIKELY(*at != kBytes4))
    return llvm::StringRef();
  ++at;
  size_t length = readLength(at, end);
  llvm::StringRef message(at, length);
  at += length;
  return message;
}

namespace {

/// An event in the form of nearly all: id, offset, duration, stats; its fields
/// end where its stats begin, or at its end.
struct UsualEvent {
  int64_t metadataId;
  int64_t offsetPs;
  int64_t durationPs;
  const char *begin;
  const char *stats;
  const char *end;
};

} // namespace

/// Number of bytes that takeUsual() examines: tag and length of the event, tag
/// and id, twice a tag and a time, the tag of the stats.
static constexpr ptrdiff_t kUsualBytes = 3 + 3 + 2 * 9 + 1;

/// Reads the event at `at`. False if it is not in the usual form, or the line
/// ends soon; then nothing is known about it.
LLVM_ATTRIBUTE_ALWAYS_INLINE static bool
takeUsual(const char *at, const char *end, UsualEvent &event) {
  if (LLVM_UNLIKELY(end - at < kUsualBytes || *at++ != kBytes4))
    return false;
  auto readShort = [&at] {
    uint64_t value = uint8_t(*at++);
    if (LLVM_UNLIKELY(value & 0x80))
      value = (value & 0x7f) | uint64_t(uint8_t(*at++)) << 7;
    return value;
  };
  uint64_t length = readShort();
  event.begin = at;
  if (LLVM_UNLIKELY(length > uint64_t(end - at) || *at++ != kVarint1))
    return false;
  event.end = event.begin + length;
  uint64_t metadataId = readShort();
  uint64_t offsetPs, durationPs = 0;
  // A bit above those of two bytes indicates a third one.
  if (LLVM_UNLIKELY(((length | metadataId) >> 14) || *at++ != kVarint2 ||
                    !readLoadedVarint(at, offsetPs)))
    return false;
  if (LLVM_LIKELY(at < event.end && *at == kVarint3))
    if (!readLoadedVarint(++at, durationPs))
      return false;
  event.stats = at;
  event.metadataId = int64_t(metadataId);
  event.offsetPs = int64_t(offsetPs);
  event.durationPs = int64_t(durationPs);
  return at == event.end || (at < event.end && *at == kBytes4);
}

//===----------------------------------------------------------------------===//
// scanLine
//===----------------------------------------------------------------------===//

namespace {

/// Checks the order of a line's events.
class OrderCheck {
public:
  void add(int64_t offsetPs, int64_t durationPs) {
    durationPs = std::max<int64_t>(durationPs, 0);
    if (!isFirst && offsetPs < lastOffsetPs)
      order = LineOrder::Unordered;
    else if (!isFirst && offsetPs == lastOffsetPs &&
             durationPs > lastDurationPs && order == LineOrder::Ordered)
      order = LineOrder::TiesUnordered;
    isFirst = false;
    lastOffsetPs = offsetPs;
    lastDurationPs = durationPs;
  }

  LineOrder order = LineOrder::Ordered;

private:
  bool isFirst = true;
  int64_t lastOffsetPs = 0;
  int64_t lastDurationPs = 0;
};

} // namespace

static void scanEvent(llvm::StringRef message, LineInfo &info,
                      OrderCheck &check) {
  EventFields fields;
  readEvent(message, fields);
  info.mistypedFields += fields.mistyped;
  if (fields.isAggregated) {
    ++info.aggregated;
    info.occurrences += uint64_t(std::max<int64_t>(fields.occurrences, 0));
    info.aggregatedPs = saturatingAdd(info.aggregatedPs,
                                      std::max<int64_t>(fields.durationPs, 0));
    return;
  }
  ++info.events;
  check.add(fields.offsetPs, fields.durationPs);
}

/// Reads the field at which `reader` is, other than an event.
static void readLineField(pbf_reader &reader, LineInfo &info) {
  switch (reader.tag_and_type()) {
  case varintField(1):
    info.id = reader.get_int64();
    break;
  case bytesField(2):
    info.name = toRef(reader.get_view());
    break;
  case varintField(3):
    info.timestampNs = reader.get_int64();
    break;
  case bytesField(11):
    info.displayName = toRef(reader.get_view());
    break;
  default:
    info.mistypedFields += reader.tag() <= 4 || reader.tag() == 11;
    reader.skip();
  }
}

LineInfo xplane::scanLine(llvm::StringRef line, Backing backing,
                          const char *&position) {
  LineInfo info;
  OrderCheck check;
  ReadPages pages(line.begin(), backing);
  const char *at = line.begin();
  while (at != line.end()) {
    position = at;
    pages.readTo(at);
    if (UsualEvent event; LLVM_LIKELY(takeUsual(at, line.end(), event))) {
      ++info.events;
      check.add(event.offsetPs, event.durationPs);
      at = event.end;
      continue;
    }
    if (llvm::StringRef event = takeEvent(at, line.end()); event.data()) {
      scanEvent(event, info, check);
      continue;
    }
    pbf_reader reader(at, size_t(line.end() - at));
    reader.next();
    readLineField(reader, info);
    at = reader.data().data();
  }
  info.order = check.order;
  return info;
}

//===----------------------------------------------------------------------===//
// LineCursor
//===----------------------------------------------------------------------===//

LineCursor::LineCursor(llvm::StringRef line, Backing backing,
                       const LineInfo &info, int64_t originNs, uint32_t plane,
                       uint32_t track, TimeTroubles &troubles)
    : at(line.begin()), end(line.end()), pages(at, backing), plane(plane),
      track(track), order(info.order), troubles(&troubles) {
  int64_t relativeNs;
  if (__builtin_sub_overflow(info.timestampNs, originNs, &relativeNs) ||
      __builtin_mul_overflow(relativeNs, int64_t(1000), &basePs)) {
    ++troubles.overflows;
    basePs = info.timestampNs < 0 ? std::numeric_limits<int64_t>::min()
                                  : std::numeric_limits<int64_t>::max();
  }
}

/// The slow part of decode(): times that are negative or out of range.
void LineCursor::repairTimes(int64_t offsetPs, int64_t durationPs,
                             RawEvent &event) {
  troubles->negativeOffsets += offsetPs < 0;
  troubles->negativeDurations += durationPs < 0;
  durationPs = std::max<int64_t>(durationPs, 0);
  int64_t endPs;
  event.beginPs = saturatingAdd(basePs, offsetPs);
  event.endPs = saturatingAdd(event.beginPs, durationPs);
  if (__builtin_add_overflow(basePs, offsetPs, &endPs) ||
      __builtin_add_overflow(endPs, durationPs, &endPs))
    ++troubles->overflows;
}

bool LineCursor::decode(llvm::StringRef message, RawEvent &event) {
  EventFields fields;
  readEvent(message, fields);
  if (fields.isAggregated)
    return false;
  event.position = message.data();
  event.metadataId = fields.metadataId;
  bool isOdd = (fields.offsetPs | fields.durationPs) < 0;
  isOdd |= __builtin_add_overflow(basePs, fields.offsetPs, &event.beginPs);
  isOdd |=
      __builtin_add_overflow(event.beginPs, fields.durationPs, &event.endPs);
  if (LLVM_UNLIKELY(isOdd))
    repairTimes(fields.offsetPs, fields.durationPs, event);
  event.stats =
      fields.stats
          ? llvm::StringRef(fields.stats, size_t(message.end() - fields.stats))
          : llvm::StringRef();
  return true;
}

/// Reads the next event if it is in the usual form with a time in range; after
/// false it is still to be read.
LLVM_ATTRIBUTE_ALWAYS_INLINE bool LineCursor::decodeUsual(RawEvent &event) {
  UsualEvent usual;
  if (LLVM_UNLIKELY(!takeUsual(at, end, usual)))
    return false;
  bool isOdd = (usual.offsetPs | usual.durationPs) < 0;
  isOdd |= __builtin_add_overflow(basePs, usual.offsetPs, &event.beginPs);
  isOdd |=
      __builtin_add_overflow(event.beginPs, usual.durationPs, &event.endPs);
  event.metadataId = usual.metadataId;
  event.position = usual.begin;
  event.stats = llvm::StringRef(usual.stats, size_t(usual.end - usual.stats));
  at = LLVM_UNLIKELY(isOdd) ? at : usual.end;
  return !isOdd;
}

bool LineCursor::decodeNext(RawEvent &event) {
  while (at != end) {
    if (LLVM_LIKELY(decodeUsual(event)))
      return true;
    if (llvm::StringRef message = takeEvent(at, end); message.data()) {
      if (decode(message, event))
        return true;
      continue;
    }
    pbf_reader reader(at, size_t(end - at));
    reader.next();
    reader.skip();
    at = reader.data().data();
  }
  return false;
}

void LineCursor::fillBuffer() {
  buffer.clear();
  nextInBuffer = 0;
  if (!hasAhead && !(hasAhead = decodeNext(ahead)))
    return;
  bool all = order == LineOrder::Unordered;
  do
    buffer.push_back(ahead);
  while ((hasAhead = decodeNext(ahead)) &&
         (all || ahead.beginPs == buffer.back().beginPs));
  std::sort(buffer.begin(), buffer.end(),
            [](const RawEvent &a, const RawEvent &b) {
              return std::tie(a.beginPs, b.endPs, a.position) <
                     std::tie(b.beginPs, a.endPs, b.position);
            });
}

bool LineCursor::advanceBuffered() {
  if (nextInBuffer == buffer.size())
    fillBuffer();
  if (nextInBuffer == buffer.size())
    return false;
  current = buffer[nextInBuffer++];
  return true;
}
