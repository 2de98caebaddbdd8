//===- SameScopes.cpp - Recordings of the same scopes ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameScopes.h"

#include <algorithm>
#include <map>
#include <string_view>

using namespace mlirprof;
using namespace mlirprof::profile;
using scope::Recording;
using scope::ScopeEvent;
using scope::SiteStatistics;

std::optional<SessionKey> profile::getSession(const Recording &recording) {
  const scope::Clock &clock = recording.clock;
  if (recording.process == 0 || clock.firstTicks == 0)
    return std::nullopt;
  return SessionKey(recording.process, recording.parentProcess,
                    clock.firstTicks, clock.firstMonotonicNs, clock.anchorNs);
}

namespace {

/// A scope by its thread, its name and the ticks at which it began. Ends
/// differ where it was open in one of two copies.
struct Begin {
  uint64_t thread;
  bool isDevice;
  int64_t ticks;
  std::string_view name;

  bool operator<(const Begin &other) const {
    return std::tie(thread, isDevice, ticks, name) <
           std::tie(other.thread, other.isDevice, other.ticks, other.name);
  }
};

} // namespace

/// Later copies know the rate of the clock better, so that the same ticks are
/// other picoseconds there.
static int64_t toTicks(const scope::Clock &clock, int64_t ps) {
  if (clock.ps == 0 || clock.ticks == 0)
    return ps;
  __int128 whole = clock.ps, half = whole / 2;
  __int128 scaled = __int128(ps) * clock.ticks;
  return int64_t((scaled + (scaled < 0 ? -half : half)) / whole);
}

static std::vector<Begin> getBegins(const Recording &recording) {
  std::vector<Begin> begins;
  begins.reserve(recording.events.size());
  for (const ScopeEvent &event : recording.events) {
    const scope::Thread &thread = recording.threads[event.thread];
    begins.push_back({thread.id, thread.isDevice,
                      toTicks(recording.clock, event.beginPs),
                      recording.sites[event.site].name});
  }
  std::sort(begins.begin(), begins.end());
  return begins;
}

namespace {

/// Whether some scopes are in both, and some in the first one alone.
struct Shares {
  bool both = false;
  bool onlyFirst = false;
};

} // namespace

static void compareEvents(const Recording &a, const Recording &b,
                          Shares &shares) {
  std::vector<Begin> first = getBegins(a), second = getBegins(b);
  auto other = second.begin();
  for (const Begin &begin : first) {
    while (other != second.end() && *other < begin)
      ++other;
    if (other == second.end() || begin < *other) {
      shares.onlyFirst = true;
      continue;
    }
    shares.both = true;
    ++other;
  }
}

/// Calls by thread, generation and name: parts of one session have other
/// generations, and a later copy has at least as many calls.
static std::map<std::tuple<uint64_t, uint32_t, std::string_view>, uint64_t>
getCalls(const Recording &recording) {
  std::map<std::tuple<uint64_t, uint32_t, std::string_view>, uint64_t> calls;
  for (const SiteStatistics &sum : recording.statistics)
    if (sum.calls)
      calls[{recording.threads[sum.thread].id, sum.generation,
             recording.sites[sum.site].name}] += sum.calls;
  return calls;
}

static void compareStatistics(const Recording &a, const Recording &b,
                              Shares &shares) {
  auto second = getCalls(b);
  for (const auto &[key, calls] : getCalls(a)) {
    auto it = second.find(key);
    shares.both |= it != second.end();
    shares.onlyFirst |= it == second.end() || it->second < calls;
  }
}

Containment profile::compareScopes(const Recording &a, const Recording &b) {
  Shares shares;
  compareEvents(a, b, shares);
  compareStatistics(a, b, shares);
  // One without any scope is a part of each copy.
  if (!shares.both && shares.onlyFirst)
    return Containment::Apart;
  return shares.onlyFirst ? Containment::Overlapping : Containment::Inside;
}
