//===- RecordingBuilder.h - Recordings of other programs --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_RECORDINGBUILDER_H
#define MLIR_PROF_SCOPE_RECORDINGBUILDER_H

#include "mlir-prof/Scope/Recording.h"

#include <map>
#include <tuple>
#include <utility>

namespace mlirprof::scope {

/// Makes a recording of intervals that another program measured, in any order.
class RecordingBuilder {
public:
  RecordingBuilder() { recording.hasEvents = true; }

  /// Members that are not functions of the scopes: process, clock, losses.
  Recording &getRecording() { return recording; }

  /// Equal sites are one.
  uint32_t addSite(Site site);
  /// Gives the thread its number, which is its index.
  uint32_t addThread(Thread thread);
  /// Adds a scope; only site, thread, parent, begin, end, how it ended and
  /// isOutside are read. The parent is the number of a scope that was added
  /// before, or kNoScope. An end before the begin becomes the begin, and so
  /// does one beyond the range of durations; both, and a parent that does not
  /// exist, are losses. Returns the scope's number, or kNoScope if there are
  /// too many.
  uint32_t addScope(ScopeEvent event);
  /// Adds a memory event, whose `event` is the number of a scope.
  void addMemory(MemoryEvent event) { recording.memory.push_back(event); }
  uint32_t addPlace(const std::string &name);

  /// Finds the parents of all scopes but those measured elsewhere, and the
  /// scopes of memory events: the innermost scope of the thread that was open
  /// then. Call it if none is known.
  void nest();

  /// Sorts the scopes, and computes self times and which scopes overlap. Call
  /// it once. `order` gets the number of each scope of the recording.
  Recording finish(std::vector<uint32_t> *order = nullptr);

private:
  using SiteKey = std::tuple<std::string, std::string, uint32_t, uint16_t,
                             uint8_t, uint8_t>;

  void nestMemory();

  Recording recording;
  std::map<SiteKey, uint32_t> sites;
  std::map<std::string, uint32_t> places;
};

/// Computes the self times of all scopes, and what recording took of each time,
/// from their intervals, parents and the cost of a scope.
void computeSelfTimes(Recording &recording);

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_RECORDINGBUILDER_H
