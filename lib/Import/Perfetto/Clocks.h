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

/// Numbers that a trace gives to clocks.
enum BuiltinClock : uint32_t {
  kRealtime = 1,
  kMonotonic = 3,
  kBoottime = 6,
  /// From here a number means another clock on every sequence.
  kFirstOfSequence = 64,
  kFirstGlobal = 128,
};

/// Translates times of one clock to another's by what snapshots say. Pairs of
/// times that were taken together, by the first clock.
class ClockPath {
public:
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  explicit ClockPath(std::vector<Pairs> pairsOfHops) {
    for (Pairs &pairs : pairsOfHops)
      hops.emplace_back(std::move(pairs));
  }

  /// The time of the last clock; none when it does not fit.
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
  /// One of the snapshots holds for all times from `fromNs` to `untilNs`: times
  /// are asked for mostly in their order.
  struct Hop {
    explicit Hop(Pairs pairs) : pairs(std::move(pairs)) {}
    void find(int64_t ns);

    Pairs pairs;
    size_t at = 0;
    int64_t fromNs = 0;
    int64_t untilNs = 0;
  };

  /// None for the clock itself.
  std::vector<Hop> hops;
};

/// The clocks of a trace and their snapshots. Times are in ns.
class Clocks {
public:
  /// Index of the clock that `id` is on a sequence.
  uint32_t getIndex(uint32_t sequence, uint32_t id);

  /// Takes the message ClockSnapshot in a packet of `sequence`. Throws
  /// protozero's exceptions.
  void addSnapshot(uint32_t sequence, llvm::StringRef message);

  /// The time in ns that a packet's `timestamp` means, which may be the
  /// difference from the packet before; none when it does not fit.
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

  /// The clock that the trace is on: the one that it names, else the time since
  /// boot where that is in a snapshot, else `used`.
  uint32_t getTraceClock(uint32_t used);
  /// From a clock to another; none when no chain of snapshots links them.
  std::optional<ClockPath> findPath(uint32_t from, uint32_t to) const;
  std::string getName(uint32_t clock) const;
  size_t size() const { return clocks.size(); }
  /// Clocks beyond those that one snapshot may have.
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
  /// Readings of one snapshot.
  using Snapshot = std::vector<Reading>;

  static std::optional<int64_t> readAny(Clock &clock, uint64_t timestamp);
  void addReading(uint32_t sequence, llvm::StringRef message,
                  Snapshot &snapshot);
  ClockPath::Pairs getPairs(uint32_t from, uint32_t to) const;

  std::vector<Clock> clocks;
  trace::IntegerMap byId;
  std::vector<Snapshot> snapshots;
  /// Of each clock: which others stand in a snapshot with it, and which
  /// snapshots it stands in.
  std::vector<std::vector<uint32_t>> neighbors;
  std::vector<std::vector<uint32_t>> snapshotsOf;
  /// The pairs that `neighbors` has.
  trace::IntegerMap edges;
  uint32_t primary = 0;
  uint64_t leftOut = 0;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_CLOCKS_H
