//===- Slices.h - Forming slices from begins and ends -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_SLICES_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_SLICES_H

#include "../Common/Lanes.h"
#include "Clocks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <vector>

namespace mlirprof::importer::perfetto {

/// The op measured by a slice.
struct SliceOp {
  uint32_t op = trace::kNone;
  /// Whether the slice states it, beyond its name. If any slice does, slices
  /// that do not are not ops.
  bool isAnnotated = false;
  /// Picoseconds in addition to the whole nanoseconds of its begin and end.
  uint32_t beginPs = 0;
  uint32_t endPs = 0;
};

/// The begin or the end of a slice, without its time.
struct SliceChange {
  /// Index of a lane of Slices, which also determines the clock.
  uint32_t lane = trace::kNone;
  uint32_t clock = trace::kNone;
  /// kNone for an end.
  uint32_t name = trace::kNone;
  /// As returned by Slices::pack.
  uint32_t op = trace::kNone;
};

/// Collects the halves on each track and clock, and pairs begins with ends once
/// all of them are known: packets of several writers are ordered by when their
/// buffers were full, not by time.
class Slices {
public:
  SliceChange getBegin(uint32_t track, uint32_t clock, uint32_t name,
                       const SliceOp &op) {
    return {getLane(track, clock), clock, name, pack(op)};
  }
  SliceChange getEnd(uint32_t track, uint32_t clock) {
    return {getLane(track, clock), clock, trace::kNone, trace::kNone};
  }
  void add(const SliceChange &change, int64_t ns) {
    take(lanes[change.lane], {ns, change.name, change.op});
  }
  void whole(uint32_t track, uint32_t clock, int64_t ns, int64_t endNs,
             uint32_t name, const SliceOp &op) {
    HalfLane &lane = lanes[getLane(track, clock)];
    lane.wholes.push_back({ns, endNs, name, pack(op)});
  }

  /// The clock of the most events, or kNone.
  uint32_t getMostUsedClock() const;

  /// Pairs all halves, translates times to `traceClock`, and returns the events
  /// as lanes on the tracks given above. Reports halves without a partner and
  /// events without a time on that clock. Sets `originNs` to the first time.
  std::vector<Lane> take(const Clocks &clocks, uint32_t traceClock,
                         profile::ProfileBuilder &builder, int64_t &originNs);

private:
  /// A begin, or an end (whose name is kNone).
  struct Half {
    int64_t ns;
    uint32_t name;
    uint32_t op;
  };
  /// Halves are paired immediately while they arrive in order of time, as they
  /// mostly do. The first one out of order undoes that.
  struct HalfLane {
    uint32_t track;
    uint32_t clock;
    /// With times in ns: complete slices; and paired ones, in order of their
    /// begins. A slice without an end so far ends at its begin.
    LaneEvents wholes, slices;
    /// Indices of slices without an end so far.
    llvm::SmallVector<size_t, 0> open;
    /// Time of the last half.
    int64_t lastNs = std::numeric_limits<int64_t>::min();
    /// Whether each half is a begin, and the times of ends without a begin:
    /// information that pairing loses.
    std::vector<bool> isBegin;
    std::vector<int64_t> strayEnds;
    /// All halves in their original order, once one was out of order.
    bool isOrdered = true;
    std::vector<Half> halves;
  };
  struct Troubles {
    uint64_t strayEnds = 0;
    uint64_t openBegins = 0;
    int64_t openPs = 0;
    uint64_t negative = 0;
    uint64_t outOfRange = 0;
  };

  /// Indices of ops that refer to entries of `annotated`.
  static constexpr uint32_t kAnnotated = uint32_t(1) << 31;

  /// Packs the op of a slice into 32 bits, since millions of slices wait.
  uint32_t pack(const SliceOp &op) {
    if (!op.isAnnotated && !op.beginPs && !op.endPs)
      return op.op;
    return packAnnotated(op);
  }
  uint32_t packAnnotated(const SliceOp &op);

  uint32_t getLane(uint32_t track, uint32_t clock) {
    if (LLVM_LIKELY(track < lastOfTrack.size())) {
      uint32_t last = lastOfTrack[track];
      if (LLVM_LIKELY(last != trace::kNone && lanes[last].clock == clock))
        return last;
    }
    return findLane(track, clock);
  }
  uint32_t findLane(uint32_t track, uint32_t clock);

  LLVM_ATTRIBUTE_ALWAYS_INLINE
  static void take(HalfLane &lane, const Half &half) {
    if (LLVM_UNLIKELY(!lane.isOrdered || half.ns < lane.lastNs))
      return keepHalf(lane, half);
    pair(lane, half);
  }
  /// Pairs a half that is not before the last one.
  LLVM_ATTRIBUTE_ALWAYS_INLINE
  static void pair(HalfLane &lane, const Half &half) {
    lane.lastNs = half.ns;
    lane.isBegin.push_back(half.name != trace::kNone);
    if (half.name != trace::kNone) {
      lane.open.push_back(lane.slices.size());
      lane.slices.push_back({half.ns, half.ns, half.name, half.op});
    } else if (LLVM_UNLIKELY(lane.open.empty())) {
      lane.strayEnds.push_back(half.ns);
    } else {
      lane.slices[lane.open.pop_back_val()].endPs = half.ns;
    }
  }
  static void keepHalf(HalfLane &lane, const Half &half);
  static void unpair(HalfLane &lane);
  void finish(HalfLane &lane);
  bool translate(const Clocks &clocks, uint32_t traceClock, HalfLane &lane,
                 profile::ProfileBuilder &builder);
  void toPs(Lane &lane, int64_t originNs);
  void report(profile::ProfileBuilder &builder) const;

  std::vector<HalfLane> lanes;
  /// The last lane of each track, and the lane of each track and clock.
  std::vector<uint32_t> lastOfTrack;
  trace::IntegerMap byTrackAndClock;
  /// Ops known from annotations, by (op, picoseconds); at most 2^31.
  std::vector<SliceOp> annotated;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> packed;
  bool hasAnnotatedOps = false;
  Troubles troubles;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_SLICES_H
