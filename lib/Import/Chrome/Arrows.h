//===- Arrows.h - Arrows between trace events -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_CHROME_ARROWS_H
#define MLIR_PROF_LIB_IMPORT_CHROME_ARROWS_H

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace mlirprof::importer::chrome {

/// The arrows of a trace (flow events). An end of an arrow names a time on a
/// track, and belongs to the innermost event there; an event that begins at
/// this time counts. Ends are found anywhere in the file, before the events
/// come in order.
class Arrows {
public:
  /// The arrow of phase 's' begins, that of 't' continues, of 'f' ends. Ends of
  /// one arrow have one key.
  void add(char phase, uint32_t track, int64_t atPs, llvm::StringRef key);
  /// Call after all ends. Times of events are relative to `originPs`.
  void beginEvents(int64_t originPs);
  /// The next event in order of (begin, -end); `kept` is its number among the
  /// kept events, or kNone.
  void addEvent(uint32_t track, int64_t beginPs, int64_t endPs, uint32_t kept);
  /// Hands the arrows over, and counts those that cannot be kept.
  void finish(profile::ProfileBuilder &builder, LossList &losses);

  struct End {
    int64_t atPs = 0;
    uint32_t track = 0;
    uint32_t flow = 0;
    char phase = 's';
    /// Whether an event lies there, and its number if it is kept.
    bool isBound = false;
    uint32_t kept = trace::kNone;
  };

private:
  struct Open {
    int64_t endPs = 0;
    uint32_t kept = trace::kNone;
  };
  /// The open events of a track that has ends, and its next end.
  struct Lane {
    std::vector<Open> open;
    size_t next = 0;
    size_t last = 0;
  };

  void bind(Lane &lane, int64_t beforePs);

  std::vector<End> ends;
  llvm::StringMap<uint32_t> flows;
  std::vector<Lane> lanes;
};

} // namespace mlirprof::importer::chrome

#endif // MLIR_PROF_LIB_IMPORT_CHROME_ARROWS_H
