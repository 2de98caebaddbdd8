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
#include "Rows.h"
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
  std::vector<TableRow> take();

private:
  uint32_t findRow(uint32_t event);
  uint32_t getRow(uint32_t event);
  void addCall(uint32_t row, const Call &call);
  void addLinked(const ScopeEvent &event, const Call &call);

  const TableOptions &options;
  Rows rows;
  /// By row.
  std::vector<std::vector<int64_t>> durations;

  // Of the recording that is added.
  const Recording *recording = nullptr;
  uint32_t recordingIndex = 0;
  int64_t offsetPs = 0;
  std::vector<char> isKept;
  /// By site, if rows are names of all threads.
  std::vector<uint32_t> rowOfSite;
  std::vector<uint32_t> rowOfEvent;
  std::vector<uint32_t> path;
};

} // namespace

/// The row of an event, made with those of its ancestors if they count; that of
/// the scope around it if its own is left out.
uint32_t TableMaker::findRow(uint32_t event) {
  path.clear();
  const std::vector<ScopeEvent> &events = recording->events;
  for (uint32_t at = event; at != kNoScope && rowOfEvent[at] == kNoScope &&
                            path.size() <= events.size();
       at = options.key == RowKey::Path ? events[at].parent : kNoScope)
    path.push_back(at);
  while (!path.empty()) {
    uint32_t at = path.back();
    path.pop_back();
    const ScopeEvent &of = events[at];
    uint32_t row = options.key == RowKey::Path && of.parent != kNoScope
                       ? rowOfEvent[of.parent]
                       : kNoScope;
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

void TableMaker::addCall(uint32_t index, const Call &call) {
  TableRow &row = rows[index];
  row.isSelfBound |= call.isSelfBound;
  if (call.isOpen) {
    ++row.open;
    addSaturating(row.openPs, call.durationPs);
    return;
  }
  int64_t endPs = saturatingAdd(call.endPs, offsetPs);
  row.firstEndPs = row.calls ? std::min(row.firstEndPs, endPs) : endPs;
  ++row.calls;
  addSaturating(row.rawTotalPs, call.durationPs);
  addSaturating(row.rawSelfPs, call.selfPs);
  addSaturating(row.totalPs, saturatingSub(call.durationPs, call.costPs));
  addSaturating(row.selfPs, saturatingSub(call.selfPs, call.selfCostPs));
  if (index >= durations.size())
    durations.resize(rows.size());
  durations[index].push_back(call.durationPs);
}

void TableMaker::addLinked(const ScopeEvent &event, const Call &call) {
  if (!event.isLinked || event.parent == kNoScope ||
      !isKept[recording->events[event.parent].site])
    return;
  TableRow &row = rows[getRow(event.parent)];
  ++row.linked;
  addSaturating(row.linkedPs, call.durationPs);
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
  for (uint32_t event = 0; event != of.events.size(); ++event) {
    if (!calls.isFirst(event))
      continue;
    const ScopeEvent &first = of.events[event];
    Call call = calls.get(event);
    if (isKept[first.site])
      addCall(getRow(event), call);
    addLinked(first, call);
  }
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
  return rows.take();
}

std::vector<TableRow> scope::makeTable(const Recordings &recordings,
                                       const TableOptions &options) {
  TableMaker maker(options);
  for (uint32_t index = 0; index != recordings.size(); ++index) {
    int64_t offsetNs = saturatingSub(recordings[index]->clock.anchorNs,
                                     recordings[0]->clock.anchorNs);
    maker.add(*recordings[index], index, trace::saturatingMul(offsetNs, 1000));
  }
  return maker.take();
}

bool scope::hasBetterStatistics(const Recording &recording) {
  return recording.hasStatistics &&
         (!recording.hasEvents || recording.sampleEvery > 1);
}

std::vector<TableRow> scope::makeBestTable(const Recordings &recordings,
                                           const TableOptions &options) {
  bool hasStatistics = !recordings.empty();
  bool hasEvents = false;
  for (const Recording *recording : recordings) {
    hasStatistics &= hasBetterStatistics(*recording);
    hasEvents |= recording->hasEvents;
  }
  // Statistics do not know paths.
  if (hasStatistics && !(hasEvents && options.key == RowKey::Path))
    return makeStatisticsTable(recordings, options);
  return makeTable(recordings, options);
}
