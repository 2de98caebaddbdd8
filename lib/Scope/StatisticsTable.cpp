//===- StatisticsTable.cpp - Sums over statistics of scopes ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"
#include "Rows.h"
#include "mlir-prof/Scope/Table.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::addSaturating;
using trace::saturatingAdd;
using trace::saturatingSub;

static constexpr auto kMostCalls =
    uint64_t(std::numeric_limits<int64_t>::max());

/// So many calls took about `ps`.
namespace {
struct Bin {
  int64_t ps;
  uint64_t calls;
};
} // namespace

/// A duration in `bucket`, from which those in it differ by at most 1/17.
static double getBucketMiddle(size_t bucket) {
  constexpr size_t kSteps = 8;
  if (bucket < kSteps)
    return double(bucket);
  double low = double(kSteps + bucket % kSteps);
  double scale = double(uint64_t(1) << (bucket / kSteps - 1));
  return scale * 2 * low * (low + 1) / (2 * low + 1);
}

static int64_t getQuantile(const std::vector<Bin> &sorted, uint64_t perMille,
                           const TableRow &row) {
  uint64_t all = 0;
  for (const Bin &bin : sorted)
    addSaturating(all, bin.calls);
  uint64_t rank = getNearestRank(all, perMille), seen = 0;
  int64_t found = row.maxPs;
  for (const Bin &bin : sorted) {
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
static void subtractCost(TableRow &row) {
  int64_t cost = saturatingSub(row.rawTotalPs, row.totalPs);
  if (row.calls)
    cost /= int64_t(std::min<uint64_t>(row.calls, kMostCalls));
  for (int64_t TableRow::*figure :
       {&TableRow::minPs, &TableRow::maxPs, &TableRow::p50Ps, &TableRow::p90Ps,
        &TableRow::p99Ps, &TableRow::p999Ps})
    row.*figure = std::max<int64_t>(saturatingSub(row.*figure, cost), 0);
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

static void addBins(std::vector<Bin> &bins, const SiteStatistics &sum,
                    const Clock &clock) {
  for (size_t bucket = 0; bucket != sum.counts.size(); ++bucket) {
    if (!sum.counts[bucket])
      continue;
    uint64_t ticks = uint64_t(getBucketMiddle(bucket) + 0.5);
    bins.push_back({clock.toDurationPs(ticks), sum.counts[bucket]});
  }
}

std::vector<TableRow> scope::makeStatisticsTable(const Recordings &recordings,
                                                 const TableOptions &options) {
  Rows rows(options);
  std::vector<std::vector<Bin>> bins;
  for (uint32_t index = 0; index != recordings.size(); ++index) {
    const Recording &recording = *recordings[index];
    for (const SiteStatistics &sum : recording.statistics) {
      const Site &site = recording.sites[sum.site];
      if (!sum.calls || !rows.keeps(site))
        continue;
      bool merges = options.mergesThreads;
      uint32_t row = rows.get(kNoScope, site, merges ? kNoScope : index,
                              merges ? kNoScope : sum.thread);
      bins.resize(rows.size());
      addSums(rows[row], sum, recording);
      addBins(bins[row], sum, recording.clock);
    }
  }
  for (uint32_t index = 0; index != bins.size(); ++index) {
    std::sort(bins[index].begin(), bins[index].end(),
              [](const Bin &a, const Bin &b) { return a.ps < b.ps; });
    TableRow &row = rows[index];
    row.p50Ps = getQuantile(bins[index], 500, row);
    row.p90Ps = getQuantile(bins[index], 900, row);
    row.p99Ps = getQuantile(bins[index], 990, row);
    row.p999Ps = getQuantile(bins[index], 999, row);
    subtractCost(row);
  }
  return rows.take();
}
