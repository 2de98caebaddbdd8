//===- EventSums.h - Sums of events, by name and by op ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_BUILD_EVENTSUMS_H
#define MLIR_PROF_LIB_PROFILE_BUILD_EVENTSUMS_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Trace/IntegerMap.h"
#include "mlir-prof/Trace/SelfTime.h"

namespace mlirprof::profile {

/// Sums up events in two ways at once: by track and name, and by op. An event
/// is added once, to the cell of its track, name and op; cells are merged,
/// which is exact, at the end. Most events do not have nested events, and then
/// their total time, their self time and that of their op are the same number,
/// which is summed once for all.
class EventSums {
public:
  /// The cell of `event`.
  LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t getCell(const trace::Event &event) {
    uint32_t &cell = latest[uint64_t(event.track) << 32 | event.name];
    if (LLVM_LIKELY(cell != trace::kNone && cells[cell].op == event.op))
      return cell;
    uint32_t slot = cell == trace::kNone ? addSlot(event) : cells[cell].slot;
    return cell = findCell(slot, event.op);
  }

  /// Adds an event; its tag is its cell.
  void add(const trace::SelfTime::Closed &closed) {
    Cell &cell = cells[closed.tag];
    bool isAllOps =
        closed.op == trace::kNone || closed.opSelfPs == closed.selfPs;
    if (LLVM_LIKELY(closed.selfPs == closed.durationPs && isAllOps))
      return cell.leaves.add(closed.durationPs);
    addParent(cell, closed, isAllOps);
  }

  /// Returns the sums by track and name, in order of their first event, and
  /// adds the times of ops to `execute(op)` and `self(op)`. Call once, at the
  /// end.
  template <typename Execute, typename Self>
  std::vector<EventSummary> take(Execute &&execute, Self &&self) {
    latest = {};
    byOp = {};
    for (Cell &cell : cells) {
      const Parents &others = getParents(cell);
      const Summary &leaves = cell.leaves;
      EventSummary &event = slots[cell.slot];
      for (const Summary *part : {&leaves, &others.total})
        event.total.merge(*part);
      for (const Summary *part : {&leaves, &others.self, &others.nameSelf})
        event.self.merge(*part);
      if (cell.op != trace::kNone) {
        for (const Summary *part : {&leaves, &others.total})
          execute(cell.op).merge(*part);
        for (const Summary *part : {&leaves, &others.self, &others.opSelf})
          self(cell.op).merge(*part);
      }
      // There may be millions: each is stored once.
      cell.leaves = {};
    }
    cells = {};
    return std::move(slots);
  }

private:
  struct Cell {
    uint32_t slot = 0;
    uint32_t op = trace::kNone;
    /// Index into `parents`, or kNone.
    uint32_t parents = trace::kNone;
    Summary leaves;
  };
  /// For events with nested events.
  struct Parents {
    Summary total;
    /// If the op's self time is that of the event, or there is no op.
    Summary self;
    /// If they differ.
    Summary nameSelf;
    Summary opSelf;
  };

  uint32_t addSlot(const trace::Event &event);
  uint32_t findCell(uint32_t slot, uint32_t op);
  void addParent(Cell &cell, const trace::SelfTime::Closed &closed,
                 bool isAllOps);
  const Parents &getParents(const Cell &cell) const;

  /// The cell of the last event of each (track, name), whose op is mostly that
  /// of the next as well; all cells by (slot, op).
  trace::IntegerMap latest, byOp;
  std::vector<Cell> cells;
  std::vector<Parents> parents;
  std::vector<EventSummary> slots;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_LIB_PROFILE_BUILD_EVENTSUMS_H
