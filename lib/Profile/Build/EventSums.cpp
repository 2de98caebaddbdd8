//===- EventSums.cpp - Sums of events, by name and by op ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EventSums.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

uint32_t EventSums::addSlot(const Event &event) {
  slots.emplace_back();
  slots.back().track = event.track;
  slots.back().name = event.name;
  return uint32_t(slots.size() - 1);
}

uint32_t EventSums::findCell(uint32_t slot, uint32_t op) {
  uint32_t &cell = byOp[uint64_t(slot) << 32 | op];
  if (cell == kNone) {
    cell = uint32_t(cells.size());
    cells.emplace_back();
    cells.back().slot = slot;
    cells.back().op = op;
  }
  return cell;
}

void EventSums::addParent(Cell &cell, const SelfTime::Closed &closed,
                          bool isAllOps) {
  if (cell.parents == kNone) {
    cell.parents = uint32_t(parents.size());
    parents.emplace_back();
  }
  Parents &sums = parents[cell.parents];
  sums.total.add(closed.durationPs);
  if (LLVM_LIKELY(isAllOps))
    return sums.self.add(closed.selfPs);
  sums.nameSelf.add(closed.selfPs);
  sums.opSelf.add(closed.opSelfPs);
}

const EventSums::Parents &EventSums::getParents(const Cell &cell) const {
  static const Parents none;
  return cell.parents == kNone ? none : parents[cell.parents];
}
