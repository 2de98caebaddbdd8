//===- Table.cpp - Sums over scopes ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Table.h"
#include "Calls.h"
#include "Ranks.h"
#include "StatisticsTable.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::addSaturating;
using trace::saturatingAdd;
using trace::saturatingSub;

namespace {

class TableMaker {
public:
  explicit TableMaker(const TableOptions &options)
      : options(options), rows(options) {}
  void add(const Recording &recording, uint32_t index, int64_t offsetPs);
  /// Adds statistics in place of events.
  void addStatistics(const Recording &recording, uint32_t index) {
    statistics.add(recording, index, options, rows);
  }
  std::vector<TableRow> take();

private:
  uint32_t findRow(uint32_t event);
  uint32_t getRow(uint32_t event);
  void markRecursive();
  bool isInSame(uint32_t event);
  void addCall(uint32_t row, const Call &call, bool isInside);
  void addLinked(const ScopeEvent &event, const Call &call);
  void addCounts(const EventCounts &counts, const Calls &calls);

  const TableOptions &options;
  Rows rows;
  /// By row.
  std::vector<std::vector<int64_t>> durations;
  StatisticsSums statistics;

  // These belong to the recording that is added.
  const Recording *recording = nullptr;
  uint32_t recordingIndex = 0;
  int64_t offsetPs = 0;
  std::vector<char> isKept;
  /// By site, if rows are names of all threads.
  std::vector<uint32_t> rowOfSite;
  std::vector<uint32_t> rowOfEvent;
  std::vector<uint32_t> path;
  /// Whether an event is inside of another one of its row; empty for paths.
  std::vector<char> isRecursive;
};

} // namespace

/// The row of an event, made with those of its ancestors if they count; that of
/// the scope around it if its own is left out.
uint32_t TableMaker::findRow(uint32_t event) {
  path.clear();
  const std::vector<ScopeEvent> &events = recording->events;
  // Around a scope is all of another one, not the part in which it began.
  auto getParent = [&](uint32_t at) {
    uint32_t parent =
        options.key == RowKey::Path ? events[at].parent : kNoScope;
    return parent == kNoScope ? parent : events[parent].first;
  };
  for (uint32_t at = event; at != kNoScope && rowOfEvent[at] == kNoScope &&
                            path.size() <= events.size();
       at = getParent(at))
    path.push_back(at);
  while (!path.empty()) {
    uint32_t at = path.back();
    path.pop_back();
    const ScopeEvent &of = events[at];
    uint32_t parent = getParent(at);
    uint32_t row = parent == kNoScope ? kNoScope : rowOfEvent[parent];
    if (isKept[of.site]) {
      bool merges = options.mergesThreads;
      row = rows.get(row, recording->sites[of.site],
                     merges ? kNoScope : recordingIndex,
                     merges ? kNoScope : of.thread);
    }
    rowOfEvent[at] = row;
  }
  return rowOfEvent[event];
}

uint32_t TableMaker::getRow(uint32_t event) {
  if (options.key == RowKey::Path || !options.mergesThreads)
    return findRow(event);
  uint32_t &row = rowOfSite[recording->events[event].site];
  if (row == kNoScope)
    row = findRow(event);
  return row;
}

/// The scope around `event` during whose time it ran, or kNoScope.
static uint32_t getAround(const Recording &recording, uint32_t index) {
  const ScopeEvent &event = recording.events[index];
  bool isElsewhere = event.isLinked || recording.threads[event.thread].isDevice;
  return isElsewhere ? kNoScope : event.parent;
}

/// Looks at all scopes around `event`; beyond a depth of 1000 at none.
bool TableMaker::isInSame(uint32_t event) {
  uint32_t row = getRow(event);
  uint32_t at = getAround(*recording, event);
  for (unsigned steps = 0; at != kNoScope && steps != 1000; ++steps) {
    if (isKept[recording->events[at].site] && getRow(at) == row)
      return true;
    at = getAround(*recording, at);
  }
  return false;
}

/// Backwards, events of a thread come after those around them, so that these
/// are on a stack, with the number of those of each row.
void TableMaker::markRecursive() {
  isRecursive.clear();
  if (options.key == RowKey::Path)
    return;
  const std::vector<ScopeEvent> &events = recording->events;
  isRecursive.resize(events.size());
  std::vector<uint32_t> stack, active;
  std::vector<uint32_t> placeOf(events.size(), kNoScope);
  for (uint32_t index = uint32_t(events.size()); index--;) {
    if (!isKept[events[index].site])
      continue;
    uint32_t row = getRow(index), around = getAround(*recording, index);
    while (around != kNoScope && !isKept[events[around].site])
      around = getAround(*recording, around);
    if (around != kNoScope && placeOf[around] == kNoScope) {
      isRecursive[index] = isInSame(index);
      continue;
    }
    size_t depth = around == kNoScope ? 0 : placeOf[around] + 1;
    for (; stack.size() > depth; stack.pop_back()) {
      --active[getRow(stack.back())];
      placeOf[stack.back()] = kNoScope;
    }
    active.resize(std::max<size_t>(active.size(), row + 1));
    isRecursive[index] = active[row]++ != 0;
    placeOf[index] = uint32_t(stack.size());
    stack.push_back(index);
  }
}

void TableMaker::addCall(uint32_t index, const Call &call, bool isInside) {
  TableRow &row = rows[index];
  row.isSelfBound |= call.isSelfBound;
  if (call.isOpen) {
    ++row.open;
    addSaturating(row.openPs, call.durationPs);
    return;
  }
  int64_t netPs = saturatingSub(call.durationPs, call.costPs);
  int64_t endPs = saturatingAdd(call.endPs, offsetPs);
  row.firstEndPs = row.calls ? std::min(row.firstEndPs, endPs) : endPs;
  ++row.calls;
  if (isInside) {
    ++row.recursive;
    addSaturating(row.recursivePs, netPs);
  } else {
    addSaturating(row.rawTotalPs, call.durationPs);
    addSaturating(row.totalPs, netPs);
  }
  addSaturating(row.rawSelfPs, call.selfPs);
  addSaturating(row.selfPs, saturatingSub(call.selfPs, call.selfCostPs));
  if (index >= durations.size())
    durations.resize(rows.size());
  durations[index].push_back(netPs);
}

void TableMaker::addLinked(const ScopeEvent &event, const Call &call) {
  bool isElsewhere =
      event.isLinked || recording->threads[event.thread].isDevice;
  if (!isElsewhere || event.parent == kNoScope ||
      !isKept[recording->events[event.parent].site])
    return;
  TableRow &row = rows[getRow(recording->events[event.parent].first)];
  ++row.linked;
  addSaturating(row.linkedPs, call.durationPs);
}

void TableMaker::addCounts(const EventCounts &counts, const Calls &calls) {
  uint32_t event = recording->events[counts.event].first;
  if (!isKept[recording->events[event].site] || calls.get(event).isOpen)
    return;
  TableRow &row = rows[getRow(event)];
  row.knownCounts |= counts.known;
  for (size_t kind = 0; kind != kCounts; ++kind)
    if (counts.has(Count(kind)))
      addSaturating(row.counts[kind], counts.getNet(Count(kind)));
}

void TableMaker::add(const Recording &of, uint32_t index, int64_t offset) {
  recording = &of;
  recordingIndex = index;
  offsetPs = offset;
  Calls calls(of);
  isKept.clear();
  for (const Site &site : of.sites)
    isKept.push_back(rows.keeps(site));
  rowOfSite.assign(of.sites.size(), kNoScope);
  rowOfEvent.assign(of.events.size(), kNoScope);
  markRecursive();
  for (uint32_t event = 0; event != of.events.size(); ++event) {
    if (!calls.isFirst(event))
      continue;
    const ScopeEvent &first = of.events[event];
    Call call = calls.get(event);
    if (isKept[first.site])
      addCall(getRow(event), call, !isRecursive.empty() && isRecursive[event]);
    addLinked(first, call);
  }
  for (const EventCounts &counts : of.counts)
    addCounts(counts, calls);
}

std::vector<TableRow> TableMaker::take() {
  for (uint32_t index = 0; index != durations.size(); ++index) {
    std::vector<int64_t> &times = durations[index];
    if (times.empty())
      continue;
    TableRow &row = rows[index];
    auto [least, most] = std::minmax_element(times.begin(), times.end());
    row.minPs = *least;
    row.maxPs = *most;
    size_t from = 0;
    // Each rank is looked for above the one before.
    auto select = [&](uint64_t perMille) {
      size_t rank = getNearestRank(times.size(), perMille) - 1;
      std::nth_element(times.begin() + from, times.begin() + rank, times.end());
      from = rank;
      return times[rank];
    };
    row.p50Ps = select(500);
    row.p90Ps = select(900);
    row.p99Ps = select(990);
    row.p999Ps = select(999);
  }
  statistics.finish(durations, rows);
  return rows.take();
}

/// A table of the events of recordings, or of the statistics of those for which
/// `takesStatistics` holds.
template <typename Predicate>
static std::vector<TableRow> make(const Recordings &recordings,
                                  const TableOptions &options,
                                  Predicate &&takesStatistics) {
  TableMaker maker(options);
  int64_t earliestNs = std::numeric_limits<int64_t>::max();
  for (const Recording *recording : recordings)
    earliestNs = std::min(earliestNs, recording->clock.anchorNs);
  for (uint32_t index = 0; index != recordings.size(); ++index) {
    if (takesStatistics(*recordings[index])) {
      maker.addStatistics(*recordings[index], index);
      continue;
    }
    int64_t offsetNs =
        saturatingSub(recordings[index]->clock.anchorNs, earliestNs);
    maker.add(*recordings[index], index, trace::saturatingMul(offsetNs, 1000));
  }
  return maker.take();
}

std::vector<TableRow> scope::makeTable(const Recordings &recordings,
                                       const TableOptions &options) {
  return make(recordings, options, [](const Recording &) { return false; });
}

bool scope::hasBetterStatistics(const Recording &recording) {
  return recording.hasStatistics &&
         (!recording.hasEvents || recording.sampleEvery > 1);
}

bool scope::haveBetterStatistics(const Recordings &recordings) {
  return std::any_of(recordings.begin(), recordings.end(),
                     [](const Recording *recording) {
                       return hasBetterStatistics(*recording);
                     });
}

std::vector<TableRow> scope::makeBestTable(const Recordings &recordings,
                                           const TableOptions &options) {
  return make(recordings, options, [&](const Recording &recording) {
    // Statistics do not know paths.
    bool needsEvents = recording.hasEvents && options.key == RowKey::Path;
    return hasBetterStatistics(recording) && !needsEvents;
  });
}
