//===- InnermostEvents.cpp - Innermost events of a track ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Trace/InnermostEvents.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::trace;

void InnermostEvents::change(int64_t timePs) {
  uint32_t name = open.empty() ? kNone : open.back().name;
  // Events without duration leave no trace.
  while (!changes.empty() && changes.back().beginPs >= timePs)
    changes.pop_back();
  if (!changes.empty() && changes.back().name == name)
    return;
  changes.push_back({timePs, name});
  if (changes.size() > kMaxHeld)
    changes.pop_front();
}

void InnermostEvents::closeUntil(int64_t timePs) {
  while (!open.empty() && open.back().endPs <= timePs) {
    int64_t endPs = open.back().endPs;
    open.pop_back();
    change(endPs);
  }
}

void InnermostEvents::add(const Event &event) {
  closeUntil(event.beginPs);
  while (!open.empty() && open.back().endPs < event.endPs)
    open.pop_back();
  open.push_back({event.endPs, event.name});
  change(event.beginPs);
}

void InnermostEvents::forget(int64_t timePs) {
  // The last change before it still holds then.
  while (changes.size() > 1 && changes[1].beginPs <= timePs)
    changes.pop_front();
}

void InnermostEvents::addTimes(int64_t beginPs, int64_t endPs,
                               std::map<uint32_t, int64_t> &times) {
  closeUntil(endPs);
  auto add = [&](uint32_t name, int64_t from, int64_t to) {
    if (from < to)
      addSaturating(times[name], saturatingSub(to, from));
  };
  auto next = llvm::partition_point(
      changes, [&](const Change &change) { return change.beginPs <= beginPs; });
  uint32_t name = next == changes.begin() ? kNone : std::prev(next)->name;
  int64_t from = beginPs;
  for (; next != changes.end() && next->beginPs < endPs; ++next) {
    add(name, from, next->beginPs);
    name = next->name;
    from = next->beginPs;
  }
  add(name, from, endPs);
}
