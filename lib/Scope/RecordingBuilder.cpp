//===- RecordingBuilder.cpp - Recordings of other programs ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/RecordingBuilder.h"

#include <algorithm>
#include <numeric>

using namespace mlirprof;
using namespace mlirprof::scope;

uint32_t RecordingBuilder::addSite(Site site) {
  SiteKey key(site.name, site.file, site.line, site.type, site.level,
              site.role);
  auto [it, isNew] =
      sites.try_emplace(std::move(key), uint32_t(recording.sites.size()));
  if (isNew)
    recording.sites.push_back(std::move(site));
  return it->second;
}

uint32_t RecordingBuilder::addThread(Thread thread) {
  thread.number = uint32_t(recording.threads.size());
  recording.threads.push_back(std::move(thread));
  return recording.threads.back().number;
}

uint32_t RecordingBuilder::addPlace(const std::string &name) {
  auto [it, isNew] =
      places.try_emplace(name, uint32_t(recording.places.size()));
  if (isNew)
    recording.places.push_back(name);
  return it->second;
}

uint32_t RecordingBuilder::addScope(ScopeEvent event) {
  size_t number = recording.events.size();
  if (number >= kNoScope) {
    recording.losses.add("scopes beyond the limit of a recording");
    return kNoScope;
  }
  if (event.parent >= number && event.parent != kNoScope) {
    recording.losses.add("parent of a scope that does not exist");
    event.parent = kNoScope;
  }
  int64_t duration;
  if (event.endPs < event.beginPs) {
    recording.losses.add("event that ends before it begins");
    event.endPs = event.beginPs;
  } else if (__builtin_sub_overflow(event.endPs, event.beginPs, &duration)) {
    recording.losses.add("duration beyond 64 bits, taken as 0");
    event.endPs = event.beginPs;
  }
  event.first = uint32_t(number);
  recording.events.push_back(event);
  return uint32_t(number);
}

namespace {

/// Numbers of all scopes by thread, outer before inner scopes; scopes with
/// equal intervals by `isOuter`.
template <typename IsOuter>
std::vector<uint32_t> sortByBegin(const std::vector<ScopeEvent> &events,
                                  IsOuter &&isOuter) {
  std::vector<uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const ScopeEvent &first = events[a], &second = events[b];
    if (first.thread != second.thread)
      return first.thread < second.thread;
    if (first.beginPs != second.beginPs)
      return first.beginPs < second.beginPs;
    if (first.endPs != second.endPs)
      return first.endPs > second.endPs;
    return isOuter(a, b);
  });
  return order;
}

/// The scopes of one thread that are open while one walks through begins.
class OpenScopes {
public:
  explicit OpenScopes(const std::vector<ScopeEvent> &events) : events(events) {}

  /// Closes those that are not open at the begin of `event`.
  void advance(const ScopeEvent &event) {
    if (!stack.empty() && events[stack.front()].thread != event.thread)
      stack.clear();
    while (!stack.empty() && isOver(events[stack.back()], event))
      stack.pop_back();
  }
  bool empty() const { return stack.empty(); }
  uint32_t back() const { return stack.back(); }
  void pop() { stack.pop_back(); }
  void push(uint32_t event) { stack.push_back(event); }

private:
  /// An empty scope may be the last moment of another one.
  static bool isOver(const ScopeEvent &open, const ScopeEvent &next) {
    return open.endPs < next.beginPs ||
           (open.endPs == next.beginPs &&
            (open.beginPs == open.endPs || next.endPs > next.beginPs));
  }

  const std::vector<ScopeEvent> &events;
  std::vector<uint32_t> stack;
};

} // namespace

/// Memory events and scopes as one sequence of moments.
void RecordingBuilder::nestMemory() {
  std::vector<ScopeEvent> &events = recording.events;
  std::vector<MemoryEvent> &memory = recording.memory;
  std::vector<uint32_t> moments(memory.size());
  std::iota(moments.begin(), moments.end(), 0u);
  std::stable_sort(moments.begin(), moments.end(), [&](uint32_t a, uint32_t b) {
    return std::make_pair(memory[a].thread, memory[a].atPs) <
           std::make_pair(memory[b].thread, memory[b].atPs);
  });
  std::vector<uint32_t> order =
      sortByBegin(events, [](uint32_t a, uint32_t b) { return a < b; });
  OpenScopes open(events);
  auto next = order.begin();
  for (uint32_t number : moments) {
    MemoryEvent &event = memory[number];
    ScopeEvent moment;
    moment.thread = event.thread;
    moment.beginPs = moment.endPs = event.atPs;
    for (; next != order.end() &&
           std::make_pair(events[*next].thread, events[*next].beginPs) <=
               std::make_pair(event.thread, event.atPs);
         ++next) {
      if (events[*next].isOutside)
        continue;
      open.advance(events[*next]);
      open.push(*next);
    }
    open.advance(moment);
    event.event = open.empty() ? kNoScope : open.back();
  }
}

void RecordingBuilder::nest() {
  std::vector<ScopeEvent> &events = recording.events;
  OpenScopes open(events);
  for (uint32_t number :
       sortByBegin(events, [](uint32_t a, uint32_t b) { return a < b; })) {
    if (events[number].isOutside)
      continue;
    open.advance(events[number]);
    events[number].parent = open.empty() ? kNoScope : open.back();
    open.push(number);
  }
  nestMemory();
}

/// How many scopes are around each.
static std::vector<uint32_t> getDepths(const std::vector<ScopeEvent> &events) {
  std::vector<uint32_t> depths(events.size(), kNoScope);
  std::vector<uint32_t> path;
  for (uint32_t start = 0; start != events.size(); ++start) {
    uint32_t at = start;
    for (; at != kNoScope && depths[at] == kNoScope; at = events[at].parent)
      path.push_back(at);
    uint32_t depth = at == kNoScope ? 0 : depths[at] + 1;
    for (; !path.empty(); path.pop_back())
      depths[path.back()] = depth++;
  }
  return depths;
}

static void findOverlaps(std::vector<ScopeEvent> &events,
                         const std::vector<uint32_t> &depths) {
  OpenScopes open(events);
  for (uint32_t number : sortByBegin(events, [&](uint32_t a, uint32_t b) {
         return depths[a] < depths[b];
       })) {
    ScopeEvent &event = events[number];
    if (event.isOutside)
      continue;
    open.advance(event);
    for (; !open.empty() && events[open.back()].endPs < event.endPs; open.pop())
      events[open.back()].isOverlapping = event.isOverlapping = true;
    open.push(number);
  }
}

Recording RecordingBuilder::finish(std::vector<uint32_t> *orderOut) {
  std::vector<ScopeEvent> &events = recording.events;
  std::vector<uint32_t> depths = getDepths(events);
  for (ScopeEvent &event : events)
    event.isLinked =
        event.parent != kNoScope && events[event.parent].thread != event.thread;
  findOverlaps(events, depths);
  std::vector<uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::make_tuple(events[a].thread, events[a].endPs,
                           -int64_t(depths[a])) <
           std::make_tuple(events[b].thread, events[b].endPs,
                           -int64_t(depths[b]));
  });
  std::vector<uint32_t> numbers(events.size());
  for (uint32_t index = 0; index != order.size(); ++index)
    numbers[order[index]] = index;
  std::vector<ScopeEvent> sorted;
  sorted.reserve(events.size());
  for (uint32_t index = 0; index != order.size(); ++index) {
    ScopeEvent &event = sorted.emplace_back(events[order[index]]);
    if (event.parent != kNoScope)
      event.parent = numbers[event.parent];
    event.first = index;
  }
  events = std::move(sorted);
  for (MemoryEvent &event : recording.memory) {
    if (event.event >= numbers.size() && event.event != kNoScope)
      recording.losses.add("scope of a memory event that does not exist");
    event.event =
        event.event < numbers.size() ? numbers[event.event] : kNoScope;
  }
  computeSelfTimes(recording);
  if (orderOut)
    *orderOut = std::move(order);
  return std::move(recording);
}
