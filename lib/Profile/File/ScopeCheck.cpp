//===- ScopeCheck.cpp - Checking recordings of scopes ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using scope::kNoScope;
using scope::MemoryEvent;
using scope::Recording;
using scope::ScopeEvent;
using scope::SiteStatistics;

static llvm::StringRef findClockFault(const Recording &recording) {
  if (recording.clock.ticks == 0)
    return "their clock does not advance";
  // Products with 64-bit counts of ticks fit 127 bits.
  if (recording.clock.ps == 0 ||
      recording.clock.ps > uint64_t(std::numeric_limits<int64_t>::max()))
    return "their clock's picoseconds are 0 or pass 63 bits";
  if (recording.costWindowPs < 0 || recording.costPairPs < 0)
    return "the cost of a scope is negative";
  return "";
}

static llvm::StringRef findEventFault(const Recording &recording,
                                      const ScopeEvent &event) {
  size_t size = recording.events.size();
  if (event.site >= recording.sites.size() ||
      event.thread >= recording.threads.size())
    return "its site or thread is not in the recording";
  if (event.parent != kNoScope && event.parent >= size)
    return "its parent is not in the recording";
  if (event.isLinked && event.parent == kNoScope)
    return "it is linked to a parent that it does not have";
  if (event.first >= size ||
      recording.events[event.first].first != event.first ||
      recording.events[event.first].site != event.site)
    return "its first part is not one, or has another site";
  int64_t duration;
  if (__builtin_sub_overflow(event.endPs, event.beginPs, &duration) ||
      duration < 0)
    return "its duration is negative or passes 64 bits";
  if (event.selfPs < 0 || event.selfPs > duration)
    return "its self time is negative or longer than the scope";
  if (event.costPs < 0 || event.costPs > duration || event.selfCostPs < 0 ||
      event.selfCostPs > event.selfPs)
    return "its cost is negative or longer than the scope";
  return "";
}

/// An event that is around itself, or kNoScope.
static uint32_t findCycle(const Recording &recording) {
  enum State : uint8_t { New, Active, Done };
  std::vector<uint8_t> states(recording.events.size());
  std::vector<uint32_t> path;
  for (uint32_t start = 0; start != recording.events.size(); ++start) {
    uint32_t at = start;
    for (; at != kNoScope && states[at] == New;
         at = recording.events[at].parent) {
      states[at] = Active;
      path.push_back(at);
    }
    if (at != kNoScope && states[at] == Active)
      return at;
    for (uint32_t event : path)
      states[event] = Done;
    path.clear();
  }
  return kNoScope;
}

static llvm::StringRef findSumFault(const Recording &recording,
                                    const SiteStatistics &row) {
  if (row.site >= recording.sites.size() ||
      row.thread >= recording.threads.size())
    return "their site or thread is not in the recording";
  if (row.calls != 0 && row.min > row.max)
    return "their minimum is larger than their maximum";
  return "";
}

static llvm::StringRef findThreadFault(const Recording &recording,
                                       const scope::Thread &thread) {
  if (thread.device != kNoScope && thread.device >= recording.devices.size())
    return "its device is not in the recording";
  return "";
}

static llvm::StringRef findCountFault(const Recording &recording,
                                      const scope::EventCounts &counts) {
  // Elements are neighbors in one array.
  bool isFirst = &counts == recording.counts.data();
  if (counts.event >= recording.events.size() ||
      (!isFirst && (&counts)[-1].event >= counts.event))
    return "its scope is not in the recording, or not after the one before";
  if (counts.known == 0 || counts.known >> scope::kCounts)
    return "its amounts are unknown";
  for (size_t amount = 0; amount != scope::kCounts; ++amount)
    if (counts.costs[amount] > counts.values[amount])
      return "its cost is more than the amount";
  return "";
}

static llvm::StringRef findMemoryFault(const Recording &recording,
                                       const MemoryEvent &event) {
  if ((event.event != kNoScope && event.event >= recording.events.size()) ||
      (event.thread != kNoScope && event.thread >= recording.threads.size()) ||
      event.place >= recording.places.size())
    return "its scope, thread or place is not in the recording";
  return "";
}

/// The first element with a fault: "events[3]: ...".
template <typename T>
static std::string
findFault(const Recording &recording, const std::vector<T> &elements,
          llvm::StringRef field,
          llvm::StringRef (*find)(const Recording &, const T &)) {
  for (size_t index = 0; index != elements.size(); ++index)
    if (llvm::StringRef fault = find(recording, elements[index]);
        !fault.empty())
      return (field + "[" + llvm::Twine(index) + "]: " + fault).str();
  return "";
}

std::string schema::findScopeFault(const Recording &recording) {
  if (llvm::StringRef fault = findClockFault(recording); !fault.empty())
    return fault.str();
  std::string fault =
      findFault(recording, recording.events, "events", findEventFault);
  if (!fault.empty())
    return fault;
  if (uint32_t event = findCycle(recording); event != kNoScope)
    return "events[" + std::to_string(event) + "]: it is its own parent";
  fault = findFault(recording, recording.threads, "threads", findThreadFault);
  if (fault.empty())
    fault =
        findFault(recording, recording.statistics, "statistics", findSumFault);
  if (fault.empty())
    fault = findFault(recording, recording.counts, "counts", findCountFault);
  return fault.empty()
             ? findFault(recording, recording.memory, "memory", findMemoryFault)
             : fault;
}
