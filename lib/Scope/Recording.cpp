//===- Recording.cpp - Recordings of scopes -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Recording.h"
#include "Extras.h"
#include "SelfTimes.h"
#include "mlir-prof/Runtime/prof_scope.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <cstring>

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
  // Up to 2^64 ticks and 2^63 picoseconds, as for durations.
  return clampPs((__int128(at) - firstTicks) * ps / ticks);
}

int64_t Clock::toDurationPs(uint64_t duration) const {
  return clampPs(__int128(duration) * ps / ticks);
}

int64_t Clock::fromMonotonicNs(int64_t ns) const {
  return clampPs((__int128(ns) - firstMonotonicNs) * 1000);
}

static Clock makeClock(const prof_scope_process &process) {
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
  clock.source = process.clock <= PROF_SCOPE_CLOCK_TEST
                     ? TickSource(process.clock)
                     : TickSource::Unknown;
  clock.offsetErrorPs = clock.toDurationPs(process.first.bracket / 2);
  for (const prof_scope_clocks &reading : process.readings) {
    if (!reading.ticks)
      continue;
    int64_t from = clock.toPs(reading.ticks & PROF_SCOPE_TICKS_MASK);
    int64_t apart = saturatingSub(
        from, clock.fromMonotonicNs(int64_t(reading.monotonic_ns)));
    clock.errorPs = std::max(clock.errorPs, apart < 0 ? -apart : apart);
  }
  return clock;
}

std::optional<Problem> scope::readClock(std::string_view bytes, Clock &out) {
  prof_scope_process process;
  std::optional<Problem> problem = readProcess(bytes, process);
  if (!problem)
    out = makeClock(process);
  return problem;
}

static void readLosses(const prof_scope_process &process, LossList &losses) {
  static constexpr const char *kNames[PROF_SCOPE_LOSSES] = {
      "end of a scope that was not open",
      "scope without memory or disk space",
      "record in the ring of a thread that has ended",
      "scope without memory for its name",
      "stop without a start",
      "suspended or resumed scope that was not to be",
      "file of a recording that could not be written",
      "session without a source of scopes of devices",
      "count of a scope that could not be read",
      "copy of the runtime that records alone",
      "reset that discarded scopes of several sessions",
      "call of a signal handler that interrupted the profiler",
      ("reading of clocks, or interval measured elsewhere, that cannot be "
       "right")};
  for (size_t kind = 0; kind != PROF_SCOPE_LOSSES; ++kind)
    if (process.losses[kind])
      losses.add(kNames[kind], process.losses[kind]);
}

namespace {

/// Clock::toPs with a multiplication instead of a division of 128 bits: the
/// same results.
class TickConverter {
public:
  explicit TickConverter(const Clock &clock)
      : clock(clock),
        factor((static_cast<unsigned __int128>(clock.ps) << 64) / clock.ticks) {
  }
  int64_t toPs(uint64_t at) const {
    uint64_t ticks = at - clock.firstTicks;
    // Beyond, and before the first reading, few times lie.
    if (at < clock.firstTicks || ticks >> 48 || factor >> 80)
      return clock.toPs(at);
    // Too small by less than 1, as `factor` is by less than 2^-64.
    uint64_t high = uint64_t(factor >> 64), low = uint64_t(factor);
    unsigned __int128 ps = static_cast<unsigned __int128>(ticks) * high +
                           (static_cast<unsigned __int128>(ticks) * low >> 64);
    unsigned __int128 exact = static_cast<unsigned __int128>(ticks) * clock.ps;
    ps += exact - ps * clock.ticks >= clock.ticks;
    return clampPs(ps);
  }

private:
  const Clock &clock;
  unsigned __int128 factor;
};

/// Turns nodes into the events of a recording.
class EventWriter {
public:
  EventWriter(Blocks &blocks, std::vector<Node> nodes, const Window &window,
              Recording &out)
      : blocks(blocks), nodes(std::move(nodes)), window(window), out(out),
        ticks(out.clock),
        areBounds(out.sampleEvery > 1 ||
                  blocks.process.losses[PROF_SCOPE_LOSS_MEMORY]) {}
  void write();
  /// Writes the extras of the nodes.
  void writeExtras(const Extras &extras) {
    std::vector<uint32_t> localOf;
    if (!extras.counts.empty())
      for (uint32_t event = 0; event != out.events.size(); ++event)
        localOf.push_back(getLocal(event));
    writeCounts(blocks, extras, eventOf, localOf, out);
    writeDevices(blocks, extras, nodes, eventOf, window, out);
  }

private:
  bool isKept(const Node &node) const;
  void addEvent(const Node &node);
  uint32_t findKept(uint32_t node, bool &isLinked);
  uint32_t findAround(uint32_t node) const;
  void findParents();
  uint32_t getLocal(uint32_t event) const;
  void breakCycles();
  void joinParts();
  bool sumInOrder();
  void sumChildren();

  Blocks &blocks;
  std::vector<Node> nodes;
  const Window &window;
  Recording &out;
  TickConverter ticks;
  /// Whether children of any event may be missing.
  bool areBounds;
  std::vector<uint32_t> path;
  /// Events by nodes, and nodes by events.
  std::vector<uint32_t> eventOf;
  std::vector<uint32_t> nodeOf;
  /// Events around linked ones on the same thread; empty if there are none.
  std::vector<uint32_t> aroundOf;
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
  event.site = blocks.getSite(node.site, out.losses);
  event.thread = node.thread;
  event.isOutside = node.isOutside;
  event.isLinked = node.isLinked;
  event.isSelfBound = node.isSelfBound || areBounds;
  event.isOverlapping =
      node.kind == NodeKind::Mark ||
      node.flags & (PROF_SCOPE_FLAG_OVERLAP | PROF_SCOPE_FLAG_ORPHAN);
  if (node.isOutside) {
    event.beginPs = out.clock.fromMonotonicNs(int64_t(node.begin));
    event.endPs = clampPs(__int128(event.beginPs) +
                          __int128(node.end - node.begin) * 1000);
  } else {
    bool isCut = node.end > window.toTicks;
    event.beginPs = ticks.toPs(node.begin);
    event.endPs = ticks.toPs(isCut ? window.toTicks : node.end);
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
  path.clear();
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

/// The event around a linked node on its thread. Scopes around one that is left
/// out began even earlier, so that a few steps find what there is.
uint32_t EventWriter::findAround(uint32_t node) const {
  for (int steps = 0; node != kNoScope && steps != 64; ++steps) {
    if (eventOf[node] != kNoScope)
      return eventOf[node];
    node = nodes[node].isLinked ? nodes[node].around : nodes[node].parent;
  }
  return kNoScope;
}

void EventWriter::findParents() {
  for (uint32_t index = 0; index != out.events.size(); ++index) {
    uint32_t around = nodes[nodeOf[index]].around;
    if (around == kNoScope)
      continue;
    aroundOf.resize(out.events.size(), kNoScope);
    aroundOf[index] = findAround(around);
  }
  for (size_t index = 0; index != out.events.size(); ++index) {
    ScopeEvent &event = out.events[index];
    const Node &node = nodes[nodeOf[index]];
    event.parent = findKept(node.parent, event.isLinked);
    event.isLinked &= event.parent != kNoScope;
    // The scope for which the context stands is left out.
    if (!aroundOf.empty() && event.parent == kNoScope)
      event.parent = aroundOf[index];
  }
}

/// Contexts of a file that contradicts itself may make scopes their own
/// ancestors.
void EventWriter::breakCycles() {
  bool isBackward = false;
  for (uint32_t index = 0; index != out.events.size(); ++index)
    isBackward |= out.events[index].parent <= index;
  if (!isBackward)
    return;
  enum : uint8_t { New, Active, Done };
  std::vector<uint8_t> states(out.events.size(), New);
  path.clear();
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
  std::vector<uint32_t> order;
  constexpr uint32_t kParts =
      PROF_SCOPE_FLAG_SUSPENDED | PROF_SCOPE_FLAG_RESUMED;
  for (uint32_t event = 0; event != out.events.size(); ++event) {
    out.events[event].first = event;
    if (nodes[nodeOf[event]].flags & kParts)
      order.push_back(event);
  }
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

/// The scope whose self time lacks the event, or kNoScope.
uint32_t EventWriter::getLocal(uint32_t event) const {
  const ScopeEvent &of = out.events[event];
  if (of.isOutside)
    return kNoScope;
  if (!of.isLinked)
    return of.parent;
  return aroundOf.empty() ? kNoScope : aroundOf[event];
}

/// Does what sumChildren() does, in one pass, if all scopes end before the
/// scope around them and after those before them; else returns false.
bool EventWriter::sumInOrder() {
  std::vector<ScopeEvent> &events = out.events;
  int64_t around = std::max<int64_t>(out.costPairPs - out.costWindowPs, 0);
  // Until the turn of an event comes, selfPs, selfCostPs and costPs are time,
  // number and costs of its children. `ends` has the end of the last one.
  std::vector<int64_t> ends(events.size(), std::numeric_limits<int64_t>::min());
  for (uint32_t index = 0; index != events.size(); ++index) {
    ScopeEvent &event = events[index];
    int64_t cost = event.isOutside ? 0 : out.costWindowPs;
    addSaturating(cost, trace::saturatingMul(around, event.selfCostPs));
    event.selfPs = event.getDurationPs() - event.selfPs;
    event.selfCostPs = std::min(cost, event.selfPs);
    event.costPs = std::min(saturatingAdd(event.costPs, event.selfCostPs),
                            event.getDurationPs());
    uint32_t at = getLocal(index);
    if (at == kNoScope)
      continue;
    ScopeEvent &parent = events[at];
    if (at <= index || event.beginPs < std::max(ends[at], parent.beginPs) ||
        event.endPs > parent.endPs)
      return false;
    ends[at] = event.endPs;
    parent.selfPs += event.getDurationPs();
    ++parent.selfCostPs;
    addSaturating(parent.costPs, event.costPs);
  }
  return true;
}

/// Self times, and what recording took of each time.
void EventWriter::sumChildren() {
  std::vector<uint32_t> around;
  around.reserve(out.events.size());
  for (uint32_t index = 0; index != out.events.size(); ++index)
    around.push_back(getLocal(index));
  computeSelfTimes(out, around);
}

void EventWriter::write() {
  eventOf.assign(nodes.size(), kNoScope);
  out.events.reserve(nodes.size());
  nodeOf.reserve(nodes.size());
  for (uint32_t index = 0; index != nodes.size(); ++index)
    if (isKept(nodes[index])) {
      eventOf[index] = uint32_t(out.events.size());
      nodeOf.push_back(index);
      addEvent(nodes[index]);
    }
  findParents();
  breakCycles();
  joinParts();
  if (!sumInOrder())
    sumChildren();
}

static uint64_t findEnd(const Blocks &blocks) {
  uint64_t end = blocks.process.last.ticks & PROF_SCOPE_TICKS_MASK;
  for (const ThreadView &thread : blocks.threads) {
    for (const OpenSlot &open : thread.open)
      end = std::max(end, open.begin);
    for (const RecordsView &records : thread.records)
      records.forEach([&](const prof_scope_record_words &words) {
        if (words.first >> PROF_SCOPE_KIND_SHIFT == PROF_SCOPE_KIND_SCOPE)
          end = std::max(end, words.first + (words.second >> 32));
      });
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
    thread.isDevice = view.device != 0;
    // Without a ring, those before were copied for another session.
    if (!view.records.empty() && blocks.process.ring_records)
      addSaturating(thread.overwritten, view.records.front().before);
    for (const RecordsView &records : view.records)
      addSaturating(thread.overwritten, records.getFirst());
  }
}

/// The part of `window` that the file says counts.
static Window narrow(std::string_view bytes, Window window) {
  prof_scope_part part;
  if (bytes.size() < PROF_SCOPE_PAGE)
    return window;
  std::memcpy(&part, bytes.data() + PROF_SCOPE_PART, sizeof part);
  window.fromTicks = std::max(window.fromTicks, part.from_ticks);
  window.fromGeneration = std::max(window.fromGeneration, part.from_generation);
  if (part.to_ticks)
    window.toTicks = std::min(window.toTicks, part.to_ticks);
  if (part.to_generation)
    window.toGeneration = std::min(window.toGeneration, part.to_generation);
  return window;
}

static uint64_t countRecords(const Blocks &blocks) {
  uint64_t count = 0;
  for (const ThreadView &thread : blocks.threads) {
    addSaturating(count, thread.open.size());
    for (const RecordsView &records : thread.records)
      addSaturating(count, records.used - records.getFirst());
  }
  return count;
}

std::optional<Problem> scope::readRecording(std::string_view bytes,
                                            Recording &out,
                                            const Window &asked) {
  const Window window = narrow(bytes, asked);
  out = Recording();
  Blocks blocks;
  if (std::optional<Problem> problem = readBlocks(bytes, blocks, out.losses))
    return problem;
  const prof_scope_process &process = blocks.process;
  out.process = process.process;
  out.parentProcess = process.parent;
  out.clock = makeClock(process);
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
  if (countRecords(blocks) >= kNoScope - 1)
    return Problem{"has more scopes than fit into memory",
                   "Record fewer, keep a ring, or keep statistics."};
  uint64_t end = std::min(findEnd(blocks), window.toTicks);
  Extras extras;
  EventWriter writer(blocks, buildForest(blocks, end, out.losses, extras),
                     window, out);
  writer.write();
  writer.writeExtras(extras);
  for (SiteStatistics &row : blocks.statistics)
    if (row.generation >= window.fromGeneration &&
        row.generation < window.toGeneration) {
      row.site = blocks.getSite(row.site, out.losses);
      out.statistics.push_back(row);
    }
  out.sites = std::move(blocks.sites);
  return std::nullopt;
}
