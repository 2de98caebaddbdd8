//===- Slices.cpp - Forming slices from begins and ends -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slices.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

uint32_t Slices::findLane(uint32_t track, uint32_t clock) {
  if (track >= lastOfTrack.size())
    lastOfTrack.resize(size_t(track) + 1, kNone);
  uint32_t &index = byTrackAndClock[uint64_t(track) << 32 | clock];
  if (index == kNone) {
    index = uint32_t(lanes.size());
    lanes.emplace_back();
    lanes.back().track = track;
    lanes.back().clock = clock;
  }
  return lastOfTrack[track] = index;
}

uint32_t Slices::packAnnotated(const SliceOp &op) {
  hasAnnotatedOps |= op.isAnnotated;
  uint32_t rest = op.beginPs | op.endPs << 10 | uint32_t(op.isAnnotated) << 20;
  auto [it, isNew] =
      packed.try_emplace({op.op, rest}, uint32_t(annotated.size()));
  if (isNew)
    annotated.push_back(op);
  return it->second | kAnnotated;
}

uint32_t Slices::getMostUsedClock() const {
  std::vector<size_t> used;
  for (const HalfLane &lane : lanes) {
    if (lane.clock >= used.size())
      used.resize(size_t(lane.clock) + 1);
    used[lane.clock] +=
        lane.isBegin.size() + lane.halves.size() + lane.wholes.size();
  }
  return used.empty() ? kNone
                      : uint32_t(llvm::max_element(used) - used.begin());
}

static int64_t durationPs(int64_t beginNs, int64_t endNs) {
  int64_t ps, ns = saturatingSub(endNs, beginNs);
  return __builtin_mul_overflow(ns, int64_t(1000), &ps)
             ? std::numeric_limits<int64_t>::max()
             : ps;
}

//===----------------------------------------------------------------------===//
// Halves that do not come by time
//===----------------------------------------------------------------------===//

void Slices::keepHalf(HalfLane &lane, const Half &half) {
  if (lane.isOrdered)
    unpair(lane);
  lane.halves.push_back(half);
}

/// Restores all halves of `lane`, in their original order.
void Slices::unpair(HalfLane &lane) {
  const LaneEvent *next = lane.slices.begin();
  const int64_t *stray = lane.strayEnds.data();
  llvm::SmallVector<const LaneEvent *, 0> open;
  lane.halves.reserve(lane.isBegin.size());
  for (bool isBegin : lane.isBegin) {
    if (isBegin) {
      lane.halves.push_back({next->beginPs, next->name, next->op});
      open.push_back(next++);
    } else {
      int64_t ns = open.empty() ? *stray++ : open.pop_back_val()->endPs;
      lane.halves.push_back({ns, kNone, kNone});
    }
  }
  lane.isOrdered = false;
  lane.isBegin.clear();
  lane.slices.clear();
  lane.open.clear();
  lane.strayEnds.clear();
  lane.lastNs = std::numeric_limits<int64_t>::min();
}

/// Pairs the waiting halves, and drops those without a partner.
void Slices::finish(HalfLane &lane) {
  llvm::stable_sort(lane.halves,
                    [](const Half &a, const Half &b) { return a.ns < b.ns; });
  for (const Half &half : lane.halves)
    pair(lane, half);
  lane.halves = {};
  lane.isBegin = {};
  troubles.strayEnds += lane.strayEnds.size();
  if (lane.open.empty())
    return;
  troubles.openBegins += lane.open.size();
  // The minimum duration; outer slices include inner ones.
  troubles.openPs = saturatingAdd(
      troubles.openPs,
      durationPs(lane.slices[lane.open.front()].beginPs, lane.lastNs));
  const size_t *nextOpen = lane.open.begin();
  size_t index = 0;
  LaneEvent *end = llvm::remove_if(lane.slices, [&](const LaneEvent &) {
    bool isOpen = nextOpen != lane.open.end() && *nextOpen == index;
    nextOpen += isOpen;
    ++index;
    return isOpen;
  });
  lane.slices.setSize(size_t(end - lane.slices.begin()));
}

//===----------------------------------------------------------------------===//
// The end of the trace
//===----------------------------------------------------------------------===//

/// Moves the events of `lane` to the trace's clock; false if that is
/// impossible.
bool Slices::translate(const Clocks &clocks, uint32_t traceClock,
                       HalfLane &lane, ProfileBuilder &builder) {
  std::optional<ClockPath> path = clocks.findPath(lane.clock, traceClock);
  int64_t lostPs = 0;
  for (LaneEvents *events : {&lane.wholes, &lane.slices}) {
    for (LaneEvent &event : *events) {
      if (!path) {
        lostPs = saturatingAdd(lostPs, durationPs(event.beginPs, event.endPs));
        continue;
      }
      std::optional<int64_t> begin = path->translate(event.beginPs);
      std::optional<int64_t> end = path->translate(event.endPs);
      if (!begin || !end) {
        ++troubles.outOfRange;
        begin = end = 0;
      }
      event.beginPs = *begin;
      event.endPs = *end;
    }
  }
  if (!path)
    builder.loss("slice on a clock (" + clocks.getName(lane.clock) +
                     ") that no snapshot links with the trace's (" +
                     clocks.getName(traceClock) + ")",
                 lane.wholes.size() + lane.slices.size(), lostPs);
  return path.has_value();
}

/// Converts times in ns to ps from `originNs`; records whether the events are
/// in order.
void Slices::toPs(Lane &lane, int64_t originNs) {
  lane.isSorted = true;
  const LaneEvent *last = lane.events.begin();
  for (LaneEvent &event : lane.events) {
    int64_t begin, end;
    if (event.endPs < event.beginPs) {
      ++troubles.negative;
      event.endPs = event.beginPs;
    }
    if (__builtin_sub_overflow(event.beginPs, originNs, &begin) ||
        __builtin_sub_overflow(event.endPs, originNs, &end) ||
        __builtin_mul_overflow(begin, int64_t(1000), &begin) ||
        __builtin_mul_overflow(end, int64_t(1000), &end)) {
      ++troubles.outOfRange;
      begin = end = std::numeric_limits<int64_t>::max();
    }
    event.beginPs = begin;
    event.endPs = end;
    SliceOp op;
    op.op = event.op;
    if (event.op != kNone && (event.op & kAnnotated))
      op = annotated[event.op & ~kAnnotated];
    event.op = hasAnnotatedOps && !op.isAnnotated ? kNone : op.op;
    event.beginPs = saturatingAdd(event.beginPs, op.beginPs);
    event.endPs = std::max(event.beginPs, saturatingAdd(end, op.endPs));
    lane.isSorted &= !isBefore(event, *last);
    last = &event;
  }
}

void Slices::report(ProfileBuilder &builder) const {
  auto add = [&](llvm::StringRef name, uint64_t count, int64_t timePs = 0) {
    if (count)
      builder.loss(name, count, timePs);
  };
  add("end of a slice without its begin on that track and clock",
      troubles.strayEnds);
  add("slice without an end", troubles.openBegins, troubles.openPs);
  add("event with a negative duration: counted as 0", troubles.negative);
  add("event with a time out of range", troubles.outOfRange);
}

std::vector<Lane> Slices::take(const Clocks &clocks, uint32_t traceClock,
                               ProfileBuilder &builder, int64_t &originNs) {
  std::vector<Lane> result;
  originNs = std::numeric_limits<int64_t>::max();
  for (HalfLane &lane : lanes) {
    finish(lane);
    bool isEmpty = lane.wholes.empty() && lane.slices.empty();
    if (isEmpty || (lane.clock != traceClock &&
                    !translate(clocks, traceClock, lane, builder)))
      continue;
    // Among equal ones, the complete slice comes first.
    for (LaneEvents *events : {&lane.wholes, &lane.slices}) {
      for (const LaneEvent &event : *events)
        originNs = std::min(originNs, event.beginPs);
      if (events->empty())
        continue;
      result.emplace_back();
      result.back().track = lane.track;
      result.back().events = std::move(*events);
    }
  }
  lanes.clear();
  for (Lane &lane : result)
    toPs(lane, originNs);
  report(builder);
  return result;
}
