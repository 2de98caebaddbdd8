//===- Arrows.cpp - Arrows between trace events ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrows.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::importer::chrome;
using namespace mlirprof::trace;

void Arrows::add(char phase, uint32_t track, int64_t atPs,
                 llvm::StringRef key) {
  auto flow = flows.try_emplace(key, uint32_t(flows.size())).first->second;
  ends.push_back({atPs, track, flow, phase});
}

void Arrows::beginEvents(int64_t originPs) {
  flows.clear();
  llvm::stable_sort(ends, [](const End &a, const End &b) {
    return std::tie(a.track, a.atPs) < std::tie(b.track, b.atPs);
  });
  for (auto [i, end] : llvm::enumerate(ends)) {
    end.atPs -= originPs;
    if (lanes.size() <= end.track)
      lanes.resize(end.track + 1);
    Lane &lane = lanes[end.track];
    if (lane.last == 0)
      lane.next = i;
    lane.last = i + 1;
  }
}

/// Gives the ends before a time their events: all that begin by then are known.
void Arrows::bind(Lane &lane, int64_t beforePs) {
  for (; lane.next != lane.last && ends[lane.next].atPs < beforePs;
       ++lane.next) {
    End &end = ends[lane.next];
    while (!lane.open.empty() && lane.open.back().endPs < end.atPs)
      lane.open.pop_back();
    if (lane.open.empty())
      continue;
    end.isBound = true;
    end.kept = lane.open.back().kept;
  }
}

void Arrows::addEvent(uint32_t track, int64_t beginPs, int64_t endPs,
                      uint32_t kept) {
  if (track >= lanes.size() || lanes[track].next == lanes[track].last)
    return;
  Lane &lane = lanes[track];
  bind(lane, beginPs);
  while (!lane.open.empty() && lane.open.back().endPs < beginPs)
    lane.open.pop_back();
  lane.open.push_back({endPs, kept});
}

/// Keeps an arrow between two ends, if the events there are kept.
static void connect(const Arrows::End &from, const Arrows::End &to,
                    profile::ProfileBuilder &builder, LossList &losses) {
  if (!from.isBound || !to.isBound)
    losses.add("arrow without an event at one of its ends");
  else if (from.kept != kNone && to.kept != kNone &&
           !builder.keepArrow(from.kept, to.kept))
    losses.add("arrow to an event that has another one, not kept");
}

void Arrows::finish(profile::ProfileBuilder &builder, LossList &losses) {
  for (Lane &lane : lanes)
    bind(lane, std::numeric_limits<int64_t>::max());
  // Producers use a key again, so that each end belongs to the begin before it,
  // or of the same time.
  llvm::stable_sort(ends, [](const End &a, const End &b) {
    return std::make_tuple(a.flow, a.atPs, a.phase != 's') <
           std::make_tuple(b.flow, b.atPs, b.phase != 's');
  });
  const End *from = nullptr;
  for (const auto &[i, end] : llvm::enumerate(ends)) {
    bool isBegin = end.phase == 's';
    bool isLast = i + 1 == ends.size() || ends[i + 1].flow != end.flow;
    bool isFirst = !from || from->flow != end.flow;
    if (isBegin ? isLast || ends[i + 1].phase == 's' : isFirst)
      losses.add("arrow without its other end");
    else if (!isBegin)
      connect(*from, end, builder, losses);
    if (isBegin || (end.phase == 't' && !isFirst))
      from = &end;
  }
}
