//===- LeaveOut.cpp - Recordings without some scopes ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/LeaveOut.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

class EventFilter {
public:
  EventFilter(const Recording &recording, const std::vector<bool> &isGone)
      : out(recording), isGone(isGone), parents(recording.events.size()),
        moved(recording.events.size(), kNoScope) {}
  Recording filter();

private:
  void findParents();
  void moveSelfTimes();
  void findFirstParts();
  void moveEvents();
  void moveExtras();

  struct Parent {
    uint32_t event = kNoScope;
    bool isLinked = false;
    bool isKnown = false;
  };

  Recording out;
  const std::vector<bool> &isGone;
  /// The nearest one around each event that is not gone.
  std::vector<Parent> parents;
  /// New numbers of events that are kept.
  std::vector<uint32_t> moved;
};

} // namespace

/// Each chain of events that are gone is walked once.
void EventFilter::findParents() {
  std::vector<uint32_t> path;
  for (uint32_t start = 0; start != out.events.size(); ++start) {
    uint32_t at = start;
    while (!parents[at].isKnown) {
      parents[at].isKnown = true;
      path.push_back(at);
      uint32_t next = out.events[at].parent;
      if (next == kNoScope || !isGone[next])
        break;
      at = next;
    }
    for (; !path.empty(); path.pop_back()) {
      const ScopeEvent &event = out.events[path.back()];
      Parent &parent = parents[path.back()];
      parent.event = event.parent;
      parent.isLinked = event.isLinked;
      if (event.parent == kNoScope || !isGone[event.parent])
        continue;
      parent.event = parents[event.parent].event;
      parent.isLinked |= parents[event.parent].isLinked;
    }
  }
}

void EventFilter::moveSelfTimes() {
  for (uint32_t index = 0; index != out.events.size(); ++index) {
    const ScopeEvent &event = out.events[index];
    const Parent &parent = parents[index];
    if (!isGone[index] || event.isOutside || parent.isLinked ||
        parent.event == kNoScope)
      continue;
    ScopeEvent &around = out.events[parent.event];
    trace::addSaturating(around.selfPs, event.selfPs);
    trace::addSaturating(around.selfCostPs, event.selfCostPs);
  }
}

/// If the first part of a scope is gone, the earliest one that is kept is the
/// first part of the others.
void EventFilter::findFirstParts() {
  std::vector<uint32_t> firsts(out.events.size(), kNoScope);
  for (uint32_t index = 0; index != out.events.size(); ++index) {
    uint32_t &first = firsts[out.events[index].first];
    if (!isGone[index] && (first == kNoScope || out.events[index].beginPs <
                                                    out.events[first].beginPs))
      first = index;
  }
  for (ScopeEvent &event : out.events)
    if (isGone[event.first] && firsts[event.first] != kNoScope)
      event.first = firsts[event.first];
}

void EventFilter::moveEvents() {
  uint32_t kept = 0;
  for (uint32_t index = 0; index != moved.size(); ++index)
    if (!isGone[index])
      moved[index] = kept++;
  for (uint32_t index = 0; index != moved.size(); ++index) {
    if (isGone[index])
      continue;
    ScopeEvent event = out.events[index];
    const Parent &parent = parents[index];
    event.first = moved[event.first];
    event.parent = parent.event == kNoScope ? kNoScope : moved[parent.event];
    event.isLinked = parent.isLinked && parent.event != kNoScope;
    out.events[moved[index]] = event;
  }
  out.events.resize(kept);
}

void EventFilter::moveExtras() {
  auto isDropped = [&](const EventCounts &counts) {
    return isGone[counts.event];
  };
  out.counts.erase(
      std::remove_if(out.counts.begin(), out.counts.end(), isDropped),
      out.counts.end());
  for (EventCounts &counts : out.counts)
    counts.event = moved[counts.event];
  for (MemoryEvent &memory : out.memory) {
    uint32_t event = memory.event;
    if (event != kNoScope && isGone[event])
      event = parents[event].event;
    memory.event = event == kNoScope ? kNoScope : moved[event];
  }
}

Recording EventFilter::filter() {
  findParents();
  moveSelfTimes();
  findFirstParts();
  moveEvents();
  moveExtras();
  return std::move(out);
}

Recording scope::leaveOut(const Recording &recording,
                          const std::vector<bool> &isGone) {
  bool isAnyGone =
      std::find(isGone.begin(), isGone.end(), true) != isGone.end();
  Recording out = EventFilter(recording, isGone).filter();
  if (isAnyGone && !out.statistics.empty()) {
    out.losses.add("statistics of scopes, some of which are left out",
                   out.statistics.size());
    out.statistics.clear();
    out.hasStatistics = false;
  }
  return out;
}

Recording scope::leaveOutRoles(const Recording &recording, uint64_t roles) {
  auto isLeftOut = [&](uint32_t site) {
    return roles >> (recording.sites[site].role & 63) & 1;
  };
  std::vector<bool> isGone;
  isGone.reserve(recording.events.size());
  for (const ScopeEvent &event : recording.events)
    isGone.push_back(isLeftOut(event.site));
  Recording out = EventFilter(recording, isGone).filter();
  out.statistics.erase(std::remove_if(out.statistics.begin(),
                                      out.statistics.end(),
                                      [&](const SiteStatistics &statistics) {
                                        return isLeftOut(statistics.site);
                                      }),
                       out.statistics.end());
  return out;
}
