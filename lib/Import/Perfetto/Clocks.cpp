//===- Clocks.cpp - Clock domains of a trace ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clocks.h"
#include "../Common/FastWire.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;
using namespace mlirprof::trace;

/// A snapshot has a handful of clocks; the search for paths is quadratic.
static constexpr size_t kMostClocks = 64;

void ClockPath::Hop::find(int64_t ns) {
  // The last snapshot before it; clocks drift.
  auto next = std::upper_bound(
      pairs.begin(), pairs.end(), ns,
      [](int64_t time, const auto &pair) { return time < pair.first; });
  auto it = next == pairs.begin() ? next : std::prev(next);
  at = size_t(it - pairs.begin());
  fromNs =
      next == pairs.begin() ? std::numeric_limits<int64_t>::min() : it->first;
  untilNs =
      next == pairs.end() ? std::numeric_limits<int64_t>::max() : next->first;
}

uint32_t Clocks::getIndex(uint32_t sequence, uint32_t id) {
  if (id < kFirstOfSequence || id >= kFirstGlobal)
    sequence = 0;
  uint32_t &index = byId[uint64_t(sequence) << 32 | id];
  if (index == kNone) {
    index = uint32_t(clocks.size());
    Clock clock;
    clock.sequence = sequence;
    clock.id = id;
    clocks.push_back(clock);
    neighbors.emplace_back();
    snapshotsOf.emplace_back();
  }
  return index;
}

std::optional<int64_t> Clocks::readAny(Clock &clock, uint64_t timestamp) {
  uint64_t ns;
  int64_t result = 0;
  if (__builtin_mul_overflow(timestamp, clock.unitNs, &ns) ||
      ns > uint64_t(std::numeric_limits<int64_t>::max()))
    return std::nullopt;
  if (!clock.isIncremental)
    return int64_t(ns);
  if (__builtin_add_overflow(clock.lastNs, int64_t(ns), &result))
    return std::nullopt;
  return clock.lastNs = result;
}

void Clocks::addReading(uint32_t sequence, llvm::StringRef message,
                        Snapshot &snapshot) {
  uint32_t id = 0;
  uint64_t timestamp = 0, unitNs = 1;
  bool isIncremental = false;
  const char *at = message.begin();
  while (at != message.end()) {
    uint64_t tag = readVarint(at, message.end());
    if (tag == 0x08)
      id = uint32_t(readVarint(at, message.end()));
    else if (tag == 0x10)
      timestamp = readVarint(at, message.end());
    else if (tag == 0x18)
      isIncremental = readVarint(at, message.end()) != 0;
    else if (tag == 0x20)
      unitNs = std::max<uint64_t>(1, readVarint(at, message.end()));
    else
      skipField(tag, at, message.end());
  }
  uint32_t index = getIndex(sequence, id);
  Clock &clock = clocks[index];
  clock.unitNs = unitNs;
  // A snapshot contains the absolute time, to which the following packets are
  // relative.
  clock.isIncremental = false;
  std::optional<int64_t> ns = readAny(clock, timestamp);
  clock.isIncremental = isIncremental;
  if (!ns || snapshot.size() == kMostClocks) {
    ++leftOut;
    return;
  }
  clock.lastNs = *ns;
  snapshot.push_back({index, *ns});
}

void Clocks::addSnapshot(uint32_t sequence, llvm::StringRef message) {
  Snapshot snapshot;
  const char *at = message.begin();
  while (at != message.end()) {
    uint64_t tag = readVarint(at, message.end());
    if (tag == 0x0a)
      addReading(sequence, readBytes(at, message.end()), snapshot);
    else if (tag == 0x10)
      primary = uint32_t(readVarint(at, message.end()));
    else
      skipField(tag, at, message.end());
  }
  if (snapshot.size() < 2)
    return;
  for (const Reading &a : snapshot) {
    snapshotsOf[a.clock].push_back(uint32_t(snapshots.size()));
    for (const Reading &b : snapshot) {
      uint32_t &edge = edges[uint64_t(a.clock) << 32 | b.clock];
      if (edge == kNone && a.clock != b.clock)
        neighbors[a.clock].push_back(b.clock);
      edge = 0;
    }
  }
  snapshots.push_back(std::move(snapshot));
}

uint32_t Clocks::getTraceClock(uint32_t used) {
  if (primary)
    return getIndex(0, primary);
  uint32_t boottime = byId.find(kBoottime);
  if (boottime != kNone && !neighbors[boottime].empty())
    return boottime;
  return used;
}

ClockPath::Pairs Clocks::getPairs(uint32_t from, uint32_t to) const {
  ClockPath::Pairs pairs;
  for (uint32_t index : snapshotsOf[from]) {
    const Snapshot &snapshot = snapshots[index];
    const Reading *source = nullptr, *target = nullptr;
    for (const Reading &reading : snapshot) {
      source = reading.clock == from ? &reading : source;
      target = reading.clock == to ? &reading : target;
    }
    if (source && target)
      pairs.emplace_back(source->ns, target->ns);
  }
  llvm::stable_sort(
      pairs, [](const auto &a, const auto &b) { return a.first < b.first; });
  return pairs;
}

/// With the fewest hops: each adds the error of its snapshots.
std::optional<ClockPath> Clocks::findPath(uint32_t from, uint32_t to) const {
  std::vector<uint32_t> next(clocks.size(), kNone);
  std::vector<uint32_t> queue{to};
  next[to] = to;
  for (size_t i = 0; i != queue.size(); ++i)
    for (uint32_t neighbor : neighbors[queue[i]])
      if (next[neighbor] == kNone) {
        next[neighbor] = queue[i];
        queue.push_back(neighbor);
      }
  if (next[from] == kNone)
    return std::nullopt;
  std::vector<ClockPath::Pairs> hops;
  for (; from != to; from = next[from])
    hops.push_back(getPairs(from, next[from]));
  return ClockPath(std::move(hops));
}

std::string Clocks::getName(uint32_t clock) const {
  switch (clocks[clock].id) {
  case kRealtime:
    return "realtime";
  case kMonotonic:
    return "monotonic";
  case kBoottime:
    return "boottime";
  }
  std::string name = "clock " + std::to_string(clocks[clock].id);
  if (clocks[clock].sequence)
    name += " of sequence " + std::to_string(clocks[clock].sequence);
  return name;
}
