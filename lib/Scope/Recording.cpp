//===- Recording.cpp - Recordings of scopes -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Recording.h"
#include "Forest.h"
#include "mlir-prof/Runtime/prof_scope.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::addSaturating;
using trace::saturatingAdd;
using trace::saturatingSub;

/// Far from both ends, so that differences fit.
static constexpr int64_t kMostPs = std::numeric_limits<int64_t>::max() / 4;

static int64_t clampPs(__int128 ps) {
  return ps > kMostPs ? kMostPs : ps < -kMostPs ? -kMostPs : int64_t(ps);
}

int64_t Clock::toPs(uint64_t at) const {
  // Up to 2^60 ticks and 2^64 picoseconds.
  return clampPs((__int128(at) - firstTicks) * ps / ticks);
}

int64_t Clock::toDurationPs(uint64_t duration) const {
  return clampPs(__int128(duration) * ps / ticks);
}

int64_t Clock::fromMonotonicNs(int64_t ns) const {
  return clampPs((__int128(ns) - firstMonotonicNs) * 1000);
}

static Clock readClock(const prof_scope_process &process) {
  Clock clock;
  clock.firstTicks = process.first.ticks & PROF_SCOPE_TICKS_MASK;
  clock.firstMonotonicNs = process.first.monotonic_ns;
  clock.anchorNs = int64_t(process.first.realtime_ns);
  uint64_t ns = process.last.monotonic_ns - process.first.monotonic_ns;
  uint64_t ticks = process.last.ticks - process.first.ticks;
  constexpr uint64_t kMostNs = std::numeric_limits<int64_t>::max() / 1000;
  if (process.ticks_per_second) {
    clock.ps = 1000000000000;
    clock.ticks = process.ticks_per_second;
  } else if (ticks && ns && ns < kMostNs) {
    clock.ps = ns * 1000;
    clock.ticks = ticks;
  }
  clock.driftNs =
      int64_t(process.last.realtime_ns - process.first.realtime_ns - ns);
  return clock;
}

static void readLosses(const prof_scope_process &process, LossList &losses) {
  static constexpr const char *kNames[PROF_SCOPE_LOSSES] = {
      "end of a scope that was not open",
      "scope without memory or disk space",
      "record in the ring of a thread that has ended",
      "scope without memory for its name",
      "stop without a start",
      "suspended or resumed scope that was not to be",
      "file of a recording that could not be written"};
  for (size_t kind = 0; kind != PROF_SCOPE_LOSSES; ++kind)
    if (process.losses[kind])
      losses.add(kNames[kind], process.losses[kind]);
}

namespace {

/// Turns nodes into the events of a recording.
class EventWriter {
public:
  EventWriter(Blocks &blocks, std::vector<Node> nodes, const Window &window,
              Recording &out)
      : blocks(blocks), nodes(std::move(nodes)), window(window), out(out) {}
  void write();

private:
  bool isKept(const Node &node) const;
  void addEvent(const Node &node);
  uint32_t findKept(uint32_t node, bool &isLinked);
  void breakCycles();
  void joinParts();
  void sumChildren();
  int64_t getCovered(uint32_t parent, uint32_t *first, uint32_t *last);

  Blocks &blocks;
  std::vector<Node> nodes;
  const Window &window;
  Recording &out;
  /// Events by nodes, and nodes by events.
  std::vector<uint32_t> eventOf;
  std::vector<uint32_t> nodeOf;
};

} // namespace

bool EventWriter::isKept(const Node &node) const {
  if (node.kind == NodeKind::Link || !node.isKnown)
    return false;
  if (!node.isOutside)
    return node.begin >= window.fromTicks && node.begin <= window.toTicks;
  int64_t begin = out.clock.fromMonotonicNs(int64_t(node.begin));
  return begin >= out.clock.toPs(window.fromTicks) &&
         begin <= out.clock.toPs(window.toTicks);
}

void EventWriter::addEvent(const Node &node) {
  ScopeEvent event;
  event.site = blocks.getSite(node.site);
  event.thread = node.thread;
  event.isOutside = node.isOutside;
  event.isLinked = node.isLinked;
  event.isSelfBound = node.isSelfBound;
  event.isOverlapping =
      node.kind == NodeKind::Mark ||
      node.flags & (PROF_SCOPE_FLAG_OVERLAP | PROF_SCOPE_FLAG_ORPHAN);
  if (node.isOutside) {
    event.beginPs = out.clock.fromMonotonicNs(int64_t(node.begin));
    event.endPs = clampPs(__int128(event.beginPs) +
                          __int128(node.end - node.begin) * 1000);
  } else {
    bool isCut = node.end > window.toTicks;
    event.beginPs = out.clock.toPs(node.begin);
    event.endPs = out.clock.toPs(isCut ? window.toTicks : node.end);
    event.end = node.isOpen || isCut                     ? EventEnd::Open
                : node.flags & PROF_SCOPE_FLAG_SUSPENDED ? EventEnd::Suspended
                                                         : EventEnd::Ended;
  }
  event.endPs = std::max(event.endPs, event.beginPs);
  out.events.push_back(event);
}

/// The event of `node`, or of its nearest ancestor that has one. Shortens the
/// way for the next call. Ancestors of a file that contradicts itself may be a
/// circle.
uint32_t EventWriter::findKept(uint32_t node, bool &isLinked) {
  std::vector<uint32_t> path;
  while (node != kNoScope && eventOf[node] == kNoScope) {
    path.push_back(node);
    node = path.size() <= nodes.size() ? nodes[node].parent : kNoScope;
  }
  bool wasLinked = false;
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    uint32_t between = *it;
    wasLinked |= nodes[between].isLinked;
    nodes[between].isLinked = wasLinked;
    nodes[between].parent = node;
  }
  isLinked |= wasLinked;
  return node == kNoScope ? kNoScope : eventOf[node];
}

/// Contexts of a file that contradicts itself may make scopes their own
/// ancestors.
void EventWriter::breakCycles() {
  enum : uint8_t { New, Active, Done };
  std::vector<uint8_t> states(out.events.size(), New);
  std::vector<uint32_t> path;
  for (uint32_t start = 0; start != out.events.size(); ++start) {
    uint32_t at = start;
    for (; at != kNoScope && states[at] == New; at = out.events[at].parent) {
      states[at] = Active;
      path.push_back(at);
    }
    if (at != kNoScope && states[at] == Active) {
      out.events[path.back()].parent = kNoScope;
      out.events[path.back()].isLinked = false;
      out.losses.add("context of a scope inside of itself");
    }
    for (uint32_t event : path)
      states[event] = Done;
    path.clear();
  }
}

/// Finds the first parts of scopes that were suspended.
void EventWriter::joinParts() {
  std::unordered_map<uint32_t, uint32_t> firstOfNumber;
  std::vector<uint32_t> order(out.events.size());
  for (uint32_t index = 0; index != order.size(); ++index)
    order[index] = index;
  constexpr uint32_t kParts =
      PROF_SCOPE_FLAG_SUSPENDED | PROF_SCOPE_FLAG_RESUMED;
  auto isWhole = [&](uint32_t event) {
    out.events[event].first = event;
    return !(nodes[nodeOf[event]].flags & kParts);
  };
  order.erase(std::remove_if(order.begin(), order.end(), isWhole), order.end());
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return out.events[a].beginPs < out.events[b].beginPs;
  });
  for (uint32_t event : order) {
    const Node &node = nodes[nodeOf[event]];
    auto [it, isNew] = firstOfNumber.try_emplace(node.number, event);
    // One that is not a further part is the first of another scope.
    if (!isNew && !(node.flags & PROF_SCOPE_FLAG_RESUMED))
      it->second = event;
    out.events[event].first = it->second;
  }
}

/// The length of the union of the children's intervals, within the parent's.
int64_t EventWriter::getCovered(uint32_t parent, uint32_t *first,
                                uint32_t *last) {
  auto isEarlier = [&](uint32_t a, uint32_t b) {
    return out.events[a].beginPs < out.events[b].beginPs;
  };
  if (!std::is_sorted(first, last, isEarlier))
    std::stable_sort(first, last, isEarlier);
  int64_t covered = 0;
  int64_t at = out.events[parent].beginPs;
  for (; first != last; ++first) {
    uint32_t child = *first;
    int64_t begin = std::max(out.events[child].beginPs, at);
    int64_t end = std::min(out.events[child].endPs, out.events[parent].endPs);
    if (end <= begin)
      continue;
    covered += end - begin;
    at = end;
  }
  return covered;
}

/// Self times, and what recording took of each time.
void EventWriter::sumChildren() {
  std::vector<ScopeEvent> &events = out.events;
  auto getLocal = [&](const ScopeEvent &event) {
    return event.isLinked || event.isOutside ? kNoScope : event.parent;
  };
  // Children of each event, one after another.
  std::vector<uint32_t> starts(events.size() + 2);
  for (const ScopeEvent &event : events)
    if (uint32_t parent = getLocal(event); parent != kNoScope)
      ++starts[parent + 2];
  for (size_t index = 2; index < starts.size(); ++index)
    starts[index] += starts[index - 1];
  // One more, so that the end has an address.
  std::vector<uint32_t> children(starts.back() + 1);
  for (uint32_t index = 0; index != events.size(); ++index)
    if (uint32_t parent = getLocal(events[index]); parent != kNoScope)
      children[starts[parent + 1]++] = index;
  int64_t around = std::max<int64_t>(out.costPairPs - out.costWindowPs, 0);
  auto countChildren = [&](size_t index) {
    return starts[index + 1] - starts[index];
  };
  for (uint32_t index = 0; index != events.size(); ++index) {
    ScopeEvent &event = events[index];
    event.selfPs =
        event.getDurationPs() - getCovered(index, &children[starts[index]],
                                           &children[starts[index + 1]]);
    int64_t cost = event.isOutside ? 0 : out.costWindowPs;
    addSaturating(cost,
                  trace::saturatingMul(around, int64_t(countChildren(index))));
    event.selfCostPs = std::min(cost, event.selfPs);
    event.costPs = event.selfCostPs;
  }
  // Children before parents: those that no event waits for first.
  std::vector<uint32_t> left(events.size());
  std::vector<uint32_t> ready;
  for (size_t index = 0; index != events.size(); ++index)
    if (!(left[index] = countChildren(index)))
      ready.push_back(uint32_t(index));
  while (!ready.empty()) {
    const ScopeEvent &event = events[ready.back()];
    ready.pop_back();
    uint32_t parent = getLocal(event);
    if (parent == kNoScope)
      continue;
    addSaturating(events[parent].costPs, event.costPs);
    if (!--left[parent]) {
      events[parent].costPs =
          std::min(events[parent].costPs, events[parent].getDurationPs());
      ready.push_back(parent);
    }
  }
}

void EventWriter::write() {
  eventOf.assign(nodes.size(), kNoScope);
  for (uint32_t index = 0; index != nodes.size(); ++index)
    if (isKept(nodes[index])) {
      eventOf[index] = uint32_t(out.events.size());
      nodeOf.push_back(index);
      addEvent(nodes[index]);
    }
  for (size_t index = 0; index != out.events.size(); ++index) {
    ScopeEvent &event = out.events[index];
    const Node &node = nodes[nodeOf[index]];
    event.parent = findKept(node.parent, event.isLinked);
    event.isLinked &= event.parent != kNoScope;
  }
  breakCycles();
  joinParts();
  sumChildren();
}

static uint64_t findEnd(const Blocks &blocks) {
  uint64_t end = blocks.process.last.ticks & PROF_SCOPE_TICKS_MASK;
  for (const ThreadView &thread : blocks.threads) {
    for (const OpenSlot &open : thread.open)
      end = std::max(end, open.begin);
    for (const RecordsView &records : thread.records)
      for (uint64_t index = records.getFirst(); index != records.used;
           ++index) {
        prof_scope_record_words words = records.get(index);
        if (words.first >> PROF_SCOPE_KIND_SHIFT == PROF_SCOPE_KIND_SCOPE)
          end = std::max(end, words.first + (words.second >> 32));
      }
  }
  return end;
}

static void writeThreads(const Blocks &blocks, Recording &out) {
  for (const ThreadView &view : blocks.threads) {
    Thread &thread = out.threads.emplace_back();
    thread.number = view.number;
    thread.id = view.id;
    thread.name = view.name;
    thread.hasEnded = view.endedTicks != 0;
    if (!view.records.empty())
      addSaturating(thread.overwritten, view.records.front().before);
    for (const RecordsView &records : view.records)
      addSaturating(thread.overwritten, records.getFirst());
  }
}

std::optional<Problem> scope::readRecording(std::string_view bytes,
                                            Recording &out,
                                            const Window &window) {
  out = Recording();
  Blocks blocks;
  if (std::optional<Problem> problem = readBlocks(bytes, blocks, out.losses))
    return problem;
  const prof_scope_process &process = blocks.process;
  out.process = process.process;
  out.parentProcess = process.parent;
  out.clock = readClock(process);
  auto getCost = [&](uint64_t cost) {
    return out.clock.toDurationPs(cost) / PROF_SCOPE_COST_SCALE;
  };
  out.costWindowPs = getCost(process.cost_window);
  out.costPairPs = getCost(process.cost_pair);
  out.hasEvents = process.modes & PROF_SCOPE_EVENTS;
  out.hasStatistics = process.modes & PROF_SCOPE_STATISTICS;
  out.sampleEvery = process.sample_every;
  readLosses(process, out.losses);
  writeThreads(blocks, out);
  uint64_t end = std::min(findEnd(blocks), window.toTicks);
  EventWriter(blocks, buildForest(blocks, end, out.losses), window, out)
      .write();
  for (SiteStatistics &row : blocks.statistics)
    if (row.generation >= window.fromGeneration &&
        row.generation < window.toGeneration) {
      row.site = blocks.getSite(row.site);
      out.statistics.push_back(row);
    }
  out.sites = std::move(blocks.sites);
  return std::nullopt;
}
