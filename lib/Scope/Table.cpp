//===- Table.cpp - Sums over scopes ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Table.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::addSaturating;
using trace::saturatingSub;

namespace {

/// A scope: all of its parts together.
struct Call {
  int64_t durationPs = 0;
  int64_t selfPs = 0;
  int64_t costPs = 0;
  int64_t selfCostPs = 0;
  int64_t endPs = 0;
  bool isOpen = false;
  bool isSelfBound = false;
};

class TableMaker {
public:
  TableMaker(const Recording &recording, const TableOptions &options)
      : recording(recording), options(options) {}
  std::vector<TableRow> make();

private:
  void joinCalls();
  void nameSites();
  uint32_t getRow(uint32_t event);
  void addCall(TableRow &row, const Call &call);
  void finishRows();
  void sortRows();

  const Recording &recording;
  const TableOptions &options;
  /// By the first event of a scope.
  std::vector<Call> calls;
  /// Sites of one name have one number.
  std::vector<uint32_t> nameOfSite;
  std::vector<uint32_t> rowOfEvent;
  /// By parent row, name and thread.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> rowOfKey;
  std::vector<TableRow> rows;
  std::vector<std::vector<int64_t>> durations;
};

} // namespace

void TableMaker::joinCalls() {
  calls.resize(recording.events.size());
  std::vector<int64_t> latest(recording.events.size(),
                              std::numeric_limits<int64_t>::min());
  for (const ScopeEvent &event : recording.events) {
    Call &call = calls[event.first];
    addSaturating(call.durationPs, event.getDurationPs());
    addSaturating(call.selfPs, event.selfPs);
    addSaturating(call.costPs, event.costPs);
    addSaturating(call.selfCostPs, event.selfCostPs);
    call.isSelfBound |= event.isSelfBound;
    // The last part tells whether the scope has ended.
    if (event.endPs > latest[event.first] ||
        (event.endPs == latest[event.first] && event.end == EventEnd::Ended)) {
      latest[event.first] = call.endPs = event.endPs;
      call.isOpen = event.end != EventEnd::Ended;
    }
  }
}

void TableMaker::nameSites() {
  std::unordered_map<std::string_view, uint32_t> numbers;
  for (const Site &site : recording.sites)
    nameOfSite.push_back(
        numbers.try_emplace(site.name, uint32_t(numbers.size())).first->second);
}

/// The row of an event, made with those of its ancestors if they count.
uint32_t TableMaker::getRow(uint32_t event) {
  std::vector<uint32_t> path;
  for (uint32_t at = event; at != kNoScope && rowOfEvent[at] == kNoScope;
       at = options.key == RowKey::Path ? recording.events[at].parent
                                        : kNoScope)
    path.push_back(at);
  for (auto back = path.rbegin(); back != path.rend(); ++back) {
    uint32_t at = *back;
    const ScopeEvent &of = recording.events[at];
    uint32_t parent = options.key == RowKey::Path && of.parent != kNoScope
                          ? rowOfEvent[of.parent]
                          : kNoScope;
    uint32_t thread = options.mergesThreads ? kNoScope : of.thread;
    auto [it, isNew] = rowOfKey.try_emplace(
        {parent, nameOfSite[of.site], thread}, uint32_t(rows.size()));
    if (isNew) {
      TableRow &row = rows.emplace_back();
      row.name = recording.sites[of.site].name;
      row.type = recording.sites[of.site].type;
      row.thread = thread;
      row.parent = parent;
      durations.emplace_back();
    }
    rowOfEvent[at] = it->second;
  }
  return rowOfEvent[event];
}

void TableMaker::addCall(TableRow &row, const Call &call) {
  row.isSelfBound |= call.isSelfBound;
  if (call.isOpen) {
    ++row.open;
    addSaturating(row.openPs, call.durationPs);
    return;
  }
  row.firstEndPs =
      row.calls ? std::min(row.firstEndPs, call.endPs) : call.endPs;
  ++row.calls;
  addSaturating(row.rawTotalPs, call.durationPs);
  addSaturating(row.rawSelfPs, call.selfPs);
  addSaturating(row.totalPs, saturatingSub(call.durationPs, call.costPs));
  addSaturating(row.selfPs, saturatingSub(call.selfPs, call.selfCostPs));
}

/// The number, from 1 on, of the smallest of `count` sorted values that at
/// least `perMille` of 1000 are not above.
static uint64_t getNearestRank(uint64_t count, uint64_t perMille) {
  return std::max<uint64_t>((count * perMille + 999) / 1000, 1);
}

static int64_t getQuantile(const std::vector<int64_t> &sorted,
                           uint64_t perMille) {
  return sorted[getNearestRank(sorted.size(), perMille) - 1];
}

void TableMaker::finishRows() {
  for (size_t index = 0; index != rows.size(); ++index) {
    TableRow &row = rows[index];
    std::vector<int64_t> &times = durations[index];
    if (times.empty())
      continue;
    std::sort(times.begin(), times.end());
    row.minPs = times.front();
    row.maxPs = times.back();
    row.p50Ps = getQuantile(times, 500);
    row.p90Ps = getQuantile(times, 900);
    row.p99Ps = getQuantile(times, 990);
    row.p999Ps = getQuantile(times, 999);
  }
}

/// Roots in the order of first ends, each followed by its descendants.
void TableMaker::sortRows() {
  std::vector<std::vector<uint32_t>> children(rows.size() + 1);
  for (uint32_t index = 0; index != rows.size(); ++index)
    children[rows[index].parent == kNoScope ? rows.size() : rows[index].parent]
        .push_back(index);
  auto isEarlier = [&](uint32_t a, uint32_t b) {
    // Rows without calls come last.
    return std::make_tuple(!rows[a].calls, rows[a].firstEndPs) <
           std::make_tuple(!rows[b].calls, rows[b].firstEndPs);
  };
  for (std::vector<uint32_t> &of : children)
    std::stable_sort(of.begin(), of.end(), isEarlier);
  std::vector<TableRow> sorted;
  std::vector<uint32_t> newIndex(rows.size(), kNoScope);
  std::vector<uint32_t> stack(children.back().rbegin(), children.back().rend());
  while (!stack.empty()) {
    uint32_t index = stack.back();
    stack.pop_back();
    newIndex[index] = uint32_t(sorted.size());
    if (rows[index].parent != kNoScope)
      rows[index].parent = newIndex[rows[index].parent];
    sorted.push_back(std::move(rows[index]));
    stack.insert(stack.end(), children[index].rbegin(), children[index].rend());
  }
  rows = std::move(sorted);
}

std::vector<TableRow> TableMaker::make() {
  joinCalls();
  nameSites();
  rowOfEvent.assign(recording.events.size(), kNoScope);
  for (uint32_t event = 0; event != recording.events.size(); ++event) {
    if (recording.events[event].first != event)
      continue;
    uint32_t row = getRow(event);
    addCall(rows[row], calls[event]);
    if (!calls[event].isOpen)
      durations[row].push_back(calls[event].durationPs);
  }
  finishRows();
  sortRows();
  return std::move(rows);
}

std::vector<TableRow> scope::makeTable(const Recording &recording,
                                       const TableOptions &options) {
  return TableMaker(recording, options).make();
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// A duration in `bucket`, from which those in it differ by at most 1/17.
static double getBucketMiddle(size_t bucket) {
  constexpr size_t kSteps = 8;
  if (bucket < kSteps)
    return double(bucket);
  double low = double(kSteps + bucket % kSteps);
  double scale = double(uint64_t(1) << (bucket / kSteps - 1));
  return scale * 2 * low * (low + 1) / (2 * low + 1);
}

static int64_t getQuantile(const SiteStatistics &sum, uint64_t perMille,
                           const Clock &clock) {
  uint64_t all = 0;
  for (uint32_t count : sum.counts)
    all += count;
  uint64_t rank = getNearestRank(all, perMille);
  uint64_t seen = 0;
  for (size_t bucket = 0; bucket != sum.counts.size(); ++bucket) {
    seen += sum.counts[bucket];
    if (seen < rank)
      continue;
    uint64_t ticks = uint64_t(getBucketMiddle(bucket) + 0.5);
    return clock.toDurationPs(
        std::min(std::max(ticks, sum.min), std::max(sum.min, sum.max)));
  }
  return clock.toDurationPs(sum.max);
}

static void addStatistics(SiteStatistics &sum, const SiteStatistics &more) {
  if (!more.calls)
    return;
  sum.min = sum.calls ? std::min(sum.min, more.min) : more.min;
  sum.max = std::max(sum.max, more.max);
  addSaturating(sum.calls, more.calls);
  addSaturating(sum.total, more.total);
  addSaturating(sum.self, more.self);
  addSaturating(sum.children, more.children);
  addSaturating(sum.inside, more.inside);
  for (size_t bucket = 0; bucket != sum.counts.size(); ++bucket)
    sum.counts[bucket] = uint32_t(std::min<uint64_t>(
        uint64_t(sum.counts[bucket]) + more.counts[bucket], ~uint32_t(0)));
}

static void fillRow(TableRow &row, const SiteStatistics &sum,
                    const Recording &recording) {
  const Clock &clock = recording.clock;
  auto multiply = [](uint64_t count, int64_t ps) {
    return trace::saturatingMul(
        int64_t(std::min<uint64_t>(count, std::numeric_limits<int64_t>::max())),
        ps);
  };
  int64_t window = recording.costWindowPs;
  int64_t around = std::max<int64_t>(recording.costPairPs - window, 0);
  row.calls = sum.calls;
  row.rawTotalPs = clock.toDurationPs(sum.total);
  row.rawSelfPs = clock.toDurationPs(sum.self);
  int64_t own = multiply(sum.calls, window);
  row.selfPs = std::max<int64_t>(
      saturatingSub(row.rawSelfPs,
                    trace::saturatingAdd(own, multiply(sum.children, around))),
      0);
  row.totalPs = std::max<int64_t>(
      saturatingSub(row.rawTotalPs,
                    trace::saturatingAdd(
                        own, multiply(sum.inside, recording.costPairPs))),
      0);
  row.minPs = clock.toDurationPs(sum.min);
  row.maxPs = clock.toDurationPs(sum.max);
  row.p50Ps = getQuantile(sum, 500, clock);
  row.p90Ps = getQuantile(sum, 900, clock);
  row.p99Ps = getQuantile(sum, 990, clock);
  row.p999Ps = getQuantile(sum, 999, clock);
}

std::vector<TableRow> scope::makeStatisticsTable(const Recording &recording,
                                                 const TableOptions &options) {
  std::vector<TableRow> rows;
  std::vector<SiteStatistics> sums;
  std::map<std::pair<std::string, uint32_t>, size_t> rowOfKey;
  for (const SiteStatistics &of : recording.statistics) {
    const Site &site = recording.sites[of.site];
    uint32_t thread = options.mergesThreads ? kNoScope : of.thread;
    auto [it, isNew] = rowOfKey.try_emplace({site.name, thread}, rows.size());
    if (isNew) {
      TableRow &row = rows.emplace_back();
      row.name = site.name;
      row.type = site.type;
      row.thread = thread;
      sums.emplace_back();
    }
    addStatistics(sums[it->second], of);
  }
  for (size_t index = 0; index != rows.size(); ++index)
    fillRow(rows[index], sums[index], recording);
  return rows;
}
