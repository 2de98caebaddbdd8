//===- Lanes.h - Merging events of several timelines ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_LANES_H
#define MLIR_PROF_LIB_IMPORT_COMMON_LANES_H

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Support/PageArray.h"
#include "mlir-prof/Trace/Event.h"

#include <vector>

namespace mlirprof::importer {

/// An event waiting to be merged.
struct LaneEvent {
  int64_t beginPs = 0;
  int64_t endPs = 0;
  /// As in Event.
  uint32_t name = 0;
  uint32_t op = trace::kNone;
};

using LaneEvents = PageArray<LaneEvent>;

/// Whether `a` must be passed to an EventSink before `b`.
inline bool isBefore(const LaneEvent &a, const LaneEvent &b) {
  return a.beginPs != b.beginPs ? a.beginPs < b.beginPs : a.endPs > b.endPs;
}

/// Events of one track, or of a part of it.
struct Lane {
  uint32_t track = 0;
  LaneEvents events;
  /// Whether they are known to be in that order; if not, it is checked.
  bool isSorted = false;
};

/// Passes the events of all lanes to `builder`, in the order that an EventSink
/// requires. Lanes in that order, as most are, are merged directly; others are
/// sorted first.
void emitLanes(std::vector<Lane> &lanes, profile::ProfileBuilder &builder);

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_LANES_H
