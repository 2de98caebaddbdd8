//===- Line.h - Events of one line ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_LINE_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_LINE_H

#include "../Common/Wire.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Event.h"

#include <vector>

namespace mlirprof::importer::xplane {

/// One XEvent: its interval, and the position of its stats.
struct RawEvent {
  int64_t beginPs = 0;
  int64_t endPs = 0;
  int64_t metadataId = 0;
  /// Its position in the file.
  const char *position = nullptr;
  /// From its first stat to its end.
  llvm::StringRef stats;
};

/// The order of a line's events in the file.
enum class LineOrder : uint8_t {
  /// By (begin, -end): can be read in place.
  Ordered,
  /// By begin, but not by -end among events with the same begin.
  TiesUnordered,
  Unordered,
};

/// The result of a first scan of a line, whose fields may be in any order.
struct LineInfo {
  int64_t id = 0;
  int64_t timestampNs = 0;
  llvm::StringRef name;
  llvm::StringRef displayName;
  LineOrder order = LineOrder::Ordered;
  /// Events with a time.
  uint64_t events = 0;
  /// Events that represent several occurrences without times: occurrences and
  /// total duration.
  uint64_t aggregated = 0;
  uint64_t occurrences = 0;
  int64_t aggregatedPs = 0;
  uint64_t mistypedFields = 0;
};

/// Scans a line, without the stats of its events. `position` is updated while
/// reading. Throws protozero's exceptions.
LineInfo scanLine(llvm::StringRef line, Backing backing, const char *&position);

/// Errors in the times of events.
struct TimeTroubles {
  uint64_t negativeOffsets = 0;
  uint64_t negativeDurations = 0;
  uint64_t overflows = 0;
};

/// Returns the events of one line ordered by (begin, -end), ties as in the
/// file.
class LineCursor {
public:
  /// `originNs` is subtracted from the line's timestamp.
  LineCursor(llvm::StringRef line, Backing backing, const LineInfo &info,
             int64_t originNs, uint32_t plane, uint32_t track,
             TimeTroubles &troubles);

  /// Goes to the first or next event; false at the end of the line. Throws
  /// protozero's exceptions.
  bool advance() {
    if (order != LineOrder::Ordered)
      return advanceBuffered();
    return decodeNext(current);
  }
  /// Releases the memory of what was read; the stats of the current event can
  /// still be read.
  void release() { pages.readTo(at); }
  const RawEvent &get() const { return current; }
  uint32_t getPlane() const { return plane; }
  uint32_t getTrack() const { return track; }

  /// Whether this line's event comes before that of `other`.
  bool isBefore(const LineCursor &other) const {
    if (current.beginPs != other.current.beginPs)
      return current.beginPs < other.current.beginPs;
    if (current.endPs != other.current.endPs)
      return current.endPs > other.current.endPs;
    return track < other.track;
  }

private:
  bool decodeNext(RawEvent &event);
  bool decodeUsual(RawEvent &event);
  bool decode(llvm::StringRef message, RawEvent &event);
  void repairTimes(int64_t offsetPs, int64_t durationPs, RawEvent &event);
  bool advanceBuffered();
  void fillBuffer();

  const char *at;
  const char *end;
  ReadPages pages;
  RawEvent current;
  int64_t basePs;
  uint32_t plane;
  uint32_t track;
  LineOrder order;
  bool hasAhead = false;
  TimeTroubles *troubles;
  /// For lines that are not ordered: the events with the same begin, or all.
  std::vector<RawEvent> buffer;
  size_t nextInBuffer = 0;
  RawEvent ahead;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_LINE_H
