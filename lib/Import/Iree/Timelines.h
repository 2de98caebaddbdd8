//===- Timelines.h - Tracks of IREE's profiles ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_IREE_TIMELINES_H
#define MLIR_PROF_LIB_IMPORT_IREE_TIMELINES_H

#include "../Common/FreeLanes.h"
#include "Records.h"
#include "mlir-prof/Profile/ProfileBuilder.h"

#include <map>
#include <tuple>
#include <vector>

namespace mlirprof::importer::iree {

/// Events on each queue of each device, by kind. Parallel work overlaps, so a
/// timeline may have several tracks.
class Timelines {
public:
  explicit Timelines(profile::ProfileBuilder &builder) : builder(builder) {}

  /// The number of the timeline to which a record belongs.
  uint32_t get(const Record &record, IntervalKind kind);
  /// The track for an interval on a timeline. Begins must ascend.
  uint32_t chooseTrack(uint32_t timeline, int64_t beginPs, int64_t endPs);

private:
  struct Timeline {
    trace::Track track;
    FreeLanes lanes;
    /// By lane.
    std::vector<uint32_t> tracks;
  };

  profile::ProfileBuilder &builder;
  std::map<std::tuple<IntervalKind, uint64_t, uint64_t, uint64_t>, uint32_t>
      numberOf;
  std::vector<Timeline> timelines;
};

} // namespace mlirprof::importer::iree

#endif // MLIR_PROF_LIB_IMPORT_IREE_TIMELINES_H
