//===- Slices.h - Begins and ends become slices -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_SLICES_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_SLICES_H

#include "../Lanes.h"
#include "Clocks.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof::perfetto {

/// What a slice measured.
struct SliceOp {
  uint32_t op = kNone;
  /// Whether the slice says so, beyond its name. Where any does, slices that do
  /// not are no ops.
  bool isAnnotated = false;
  /// Picoseconds beyond the whole nanoseconds of its begin and end.
  uint32_t beginPs = 0;
  uint32_t endPs = 0;
};

/// Collects what stands on each track and clock, and pairs begins with ends
/// once all of it is known: packets of several writers come as their buffers
/// were full, not by time.
class Slices {
public:
  void begin(uint32_t track, uint32_t clock, int64_t ns, uint32_t name,
             const SliceOp &op) {
    getLane(track, clock).halves.push_back({ns, name, pack(op)});
  }
  void end(uint32_t track, uint32_t clock, int64_t ns) {
    getLane(track, clock).halves.push_back({ns, kNone, kNone});
  }
  void whole(uint32_t track, uint32_t clock, int64_t ns, int64_t endNs,
             uint32_t name, const SliceOp &op) {
    getLane(track, clock).events.push_back({ns, endNs, name, pack(op)});
  }

  /// The clock with most of the events, or kNone.
  uint32_t getMostUsedClock() const;

  /// Pairs all, translates times to `traceClock`, and gives the events as
  /// lanes whose tracks are those given above. Reports what has no partner and
  /// what has no place on that clock. `originNs` becomes the first time.
  std::vector<Lane> take(const Clocks &clocks, uint32_t traceClock,
                         ProfileBuilder &builder, int64_t &originNs);

private:
  /// A begin, or an end (whose name is kNone).
  struct Half {
    int64_t ns;
    uint32_t name;
    uint32_t op;
  };
  struct HalfLane {
    uint32_t track;
    uint32_t clock;
    std::vector<Half> halves;
    /// With times in ns.
    std::vector<LaneEvent> events;
  };
  struct Troubles {
    uint64_t strayEnds = 0;
    uint64_t openBegins = 0;
    int64_t openPs = 0;
    uint64_t negative = 0;
    uint64_t outOfRange = 0;
  };

  /// Indices of ops that stand for entries of `annotated`.
  static constexpr uint32_t kAnnotated = uint32_t(1) << 31;

  /// What tells the op of a slice in 32 bits: millions of slices wait.
  uint32_t pack(const SliceOp &op) {
    if (!op.isAnnotated && !op.beginPs && !op.endPs)
      return op.op;
    return packAnnotated(op);
  }
  uint32_t packAnnotated(const SliceOp &op);
  HalfLane &getLane(uint32_t track, uint32_t clock);
  void pair(HalfLane &lane);
  bool translate(const Clocks &clocks, uint32_t traceClock, HalfLane &lane,
                 ProfileBuilder &builder);
  void toPs(std::vector<LaneEvent> &events, int64_t originNs);
  void report(ProfileBuilder &builder) const;

  std::vector<HalfLane> lanes;
  /// The last lane of each track, and that of each track and clock.
  std::vector<uint32_t> lastOfTrack;
  IntegerMap byTrackAndClock;
  /// Ops that annotations tell, by (op, picoseconds); at most 2^31.
  std::vector<SliceOp> annotated;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> packed;
  bool hasAnnotatedOps = false;
  Troubles troubles;
};

} // namespace mlirprof::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_SLICES_H
