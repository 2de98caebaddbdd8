//===- SelfTimes.cpp - Times of scopes without those inside ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelfTimes.h"
#include "mlir-prof/Scope/RecordingBuilder.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// The scopes directly inside of each, on its thread.
class Children {
public:
  explicit Children(const std::vector<uint32_t> &around);

  uint32_t *begin(size_t scope) { return all.data() + starts[scope]; }
  uint32_t *end(size_t scope) { return all.data() + starts[scope + 1]; }
  size_t count(size_t scope) const { return starts[scope + 1] - starts[scope]; }

private:
  std::vector<size_t> starts;
  std::vector<uint32_t> all;
};

} // namespace

Children::Children(const std::vector<uint32_t> &around)
    : starts(around.size() + 2) {
  for (uint32_t parent : around)
    if (parent != kNoScope)
      ++starts[size_t(parent) + 2];
  for (size_t index = 2; index < starts.size(); ++index)
    starts[index] += starts[index - 1];
  all.resize(starts.back());
  for (uint32_t index = 0; index != around.size(); ++index)
    if (around[index] != kNoScope)
      all[starts[size_t(around[index]) + 1]++] = index;
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
static void sumCosts(std::vector<ScopeEvent> &events, const Children &children,
                     const std::vector<uint32_t> &around) {
  std::vector<size_t> left(events.size());
  std::vector<uint32_t> ready;
  for (uint32_t index = 0; index != events.size(); ++index)
    if (!(left[index] = children.count(index)))
      ready.push_back(index);
  while (!ready.empty()) {
    uint32_t index = ready.back();
    ready.pop_back();
    if (around[index] == kNoScope)
      continue;
    ScopeEvent &parent = events[around[index]];
    trace::addSaturating(parent.costPs, events[index].costPs);
    if (--left[around[index]])
      continue;
    parent.costPs = std::min(parent.costPs, parent.getDurationPs());
    ready.push_back(around[index]);
  }
}

void scope::computeSelfTimes(Recording &recording,
                             const std::vector<uint32_t> &around) {
  std::vector<ScopeEvent> &events = recording.events;
  Children children(around);
  int64_t costAround =
      std::max<int64_t>(recording.costPairPs - recording.costWindowPs, 0);
  for (size_t index = 0; index != events.size(); ++index) {
    ScopeEvent &event = events[index];
    event.selfPs =
        event.getDurationPs() -
        getCovered(events, event, children.begin(index), children.end(index));
    int64_t cost = event.isOutside ? 0 : recording.costWindowPs;
    trace::addSaturating(
        cost, trace::saturatingMul(costAround, int64_t(children.count(index))));
    event.selfCostPs = std::min(cost, event.selfPs);
    event.costPs = event.selfCostPs;
  }
  sumCosts(events, children, around);
}

void scope::computeSelfTimes(Recording &recording) {
  std::vector<uint32_t> around;
  around.reserve(recording.events.size());
  for (const ScopeEvent &event : recording.events)
    around.push_back(event.isLinked || event.isOutside ? kNoScope
                                                       : event.parent);
  computeSelfTimes(recording, around);
}
