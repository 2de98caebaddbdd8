//===- Recording.h - Recordings of scopes -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This library needs the runtime (prof_rt) alone, neither LLVM nor MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_RECORDING_H
#define MLIR_PROF_SCOPE_RECORDING_H

#include "mlir-prof/Support/Loss.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlirprof::scope {

/// Why a recording cannot be read, and what to do.
struct Problem {
  std::string what;
  std::string hint;
};

/// The invalid index.
inline constexpr uint32_t kNoScope = ~uint32_t(0);

/// A place in a program with a name, or a name made at run time (without a
/// file).
struct Site {
  std::string name;
  std::string file;
  uint32_t line = 0;
  uint16_t type = 0;
  uint8_t level = 0;
  uint8_t role = 0;
};

struct Thread {
  /// From 0, in the order of first scopes.
  uint32_t number = 0;
  /// The operating system's.
  uint64_t id = 0;
  std::string name;
  bool hasEnded = false;
  /// Records that a ring has overwritten; two a scope at most.
  uint64_t overwritten = 0;
  /// Whether it is a track of a device, `id` its number there.
  bool isDevice = false;
  /// Index into Recording::devices, or kNoScope.
  uint32_t device = kNoScope;
};

/// How the end of an event was seen.
enum class EventEnd : uint8_t {
  Ended,
  /// A part of a scope that was suspended.
  Suspended,
  /// Was open at the end of the recording, or when its process was killed; the
  /// end is that of the recording.
  Open,
};

/// One scope, or one part of a scope that was suspended. Times are picoseconds
/// relative to Clock::anchorNs.
struct ScopeEvent {
  /// Index into Recording::sites.
  uint32_t site = 0;
  /// Index into Recording::threads: where it began.
  uint32_t thread = 0;
  /// Index of the event in which it began, or for which its context stands, or
  /// kNoScope.
  uint32_t parent = kNoScope;
  /// Index of the first part of the scope; of itself without others.
  uint32_t first = 0;
  int64_t beginPs = 0;
  int64_t endPs = 0;
  /// Duration without the union of the scopes that its thread began directly
  /// inside of it.
  int64_t selfPs = 0;
  /// The parts of duration and self time that recording took, at most these.
  int64_t costPs = 0;
  int64_t selfCostPs = 0;
  EventEnd end = EventEnd::Ended;
  /// Whether the parent is the scope for which a context stands (ContextGuard),
  /// and not the one around it on its thread, whose self time lacks it.
  bool isLinked = false;
  /// Whether it ended while a scope that began in it was open, or after its
  /// parent, or on another thread: it does not nest on the thread's track.
  bool isOverlapping = false;
  /// Whether it was measured elsewhere (prof_scope_record), or on a device. The
  /// parent of one on a device is the scope that launched it, if known.
  bool isOutside = false;
  /// Whether a ring may have overwritten children: the self time is an upper
  /// bound.
  bool isSelfBound = false;

  int64_t getDurationPs() const {
    return int64_t(uint64_t(endPs) - uint64_t(beginPs));
  }
};

/// The kinds of memory events, with the numbers of Paddle's TracerMemEventType.
/// An allocator reserves memory of the system and allocates it to a program.
enum class MemoryType : uint8_t {
  Allocate,
  Free,
  ReservedAllocate,
  ReservedFree,
};

/// A change of the memory that a program has.
struct MemoryEvent {
  int64_t atPs = 0;
  /// Index into Recording::events: the innermost scope around it, or kNoScope.
  uint32_t event = kNoScope;
  /// Index into Recording::threads, or kNoScope.
  uint32_t thread = kNoScope;
  /// Index into Recording::places.
  uint32_t place = 0;
  MemoryType type = MemoryType::Allocate;
  uint64_t address = 0;
  /// By how much the memory grew; negative where it was freed.
  int64_t bytes = 0;
  /// The totals of the place after it, and their maxima so far; 0 if unknown.
  uint64_t allocated = 0;
  uint64_t reserved = 0;
  uint64_t peakAllocated = 0;
  uint64_t peakReserved = 0;
};

/// Sums of the scopes of a site on a thread, from a session with statistics.
/// Durations are in ticks of Clock.
struct SiteStatistics {
  static constexpr size_t kBuckets = 496;

  uint32_t site = 0;
  uint32_t thread = 0;
  uint32_t generation = 0;
  uint64_t calls = 0;
  uint64_t total = 0;
  uint64_t self = 0;
  uint64_t min = 0;
  uint64_t max = 0;
  /// Scopes directly inside, and inside at any depth.
  uint64_t children = 0;
  uint64_t inside = 0;
  std::array<uint32_t, kBuckets> counts = {};
};

/// The amounts that scopes may count; those of prof_scope_count.
enum class Count : uint8_t {
  Allocations,
  AllocatedBytes,
  /// Nanoseconds of the processor.
  CpuTime,
  Cycles,
  Instructions,
  CacheMisses,
  BranchMisses,
  PageFaults,
  ContextSwitches,
};
inline constexpr size_t kCounts = 9;

/// "allocations", "CPU time (ns)" and so on.
std::string_view getCountName(Count count);

/// The amounts of one event, those of its thread from begin to end.
struct EventCounts {
  uint32_t event = 0;
  /// A bit for each Count.
  uint32_t known = 0;
  std::array<uint64_t, kCounts> values = {};
  /// The parts of the values that recording took, at most these.
  std::array<uint64_t, kCounts> costs = {};

  bool has(Count count) const { return known >> unsigned(count) & 1; }
  uint64_t getRaw(Count count) const { return values[unsigned(count)]; }
  /// Without what recording took.
  uint64_t getNet(Count count) const {
    return values[unsigned(count)] - costs[unsigned(count)];
  }
};

/// The way in which counters were read.
enum class CounterSource : uint8_t {
  None,
  /// Those of the processor, by an instruction (rdpmc).
  Instruction,
  /// Those of the processor, by a call of the system.
  SystemCall,
  /// Page faults and context switches: the processor's cannot be had.
  Software,
};

/// The cost of counting a group of amounts in a scope: by how much the duration
/// of an empty one grows, and the time that it takes from the code around it.
struct CountCost {
  int64_t windowPs = 0;
  int64_t pairPs = 0;
};

/// A device whose scopes were recorded.
struct Device {
  /// Its clock and the host's at the same moment.
  struct Reading {
    int64_t hostPs = 0;
    uint64_t device = 0;
    /// The host's time is at most so far from this.
    int64_t errorPs = 0;
  };
  std::string name;
  std::vector<Reading> readings;
  /// Between two readings, by how much the time of an event may be wrong: the
  /// readings' errors, and the part by which the device's clock went more or
  /// less far than it did between others, as where it was set.
  std::vector<int64_t> errorsPs;

  /// The bound of a moment's error; the last one beyond all readings.
  int64_t getErrorPs(int64_t ps) const;
};

/// The clock whose ticks a recording has.
enum class TickSource : uint8_t {
  Unknown,
  /// The processor's counter, which has a constant rate.
  Counter,
  /// The system's monotonic clock: the processor lacks such a counter.
  SystemClock,
  Test,
};

/// The conversion of the tick counter to time.
struct Clock {
  uint64_t firstTicks = 0;
  uint64_t firstMonotonicNs = 0;
  /// The first reading, in nanoseconds since the epoch.
  int64_t anchorNs = 0;
  /// Picoseconds, below 2^63, of so many ticks.
  uint64_t ps = 1000;
  uint64_t ticks = 1;
  /// By how much the system's clock was set or slewed between the first reading
  /// and the last one.
  int64_t driftNs = 0;
  TickSource source = TickSource::Unknown;
  /// Half of the time that the first reading took: times since the epoch may be
  /// wrong by so much.
  int64_t offsetErrorPs = 0;
  /// The largest distance of a reading in between from the line through the
  /// first one and the last one.
  int64_t errorPs = 0;

  /// Saturates.
  int64_t toPs(uint64_t ticks) const;
  int64_t toDurationPs(uint64_t ticks) const;
  int64_t fromMonotonicNs(int64_t ns) const;
};

/// The part of a recording between two moments (prof_scope_moment). Scopes that
/// began before it are left out; those that ended after it are open.
struct Window {
  uint64_t fromTicks = 0;
  uint64_t toTicks = std::numeric_limits<uint64_t>::max();
  uint32_t fromGeneration = 0;
  uint32_t toGeneration = std::numeric_limits<uint32_t>::max();
};

/// The scopes of one process.
struct Recording {
  uint64_t process = 0;
  uint64_t parentProcess = 0;
  Clock clock;
  /// Duration that an empty scope measures, and by how much a scope lengthens
  /// the code around it.
  int64_t costWindowPs = 0;
  int64_t costPairPs = 0;
  bool hasEvents = false;
  bool hasStatistics = false;
  /// 0 and 1: every scope is an event; else every n-th.
  uint32_t sampleEvery = 0;
  std::vector<Site> sites;
  std::vector<Thread> threads;
  /// By thread, in the order of ends; those of devices come last.
  std::vector<ScopeEvent> events;
  std::vector<SiteStatistics> statistics;
  /// In the order of events; those that do not count anything are absent.
  std::vector<EventCounts> counts;
  CounterSource counters = CounterSource::None;
  /// By group: allocations, processor time and counters.
  std::array<CountCost, 3> countCosts = {};
  std::vector<Device> devices;
  /// Whether scopes of devices were asked for.
  bool wantsDevices = false;
  /// The names of memories ("cpu", "gpu:0").
  std::vector<std::string> places;
  /// By thread.
  std::vector<MemoryEvent> memory;
  LossList losses;
};

/// Whether `bytes` are a recording, as far as their beginning tells.
bool isRecording(std::string_view bytes);

/// Reads what prof_scope_copy, prof_scope_write or a session with a file wrote,
/// also of a process that was killed, to `out`. Fails if the beginning is not
/// of this format and version; everything else that is inconsistent is a loss.
std::optional<Problem> readRecording(std::string_view bytes, Recording &out,
                                     const Window &window = {});

/// Reads the clock of a recording alone, which takes no time.
std::optional<Problem> readClock(std::string_view bytes, Clock &out);

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_RECORDING_H
