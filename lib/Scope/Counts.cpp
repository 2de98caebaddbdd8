//===- Counts.cpp - Amounts that scopes have counted ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extras.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::addSaturating;
using trace::saturatingAdd;
using trace::saturatingSub;

static_assert(kCounts == PROF_SCOPE_COUNTS,
              "Recording.h does not include the format");

std::string_view scope::getCountName(Count count) {
  static constexpr std::string_view kNames[kCounts] = {
      "allocations",   "allocated bytes", "CPU time (ns)",
      "cycles",        "instructions",    "cache misses",
      "branch misses", "page faults",     "context switches"};
  return kNames[unsigned(count)];
}

/// The group that a count is read with.
static unsigned getGroup(unsigned kind) {
  return kind <= PROF_SCOPE_COUNT_BYTES      ? PROF_SCOPE_GROUP_ALLOCATIONS
         : kind == PROF_SCOPE_COUNT_CPU_TIME ? PROF_SCOPE_GROUP_CPU_TIME
                                             : PROF_SCOPE_GROUP_COUNTERS;
}

/// The cost of counting in one scope.
static CountCost getCost(const EventCounts &counts, const Recording &out) {
  CountCost sum;
  bool isCounted[PROF_SCOPE_GROUPS] = {};
  for (unsigned kind = 0; kind != kCounts; ++kind) {
    bool &isKnown = isCounted[getGroup(kind)];
    if (!counts.has(Count(kind)) || isKnown)
      continue;
    isKnown = true;
    sum.windowPs += out.countCosts[getGroup(kind)].windowPs;
    sum.pairPs += out.countCosts[getGroup(kind)].pairPs;
  }
  return sum;
}

/// Adds what counting took to an event's costs, which are at most its times.
static void addCost(ScopeEvent &event, int64_t self, int64_t all) {
  addSaturating(event.selfCostPs, self);
  event.selfCostPs = std::min(event.selfCostPs, event.selfPs);
  addSaturating(event.costPs, all);
  event.costPs = std::min(event.costPs, event.getDurationPs());
}

/// Adds the cost of counting to the events that count and to those whose time
/// includes theirs, inner ones first: what several add to an event has one
/// bound.
static void addCosts(const std::vector<uint32_t> &localOf, Recording &out) {
  std::vector<ScopeEvent> &events = out.events;
  std::vector<uint32_t> inside(events.size());
  for (uint32_t parent : localOf)
    if (parent != kNoScope)
      ++inside[parent];
  // Costs of the events at any depth inside, and of those directly inside.
  std::vector<int64_t> below(events.size()), direct(events.size());
  std::vector<const EventCounts *> countsOf(events.size());
  for (const EventCounts &counts : out.counts)
    countsOf[counts.event] = &counts;
  std::vector<uint32_t> ready;
  for (uint32_t index = 0; index != events.size(); ++index)
    if (!inside[index])
      ready.push_back(index);
  while (!ready.empty()) {
    uint32_t index = ready.back();
    ready.pop_back();
    CountCost own;
    if (countsOf[index])
      own = getCost(*countsOf[index], out);
    addCost(events[index], saturatingAdd(direct[index], own.windowPs),
            saturatingAdd(below[index], own.windowPs));
    uint32_t parent = localOf[index];
    if (parent == kNoScope)
      continue;
    addSaturating(direct[parent],
                  std::max<int64_t>(own.pairPs - own.windowPs, 0));
    addSaturating(below[parent], saturatingAdd(below[index], own.pairPs));
    if (!--inside[parent])
      ready.push_back(parent);
  }
}

/// The parts of an event's amounts that recording took.
static void fillCosts(EventCounts &counts, const Blocks &blocks,
                      const Recording &out) {
  for (unsigned kind = 0; kind != kCounts; ++kind) {
    uint64_t cost = blocks.process.empty_count[kind] / PROF_SCOPE_COST_SCALE;
    // All that recording takes is processor time.
    if (kind == PROF_SCOPE_COUNT_CPU_TIME)
      cost += uint64_t(
          saturatingSub(out.events[counts.event].costPs, out.costWindowPs) > 0
              ? (out.events[counts.event].costPs - out.costWindowPs) / 1000
              : 0);
    counts.costs[kind] = std::min(cost, counts.values[kind]);
  }
}

void scope::writeCounts(const Blocks &blocks, const Extras &extras,
                        const std::vector<uint32_t> &eventOf,
                        const std::vector<uint32_t> &localOf, Recording &out) {
  for (unsigned group = 0; group != PROF_SCOPE_GROUPS; ++group) {
    auto getPs = [&](uint64_t ticks) {
      return out.clock.toDurationPs(ticks) / PROF_SCOPE_COST_SCALE;
    };
    out.countCosts[group] = {getPs(blocks.process.group_window[group]),
                             getPs(blocks.process.group_pair[group])};
  }
  if (blocks.process.counters <= PROF_SCOPE_COUNTERS_SOFTWARE)
    out.counters = CounterSource(blocks.process.counters);
  for (const CountOfNode &count : extras.counts) {
    if (count.node >= eventOf.size() || eventOf[count.node] == kNoScope ||
        count.kind >= kCounts)
      continue;
    uint32_t event = eventOf[count.node];
    if (out.counts.empty() || out.counts.back().event != event)
      out.counts.emplace_back().event = event;
    out.counts.back().known |= 1u << count.kind;
    out.counts.back().values[count.kind] = count.amount;
  }
  if (!out.counts.empty())
    addCosts(localOf, out);
  for (EventCounts &counts : out.counts)
    fillCosts(counts, blocks, out);
}
