//===- StatisticsTable.cpp - Sums over statistics of scopes ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatisticsTable.h"
#include "Ranks.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::addSaturating;
using trace::saturatingAdd;
using trace::saturatingSub;

static constexpr auto kMostCalls =
    uint64_t(std::numeric_limits<int64_t>::max());

/// A duration in `bucket`, from which those in it differ by at most 1/17.
static double getBucketMiddle(size_t bucket) {
  constexpr size_t kSteps = 8;
  if (bucket < kSteps)
    return double(bucket);
  double low = double(kSteps + bucket % kSteps);
  double scale = double(uint64_t(1) << (bucket / kSteps - 1));
  return scale * 2 * low * (low + 1) / (2 * low + 1);
}

static int64_t getQuantile(const std::vector<StatisticsSums::Bin> &sorted,
                           uint64_t perMille, const TableRow &row) {
  uint64_t all = 0;
  for (const StatisticsSums::Bin &bin : sorted)
    addSaturating(all, bin.calls);
  uint64_t rank = getNearestRank(all, perMille), seen = 0;
  int64_t found = row.maxPs;
  for (const StatisticsSums::Bin &bin : sorted) {
    addSaturating(seen, bin.calls);
    if (seen < rank)
      continue;
    found = bin.ps;
    break;
  }
  return std::min(std::max(found, row.minPs), std::max(row.minPs, row.maxPs));
}

/// Takes the average cost from the durations of calls: that of each call is not
/// known.
static void subtractCost(TableRow &row,
                         std::vector<StatisticsSums::Bin> &bins) {
  int64_t cost = saturatingSub(row.rawTotalPs, row.totalPs);
  if (row.calls)
    cost /= int64_t(std::min<uint64_t>(row.calls, kMostCalls));
  auto subtract = [cost](int64_t &ps) {
    ps = std::max<int64_t>(saturatingSub(ps, cost), 0);
  };
  subtract(row.minPs);
  subtract(row.maxPs);
  for (StatisticsSums::Bin &bin : bins) {
    subtract(bin.ps);
    bin.ps = std::min(std::max(bin.ps, row.minPs), row.maxPs);
  }
}

static int64_t multiply(uint64_t count, int64_t ps) {
  return trace::saturatingMul(int64_t(std::min(count, kMostCalls)), ps);
}

static void addSums(TableRow &row, const SiteStatistics &sum,
                    const Recording &of) {
  const Clock &clock = of.clock;
  int64_t min = clock.toDurationPs(sum.min);
  row.minPs = row.calls ? std::min(row.minPs, min) : min;
  row.maxPs = std::max(row.maxPs, clock.toDurationPs(sum.max));
  addSaturating(row.calls, sum.calls);
  int64_t total = clock.toDurationPs(sum.total);
  int64_t self = clock.toDurationPs(sum.self);
  addSaturating(row.rawTotalPs, total);
  addSaturating(row.rawSelfPs, self);
  int64_t around = std::max<int64_t>(of.costPairPs - of.costWindowPs, 0);
  int64_t own = multiply(sum.calls, of.costWindowPs);
  int64_t selfCost = saturatingAdd(own, multiply(sum.children, around));
  int64_t cost = saturatingAdd(own, multiply(sum.inside, of.costPairPs));
  addSaturating(row.selfPs,
                std::max<int64_t>(saturatingSub(self, selfCost), 0));
  addSaturating(row.totalPs, std::max<int64_t>(saturatingSub(total, cost), 0));
}

static void addBins(std::vector<StatisticsSums::Bin> &bins,
                    const SiteStatistics &sum, const Clock &clock) {
  for (size_t bucket = 0; bucket != sum.counts.size(); ++bucket) {
    if (!sum.counts[bucket])
      continue;
    uint64_t ticks = uint64_t(getBucketMiddle(bucket) + 0.5);
    bins.push_back({clock.toDurationPs(ticks), sum.counts[bucket]});
  }
}

void StatisticsSums::add(const Recording &recording, uint32_t index,
                         const TableOptions &options, Rows &rows) {
  bool merges = options.mergesThreads;
  for (const SiteStatistics &sum : recording.statistics) {
    const Site &site = recording.sites[sum.site];
    if (!sum.calls || !rows.keeps(site))
      continue;
    uint32_t row = rows.get(kNoScope, site, merges ? kNoScope : index,
                            merges ? kNoScope : sum.thread);
    sums.resize(rows.size());
    bins.resize(rows.size());
    addSums(sums[row], sum, recording);
    addBins(bins[row], sum, recording.clock);
  }
}

/// Adds what is known of calls to `row`, which may have others.
static void addRow(TableRow &row, const TableRow &sum) {
  row.minPs = row.calls ? std::min(row.minPs, sum.minPs) : sum.minPs;
  row.maxPs = std::max(row.maxPs, sum.maxPs);
  addSaturating(row.calls, sum.calls);
  addSaturating(row.totalPs, sum.totalPs);
  addSaturating(row.selfPs, sum.selfPs);
  addSaturating(row.rawTotalPs, sum.rawTotalPs);
  addSaturating(row.rawSelfPs, sum.rawSelfPs);
}

void StatisticsSums::finish(const std::vector<std::vector<int64_t>> &durations,
                            Rows &rows) {
  for (uint32_t index = 0; index != sums.size(); ++index) {
    std::vector<Bin> &of = bins[index];
    if (!sums[index].calls)
      continue;
    subtractCost(sums[index], of);
    TableRow &row = rows[index];
    addRow(row, sums[index]);
    if (index < durations.size())
      for (int64_t ps : durations[index])
        of.push_back({ps, 1});
    std::sort(of.begin(), of.end(),
              [](const Bin &a, const Bin &b) { return a.ps < b.ps; });
    row.p50Ps = getQuantile(of, 500, row);
    row.p90Ps = getQuantile(of, 900, row);
    row.p99Ps = getQuantile(of, 990, row);
    row.p999Ps = getQuantile(of, 999, row);
  }
}

std::vector<TableRow> scope::makeStatisticsTable(const Recordings &recordings,
                                                 const TableOptions &options) {
  Rows rows(options);
  StatisticsSums sums;
  for (uint32_t index = 0; index != recordings.size(); ++index)
    sums.add(*recordings[index], index, options, rows);
  sums.finish({}, rows);
  return rows.take();
}
