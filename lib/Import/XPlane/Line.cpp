//===- Line.cpp - Events of one line --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Line.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::xplane;
using protozero::pbf_reader;

namespace {

/// The fields of an XEvent as they stand in the file.
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

/// Reads the fields of one event; steps over its stats.
static inline void readEventFields(pbf_reader reader, EventFields &fields) {
  const char *at = reader.data().data();
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

LineInfo xplane::scanLine(llvm::StringRef line, const char *&position) {
  LineInfo info;
  OrderCheck check;
  pbf_reader reader(line.data(), line.size());
  while (position = reader.data().data(), reader.next()) {
    switch (reader.tag_and_type()) {
    case bytesField(4): {
      EventFields fields;
      readEventFields(reader.get_message(), fields);
      info.mistypedFields += fields.mistyped;
      if (fields.isAggregated) {
        ++info.aggregated;
        info.occurrences += uint64_t(std::max<int64_t>(fields.occurrences, 0));
        info.aggregatedPs = saturatingAdd(
            info.aggregatedPs, std::max<int64_t>(fields.durationPs, 0));
        break;
      }
      ++info.events;
      check.add(fields.offsetPs, fields.durationPs);
      break;
    }
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
  info.order = check.order;
  return info;
}

//===----------------------------------------------------------------------===//
// LineCursor
//===----------------------------------------------------------------------===//

LineCursor::LineCursor(llvm::StringRef line, const LineInfo &info,
                       int64_t originNs, uint32_t plane, uint32_t track,
                       TimeTroubles &troubles)
    : reader(line.data(), line.size()), plane(plane), track(track),
      order(info.order), troubles(&troubles) {
  int64_t relativeNs;
  if (__builtin_sub_overflow(info.timestampNs, originNs, &relativeNs) ||
      __builtin_mul_overflow(relativeNs, int64_t(1000), &basePs)) {
    ++troubles.overflows;
    basePs = info.timestampNs < 0 ? std::numeric_limits<int64_t>::min()
                                  : std::numeric_limits<int64_t>::max();
  }
}

bool LineCursor::decode(protozero::data_view message, RawEvent &event) {
  EventFields fields;
  readEventFields(pbf_reader(message), fields);
  if (fields.isAggregated)
    return false;
  if (fields.durationPs < 0) {
    ++troubles->negativeDurations;
    fields.durationPs = 0;
  }
  troubles->negativeOffsets += fields.offsetPs < 0;
  event.position = message.data();
  event.metadataId = fields.metadataId;
  if (__builtin_add_overflow(basePs, fields.offsetPs, &event.beginPs) ||
      __builtin_add_overflow(event.beginPs, fields.durationPs, &event.endPs)) {
    ++troubles->overflows;
    event.beginPs = saturatingAdd(basePs, fields.offsetPs);
    event.endPs = saturatingAdd(event.beginPs, fields.durationPs);
  }
  const char *end = message.data() + message.size();
  event.stats = fields.stats
                    ? llvm::StringRef(fields.stats, size_t(end - fields.stats))
                    : llvm::StringRef();
  return true;
}

bool LineCursor::decodeNext(RawEvent &event) {
  while (reader.next()) {
    if (reader.tag_and_type() != bytesField(4))
      reader.skip();
    else if (decode(reader.get_view(), event))
      return true;
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
