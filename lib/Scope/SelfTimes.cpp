//===- SelfTimes.cpp - Times of scopes without those inside ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/RecordingBuilder.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// The scopes directly inside of each, on its thread.
class Children {
public:
  explicit Children(const std::vector<ScopeEvent> &events);

  uint32_t *begin(size_t scope) { return all.data() + starts[scope]; }
  uint32_t *end(size_t scope) { return all.data() + starts[scope + 1]; }
  size_t count(size_t scope) const { return starts[scope + 1] - starts[scope]; }

private:
  std::vector<size_t> starts;
  std::vector<uint32_t> all;
};

} // namespace

/// The parent whose time includes that of `event`.
static uint32_t getLocalParent(const ScopeEvent &event) {
  return event.isLinked || event.isOutside ? kNoScope : event.parent;
}

Children::Children(const std::vector<ScopeEvent> &events)
    : starts(events.size() + 2) {
  for (const ScopeEvent &event : events)
    if (uint32_t parent = getLocalParent(event); parent != kNoScope)
      ++starts[size_t(parent) + 2];
  for (size_t index = 2; index < starts.size(); ++index)
    starts[index] += starts[index - 1];
  all.resize(starts.back());
  for (uint32_t index = 0; index != events.size(); ++index)
    if (uint32_t parent = getLocalParent(events[index]); parent != kNoScope)
      all[starts[size_t(parent) + 1]++] = index;
}

/// The length of the union of the intervals of `children`, in that of `parent`.
static int64_t getCovered(const std::vector<ScopeEvent> &events,
                          const ScopeEvent &parent, uint32_t *begin,
                          uint32_t *end) {
  auto isEarlier = [&](uint32_t a, uint32_t b) {
    return events[a].beginPs < events[b].beginPs;
  };
  if (!std::is_sorted(begin, end, isEarlier))
    std::stable_sort(begin, end, isEarlier);
  int64_t covered = 0;
  int64_t at = parent.beginPs;
  for (; begin != end; ++begin) {
    int64_t from = std::max(events[*begin].beginPs, at);
    int64_t to = std::min(events[*begin].endPs, parent.endPs);
    if (to <= from)
      continue;
    covered += to - from;
    at = to;
  }
  return covered;
}

/// Adds the costs of scopes inside to those around, inner ones first.
static void sumCosts(std::vector<ScopeEvent> &events,
                     const Children &children) {
  std::vector<size_t> left(events.size());
  std::vector<uint32_t> ready;
  for (uint32_t index = 0; index != events.size(); ++index)
    if (!(left[index] = children.count(index)))
      ready.push_back(index);
  while (!ready.empty()) {
    const ScopeEvent &event = events[ready.back()];
    ready.pop_back();
    uint32_t parent = getLocalParent(event);
    if (parent == kNoScope)
      continue;
    ScopeEvent &around = events[parent];
    if (__builtin_add_overflow(around.costPs, event.costPs, &around.costPs))
      around.costPs = std::numeric_limits<int64_t>::max();
    if (--left[parent])
      continue;
    around.costPs = std::min(around.costPs, around.getDurationPs());
    ready.push_back(parent);
  }
}

void scope::computeSelfTimes(Recording &recording) {
  std::vector<ScopeEvent> &events = recording.events;
  Children children(events);
  int64_t around =
      std::max<int64_t>(recording.costPairPs - recording.costWindowPs, 0);
  for (size_t index = 0; index != events.size(); ++index) {
    ScopeEvent &event = events[index];
    event.selfPs =
        event.getDurationPs() -
        getCovered(events, event, children.begin(index), children.end(index));
    int64_t cost;
    if (__builtin_mul_overflow(around, int64_t(children.count(index)), &cost) ||
        __builtin_add_overflow(
            cost, event.isOutside ? 0 : recording.costWindowPs, &cost))
      cost = std::numeric_limits<int64_t>::max();
    event.selfCostPs = std::min(cost, event.selfPs);
    event.costPs = event.selfCostPs;
  }
  sumCosts(events, children);
}
