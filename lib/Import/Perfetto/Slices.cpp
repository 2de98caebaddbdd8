//===- Slices.cpp - Begins and ends become slices -------------------------===//
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
using namespace mlirprof::perfetto;

Slices::HalfLane &Slices::getLane(uint32_t track, uint32_t clock) {
  if (track >= lastOfTrack.size())
    lastOfTrack.resize(size_t(track) + 1, kNone);
  uint32_t last = lastOfTrack[track];
  if (LLVM_LIKELY(last != kNone && lanes[last].clock == clock))
    return lanes[last];
  uint32_t &index = byTrackAndClock[uint64_t(track) << 32 | clock];
  if (index == kNone) {
    index = uint32_t(lanes.size());
    lanes.push_back({track, clock, {}, {}});
  }
  lastOfTrack[track] = index;
  return lanes[index];
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
    used[lane.clock] += lane.halves.size() + lane.events.size();
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

void Slices::pair(HalfLane &lane) {
  auto isBefore = [](const Half &a, const Half &b) { return a.ns < b.ns; };
  if (!llvm::is_sorted(lane.halves, isBefore))
    llvm::stable_sort(lane.halves, isBefore);
  size_t wholes = lane.events.size();
  lane.events.reserve(wholes + lane.halves.size() / 2);
  // Indices of events without an end so far.
  std::vector<size_t> open;
  for (const Half &half : lane.halves) {
    if (half.name != kNone) {
      open.push_back(lane.events.size());
      lane.events.push_back({half.ns, half.ns, half.name, half.op});
    } else if (open.empty()) {
      ++troubles.strayEnds;
    } else {
      lane.events[open.back()].endPs = half.ns;
      open.pop_back();
    }
  }
  if (!open.empty()) {
    int64_t lastNs = lane.halves.back().ns;
    troubles.openBegins += open.size();
    // The time that it lasted at least; outer ones include inner ones.
    troubles.openPs = saturatingAdd(
        troubles.openPs, durationPs(lane.events[open.front()].beginPs, lastNs));
    auto nextOpen = open.begin();
    size_t index = 0;
    llvm::erase_if(lane.events, [&](const LaneEvent &) {
      bool isOpen = nextOpen != open.end() && *nextOpen == index;
      nextOpen += isOpen;
      ++index;
      return isOpen;
    });
  }
  lane.halves = {};
}

/// Moves the events of `lane` to the trace's clock; false when that cannot be
/// done.
bool Slices::translate(const Clocks &clocks, uint32_t traceClock,
                       HalfLane &lane, ProfileBuilder &builder) {
  int64_t lostPs = 0;
  std::optional<ClockPath> path = clocks.findPath(lane.clock, traceClock);
  if (!path) {
    for (const LaneEvent &event : lane.events)
      lostPs = saturatingAdd(lostPs, durationPs(event.beginPs, event.endPs));
    builder.loss("slice on a clock (" + clocks.getName(lane.clock) +
                     ") that no snapshot links with the trace's (" +
                     clocks.getName(traceClock) + ")",
                 lane.events.size(), lostPs);
    return false;
  }
  for (LaneEvent &event : lane.events) {
    std::optional<int64_t> begin = path->translate(event.beginPs);
    std::optional<int64_t> end = path->translate(event.endPs);
    if (!begin || !end) {
      ++troubles.outOfRange;
      begin = end = 0;
    }
    event.beginPs = *begin;
    event.endPs = *end;
  }
  return true;
}

void Slices::toPs(std::vector<LaneEvent> &events, int64_t originNs) {
  for (LaneEvent &event : events) {
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
    pair(lane);
    if (lane.events.empty() || (lane.clock != traceClock &&
                                !translate(clocks, traceClock, lane, builder)))
      continue;
    for (const LaneEvent &event : lane.events)
      originNs = std::min(originNs, event.beginPs);
    result.push_back({lane.track, std::move(lane.events)});
  }
  lanes.clear();
  for (Lane &lane : result)
    toPs(lane.events, originNs);
  report(builder);
  return result;
}
