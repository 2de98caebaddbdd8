//===- Clocks.h - Clock domains of a trace ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_CLOCKS_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_CLOCKS_H

#include "mlir-prof/Trace/IntegerMap.h"
#include "llvm/ADT/StringRef.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::importer::perfetto {

/// Numbers of clocks in a trace.
enum BuiltinClock : uint32_t {
  kRealtime = 1,
  kMonotonic = 3,
  kBoottime = 6,
  /// From here on, a number identifies a different clock on each sequence.
  kFirstOfSequence = 64,
  kFirstGlobal = 128,
};

/// Translates times of one clock to another one's by snapshots: pairs of times
/// taken together, sorted by the first clock.
class ClockPath {
public:
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  explicit ClockPath(std::vector<Pairs> pairsOfHops) {
    for (Pairs &pairs : pairsOfHops)
      hops.emplace_back(std::move(pairs));
  }

  /// The time on the last clock; none if it does not fit.
  std::optional<int64_t> translate(int64_t ns) {
    for (Hop &hop : hops) {
      if (LLVM_UNLIKELY(ns < hop.fromNs || ns >= hop.untilNs))
        hop.find(ns);
      int64_t since;
      if (__builtin_sub_overflow(ns, hop.pairs[hop.at].first, &since) ||
          __builtin_add_overflow(hop.pairs[hop.at].second, since, &ns))
        return std::nullopt;
    }
    return ns;
  }

private:
  /// One of the snapshots applies to all times from `fromNs` to `untilNs`:
  /// times are mostly requested in order.
  struct Hop {
    explicit Hop(Pairs pairs) : pairs(std::move(pairs)) {}
    void find(int64_t ns);

    Pairs pairs;
    size_t at = 0;
    int64_t fromNs = 0;
    int64_t untilNs = 0;
  };

  /// Empty for the clock itself.
  std::vector<Hop> hops;
};

/// The clocks of a trace and their snapshots. Times are in ns.
class Clocks {
public:
  /// Index of the clock that `id` identifies on a sequence.
  uint32_t getIndex(uint32_t sequence, uint32_t id);

  /// Adds the message ClockSnapshot in a packet of `sequence`. Throws
  /// protozero's exceptions.
  void addSnapshot(uint32_t sequence, llvm::StringRef message);

  /// The time in ns of a packet's `timestamp`, which may be relative to the
  /// previous packet; none if it does not fit.
  std::optional<int64_t> read(uint32_t clock, uint64_t timestamp) {
    Clock &info = clocks[clock];
    int64_t ns = info.isIncremental ? info.lastNs : 0;
    if (LLVM_UNLIKELY(info.unitNs != 1 || int64_t(timestamp) < 0 ||
                      __builtin_add_overflow(ns, int64_t(timestamp), &ns)))
      return readAny(info, timestamp);
    if (info.isIncremental)
      info.lastNs = ns;
    return ns;
  }

  /// The clock of the trace: the one that it specifies, else the time since
  /// boot if a snapshot contains it, else `used`.
  uint32_t getTraceClock(uint32_t used);
  /// The path from one clock to another; none if no chain of snapshots links
  /// them.
  std::optional<ClockPath> findPath(uint32_t from, uint32_t to) const;
  std::string getName(uint32_t clock) const;
  size_t size() const { return clocks.size(); }
  /// Number of clocks beyond the limit of one snapshot.
  uint64_t getLeftOut() const { return leftOut; }

private:
  struct Clock {
    uint32_t sequence = 0;
    uint32_t id = 0;
    uint64_t unitNs = 1;
    bool isIncremental = false;
    int64_t lastNs = 0;
  };
  struct Reading {
    uint32_t clock;
    int64_t ns;
  };
  /// Readings in one snapshot.
  using Snapshot = std::vector<Reading>;

  static std::optional<int64_t> readAny(Clock &clock, uint64_t timestamp);
  void addReading(uint32_t sequence, llvm::StringRef message,
                  Snapshot &snapshot);
  ClockPath::Pairs getPairs(uint32_t from, uint32_t to) const;

  std::vector<Clock> clocks;
  trace::IntegerMap byId;
  std::vector<Snapshot> snapshots;
  /// For each clock: the other clocks that share a snapshot with it, and the
  /// snapshots that contain it.
  std::vector<std::vector<uint32_t>> neighbors;
  std::vector<std::vector<uint32_t>> snapshotsOf;
  /// The pairs in `neighbors`.
  trace::IntegerMap edges;
  uint32_t primary = 0;
  uint64_t leftOut = 0;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_CLOCKS_H
