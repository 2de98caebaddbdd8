//===- SummaryData.cpp - Sums of Paddle's summary -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummaryItems.h"
#include "Text.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::style;

static std::string lower(std::string_view text) {
  std::string made(text);
  for (char &byte : made)
    if (byte >= 'A' && byte <= 'Z')
      byte += 'a' - 'A';
  return made;
}

static bool hasAny(std::string_view name,
                   std::initializer_list<const char *> words) {
  std::string text = lower(name);
  return std::any_of(words.begin(), words.end(), [&](const char *word) {
    return text.find(word) != std::string::npos;
  });
}

/// Whether rows of `name` are copies, which are not among user scopes.
static bool isCopy(std::string_view name) {
  return hasAny(name, {"memcpy", "memorycopy", "memset"});
}

namespace {

class DataMaker {
public:
  explicit DataMaker(const Recordings &recordings);
  SummaryData make();

private:
  void addThread(SummaryThread &thread);
  void addRanges(const SummaryThread &thread, const SummaryNode &node);
  void addRange(RangeList &list, TimeRange range, bool isCall);
  void addItem(SummaryItem &item, const SummaryThread &thread,
               const SummaryNode &node, bool hasParts);
  void addWorkItem(SummaryItem &item, int64_t ps);
  void addCommunication(const SummaryThread &thread, const SummaryNode &node);
  void addPhases(const SummaryThread &thread);
  void addDevices();
  void addStatistics(const Recording &recording);
  void addStatisticsItem(const TableRow &row, SummaryItems &ops,
                         SummaryItems &userScopes);
  void finish();
  /// The time of an event, on a line on which recordings follow one another, so
  /// that those of one process do not cover those of others.
  TimeRange getRange(const Recording &recording, uint32_t event) const;

  const Recordings &recordings;
  std::unordered_map<const Recording *, int64_t> offsets;
  /// Recordings with scopes, and those of them with the time of a step.
  std::set<const Recording *> withScopes, withSteps;
  /// The end of the line.
  int64_t nextPs = 0;
  /// The whole of recordings with nothing but statistics.
  std::vector<TimeRange> wholes;
  SummaryData data;
};

} // namespace

DataMaker::DataMaker(const Recordings &recordings) : recordings(recordings) {
  for (const Recording *recording : recordings) {
    TimeRange range = {0, 0};
    if (!recording->events.empty())
      range = {std::numeric_limits<int64_t>::max(),
               std::numeric_limits<int64_t>::min()};
    for (const ScopeEvent &event : recording->events) {
      range.begin = std::min(range.begin, event.beginPs);
      range.end = std::max(range.end, event.endPs);
    }
    offsets[recording] = trace::saturatingSub(nextPs, range.begin);
    trace::addSaturating(nextPs, trace::saturatingSub(range.end, range.begin));
  }
}

TimeRange DataMaker::getRange(const Recording &recording,
                              uint32_t event) const {
  int64_t offset = offsets.find(&recording)->second;
  const ScopeEvent &of = recording.events[event];
  return {trace::saturatingAdd(of.beginPs, offset),
          trace::saturatingAdd(of.endPs, offset)};
}

void DataMaker::addRange(RangeList &list, TimeRange range, bool isCall) {
  list.calls += isCall;
  list.ranges.push_back(range);
}

void DataMaker::addWorkItem(SummaryItem &item, int64_t ps) {
  bool isFirst = item.calls++ == 0;
  item.kernels.add(ps, isFirst);
  item.device.add(ps, isFirst);
}

void DataMaker::addItem(SummaryItem &item, const SummaryThread &thread,
                        const SummaryNode &node, bool hasParts) {
  bool isFirst = item.calls++ == 0;
  item.host.add(node.hostPs, isFirst);
  item.kernels.add(node.kernelsPs, isFirst);
  item.device.add(node.devicePs, isFirst);
  if (!hasParts)
    return;
  const Recording &recording = *thread.recording;
  for (uint32_t child : node.children) {
    const SummaryNode &part = thread.nodes[child];
    if (part.type == ScopeType::Operator || !part.isCounted ||
        part.type == ScopeType::CudaRuntime)
      continue;
    SummaryItem &row = item.parts.get(part.name);
    addItem(row, thread, part, /*hasParts=*/false);
    for (uint32_t event : part.work)
      addWorkItem(
          row.work.get(recording.sites[recording.events[event].site].name),
          recording.events[event].getDurationPs());
  }
  for (uint32_t event : node.work)
    addWorkItem(
        item.work.get(recording.sites[recording.events[event].site].name),
        recording.events[event].getDurationPs());
}

void DataMaker::addRanges(const SummaryThread &thread,
                          const SummaryNode &node) {
  TimeRange range = getRange(*thread.recording, node.event);
  addRange(data.hostTypes.get(getTypeName(uint16_t(node.type))), range,
           node.isCounted);
  withScopes.insert(thread.recording);
  if (node.type == ScopeType::ProfileStep && range.begin < range.end)
    withSteps.insert(thread.recording);
}

/// All work of devices that a node and those in it started.
static void findWork(const SummaryThread &thread, const SummaryNode &node,
                     std::vector<uint32_t> &found) {
  found.insert(found.end(), node.work.begin(), node.work.end());
  for (uint32_t child : node.children)
    findWork(thread, thread.nodes[child], found);
}

void DataMaker::addCommunication(const SummaryThread &thread,
                                 const SummaryNode &node) {
  const Recording &recording = *thread.recording;
  auto isKernel = [&](uint32_t event) {
    return recording.sites[recording.events[event].site].type ==
           uint16_t(ScopeType::Kernel);
  };
  bool isCommunication = node.type == ScopeType::Communication ||
                         (node.type == ScopeType::Operator &&
                          hasAny(node.name, {"allreduce", "broadcast", "rpc"}));
  if (isCommunication) {
    data.hostCommunication.push_back(getRange(recording, node.event));
    std::vector<uint32_t> work;
    findWork(thread, node, work);
    for (uint32_t event : work)
      if (isKernel(event))
        data.deviceCommunication.push_back(getRange(recording, event));
    return;
  }
  for (uint32_t event : node.work) {
    if (!isKernel(event))
      continue;
    bool isOfLibrary = hasAny(
        recording.sites[recording.events[event].site].name, {"nccl", "xccl"});
    (isOfLibrary ? data.deviceCommunication : data.computation)
        .push_back(getRange(recording, event));
  }
}

void DataMaker::addThread(SummaryThread &thread) {
  SummaryItems ops, userScopes;
  for (uint32_t index : thread.order) {
    const SummaryNode &node = thread.nodes[index];
    addRanges(thread, node);
    addCommunication(thread, node);
    if (!node.isCounted)
      continue;
    std::string name(node.name);
    if (node.type == ScopeType::Operator) {
      addItem(data.ops.get(name), thread, node, /*hasParts=*/true);
      addItem(ops.get(name), thread, node, /*hasParts=*/true);
    }
    bool isUser = node.type == ScopeType::PythonUserDefined;
    if (!isUser && node.type != ScopeType::UserDefined)
      continue;
    if (isCopy(node.name)) {
      addItem(data.copies.get(name), thread, node, /*hasParts=*/false);
    } else if (isUser) {
      addItem(data.userScopes.get(name), thread, node, /*hasParts=*/false);
      addItem(userScopes.get(name), thread, node, /*hasParts=*/false);
    }
  }
  if (!ops.empty())
    data.opsOfThread.emplace_back(thread.id, std::move(ops));
  if (!userScopes.empty())
    data.userScopesOfThread.emplace_back(thread.id, std::move(userScopes));
  addPhases(thread);
}

/// The outermost phases of training, and steps around them.
void DataMaker::addPhases(const SummaryThread &thread) {
  std::deque<uint32_t> queue(thread.roots.begin(), thread.roots.end());
  while (!queue.empty()) {
    const SummaryNode &node = thread.nodes[queue.front()];
    queue.pop_front();
    bool isPhase = node.type == ScopeType::Forward ||
                   node.type == ScopeType::Dataloader ||
                   node.type == ScopeType::Backward ||
                   node.type == ScopeType::Optimization;
    if (node.isCounted && (isPhase || node.type == ScopeType::ProfileStep))
      addItem(data.phases.get(getTypeName(uint16_t(node.type))), thread, node,
              /*hasParts=*/false);
    if (!isPhase)
      queue.insert(queue.end(), node.children.begin(), node.children.end());
  }
}

/// "device 1 stream 7" is device 1; a timeline with another name is a device.
static std::string getDevice(const Thread &thread) {
  if (thread.device != kNoScope)
    return std::to_string(thread.device);
  size_t begin = thread.name.find("device ");
  if (begin == std::string::npos)
    return thread.name.empty() ? std::to_string(thread.id)
                               : makeCell(thread.name, 20);
  begin += 7;
  size_t end = thread.name.find_first_not_of("0123456789", begin);
  return thread.name.substr(begin,
                            end == std::string::npos ? end : end - begin);
}

void DataMaker::addDevices() {
  for (const Recording *recording : recordings)
    for (uint32_t index = 0; index != recording->events.size(); ++index) {
      const ScopeEvent &event = recording->events[index];
      const Thread &thread = recording->threads[event.thread];
      if (!thread.isDevice)
        continue;
      const Site &site = recording->sites[event.site];
      TimeRange range = getRange(*recording, index);
      addRange(data.deviceTypes.get(getTypeName(site.type)), range, true);
      if (site.type != uint16_t(ScopeType::Kernel))
        continue;
      addRange(data.devices.get(getDevice(thread)), range, true);
      addWorkItem(data.kernels.get(site.name), event.getDurationPs());
    }
}

void DataMaker::addStatisticsItem(const TableRow &row, SummaryItems &ops,
                                  SummaryItems &userScopes) {
  auto add = [&](SummaryItem &item) {
    bool isFirst = item.calls == 0;
    item.calls += row.calls;
    item.host.min = isFirst ? row.minPs : std::min(item.host.min, row.minPs);
    item.host.max = std::max(item.host.max, row.maxPs);
    trace::addSaturating(item.host.total, row.rawTotalPs);
  };
  auto type = ScopeType(row.type);
  switch (type) {
  case ScopeType::Operator:
    add(data.ops.get(row.name));
    return add(ops.get(row.name));
  case ScopeType::UserDefined:
  case ScopeType::PythonUserDefined:
    if (isCopy(row.name))
      return add(data.copies.get(row.name));
    if (type == ScopeType::UserDefined)
      return;
    add(data.userScopes.get(row.name));
    return add(userScopes.get(row.name));
  case ScopeType::ProfileStep:
  case ScopeType::Forward:
  case ScopeType::Dataloader:
  case ScopeType::Backward:
  case ScopeType::Optimization:
    return add(data.phases.get(getTypeName(row.type)));
  default:
    return;
  }
}

/// Adds rows by name. The time of a type is that of its scopes, even if some
/// are in others, but not more than the time of all.
void DataMaker::addStatistics(const Recording &recording) {
  TableOptions options;
  options.mergesThreads = false;
  std::vector<TableRow> rows = makeStatisticsTable(recording, options);
  std::stable_sort(
      rows.begin(), rows.end(),
      [](const TableRow &a, const TableRow &b) { return a.thread < b.thread; });
  int64_t wholePs = 0;
  for (const TableRow &row : rows)
    trace::addSaturating(wholePs, row.rawSelfPs);
  std::map<std::string, std::pair<uint64_t, int64_t>> types;
  SummaryItems ops, userScopes;
  for (size_t index = 0; index != rows.size(); ++index) {
    const TableRow &row = rows[index];
    auto &[calls, totalPs] = types[getTypeName(row.type)];
    calls += row.calls;
    trace::addSaturating(totalPs, row.rawTotalPs);
    addStatisticsItem(row, ops, userScopes);
    if (index + 1 != rows.size() && rows[index + 1].thread == row.thread)
      continue;
    uint64_t id = recording.threads[row.thread].id;
    if (!ops.empty())
      data.opsOfThread.emplace_back(id, std::exchange(ops, {}));
    if (!userScopes.empty())
      data.userScopesOfThread.emplace_back(id, std::exchange(userScopes, {}));
  }
  auto makeRange = [&](int64_t ps) {
    return TimeRange{nextPs, trace::saturatingAdd(nextPs, ps)};
  };
  for (const auto &[name, sums] : types) {
    RangeList &list = data.hostTypes.get(name);
    list.calls += sums.first;
    list.ranges.push_back(makeRange(std::min(sums.second, wholePs)));
    withScopes.insert(&recording);
    if (name == getTypeName(uint16_t(ScopeType::ProfileStep)) && sums.second)
      withSteps.insert(&recording);
  }
  wholes.push_back(makeRange(wholePs));
  trace::addSaturating(nextPs, wholePs);
}

static uint64_t countDifferent(const std::vector<TimeRange> &ranges) {
  std::set<std::pair<int64_t, int64_t>> different;
  for (const TimeRange &range : ranges)
    different.emplace(range.begin, range.end);
  return different.size();
}

void DataMaker::finish() {
  for (auto *lists : {&data.hostTypes, &data.deviceTypes, &data.devices})
    for (RangeList &list : *lists)
      list.ranges = uniteRanges(std::move(list.ranges));
  data.hostCommunications = countDifferent(data.hostCommunication);
  data.deviceCommunications = countDifferent(data.deviceCommunication);
  for (auto *ranges :
       {&data.hostCommunication, &data.deviceCommunication, &data.computation})
    *ranges = uniteRanges(std::move(*ranges));
  std::vector<TimeRange> all = wholes;
  for (const RangeList &list : data.hostTypes) {
    if (list.name == getTypeName(uint16_t(ScopeType::ProfileStep))) {
      data.totalPs = sumRanges(list.ranges);
      // The steps of some recordings are not the whole of others.
      data.hasSteps = data.totalPs > 0 && withSteps.size() == withScopes.size();
    }
    all.insert(all.end(), list.ranges.begin(), list.ranges.end());
  }
  if (!data.hasSteps)
    data.totalPs = sumRanges(uniteRanges(std::move(all)));
}

SummaryData DataMaker::make() {
  data.threads = makeSummaryThreads(recordings);
  for (SummaryThread &thread : data.threads)
    addThread(thread);
  addDevices();
  for (const Recording *recording : recordings)
    if (hasOnlyStatistics(*recording))
      addStatistics(*recording);
  finish();
  return std::move(data);
}

SummaryData style::makeSummaryData(const Recordings &recordings) {
  return DataMaker(recordings).make();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void addMemory(MemoryRow &row, const MemoryEvent &event) {
  if (event.type == MemoryType::Free ||
      event.type == MemoryType::ReservedFree) {
    ++row.frees;
    row.freed = trace::saturatingSub(row.freed, event.bytes);
    return;
  }
  ++row.allocations;
  trace::addSaturating(row.allocated, event.bytes);
}

/// Adds the memory of `events` to the rows `name`.
static void addMemory(NamedList<MemoryPlace> &places, std::string_view name,
                      const Recording &recording,
                      const std::vector<uint32_t> &events) {
  for (uint32_t index : events) {
    const MemoryEvent &event = recording.memory[index];
    MemoryPlace &place = places.get(event.place < recording.places.size()
                                        ? recording.places[event.place]
                                        : "unknown");
    place.peakAllocated = std::max(place.peakAllocated, event.peakAllocated);
    place.peakReserved = std::max(place.peakReserved, event.peakReserved);
    bool isReserved = event.type == MemoryType::ReservedAllocate ||
                      event.type == MemoryType::ReservedFree;
    addMemory((isReserved ? place.reserved : place.allocated).get(name), event);
  }
}

/// Memory events by the first part of the scope.
using MemoryOf = std::unordered_map<uint32_t, std::vector<uint32_t>>;

static MemoryOf findMemory(const Recording &recording) {
  MemoryOf memoryOf;
  for (uint32_t index = 0; index != recording.memory.size(); ++index)
    if (uint32_t event = recording.memory[index].event;
        event < recording.events.size())
      memoryOf[recording.events[event].first].push_back(index);
  return memoryOf;
}

static void addMemory(NamedList<MemoryPlace> &places,
                      const SummaryThread &thread, const MemoryOf &memoryOf) {
  const Recording &recording = *thread.recording;
  auto add = [&](std::string_view name, const SummaryNode &node) {
    auto it = memoryOf.find(node.event);
    if (it != memoryOf.end())
      addMemory(places, name, recording, it->second);
  };
  for (uint32_t index : thread.order) {
    const SummaryNode &node = thread.nodes[index];
    if (node.type == ScopeType::OperatorInner)
      continue;
    // The row of an op has the memory of its parts as well.
    if (node.type == ScopeType::Operator)
      for (uint32_t child : node.children)
        add(node.name, thread.nodes[child]);
    add(node.name, node);
  }
}

NamedList<MemoryPlace>
style::makeMemoryPlaces(const std::vector<SummaryThread> &threads) {
  NamedList<MemoryPlace> places;
  // Threads of a recording follow one another.
  const Recording *recording = nullptr;
  MemoryOf memoryOf;
  for (const SummaryThread &thread : threads) {
    if (thread.recording != recording)
      memoryOf = findMemory(*thread.recording);
    recording = thread.recording;
    addMemory(places, thread, memoryOf);
  }
  return places;
}
