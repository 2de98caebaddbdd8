//===- Event.h - Events and tracks ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRACE_EVENT_H
#define MLIR_PROF_TRACE_EVENT_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlirprof::trace {

/// The invalid index.
inline constexpr uint32_t kNone = ~uint32_t(0);

/// One timeline of a trace: a thread, a stream, a line of an XPlane.
struct Track {
  /// The group the producer put it in (plane, process); may be empty.
  std::string plane;
  /// Its position within the plane, from 0.
  uint32_t line = 0;
  /// The producer's own number for it.
  int64_t id = 0;
  std::string name;
  std::string displayName;
  /// Begin of the track on the trace's clock, ns.
  int64_t timestampNs = 0;
  /// Index of the device, as returned by the event sink, if this is a stream of
  /// one (`id` is the stream's number); kNone for the host.
  uint32_t device = kNone;
};

/// The role of an event in the analyses, apart from being a named interval.
enum class EventRole : uint8_t {
  Plain,
  /// Marks that the asynchronous work started by the event with
  /// `flowOut == flowIn` has completed by this event's begin.
  Completion,
  /// One step of the outer loop (a training or inference step).
  Step,
};

/// One measured interval. All times are picoseconds relative to the anchor of
/// the trace's clock.
struct Event {
  uint32_t track = 0;
  /// Index of the name, as returned by the event sink.
  uint32_t name = 0;
  int64_t beginPs = 0;
  int64_t endPs = 0;
  /// Index of the measured op key, or kNone.
  uint32_t op = kNone;
  EventRole role = EventRole::Plain;
  bool hasFlowOut = false;
  bool hasFlowIn = false;
  /// The execution of the program to which this event belongs; consumers of a
  /// result are searched within the same run only.
  uint64_t run = 0;
  /// Links the event that starts asynchronous work to the one that ends it; on
  /// tracks of devices, the call that launched work to that work.
  uint64_t flowOut = 0;
  uint64_t flowIn = 0;
  /// Bytes that a device copied or set; 0 if unknown.
  uint64_t bytes = 0;
  /// The step's number, for EventRole::Step.
  int64_t step = 0;
  /// The code offset of a probe at its begin and its end, from the first
  /// function of its module; 0 if unknown.
  int64_t beginCode = 0;
  int64_t endCode = 0;
};

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_EVENT_H
