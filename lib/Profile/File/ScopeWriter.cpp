//===- ScopeWriter.cpp - The messages of a recording of scopes ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeRecord.h"
#include "Wire.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
using scope::EventCounts;
using scope::EventEnd;
using scope::MemoryEvent;
using scope::Recording;
using scope::ScopeEvent;
using scope::SiteStatistics;

static ScopeSums toSums(const SiteStatistics &row) {
  ScopeSums sums{row.site, row.thread, row.generation, row.calls,    row.total,
                 row.self, row.min,    row.max,        row.children, row.inside,
                 0,        {}};
  auto isUsed = [](uint32_t count) { return count != 0; };
  auto first = std::find_if(row.counts.begin(), row.counts.end(), isUsed);
  if (first == row.counts.end())
    return sums;
  auto last = std::find_if(row.counts.rbegin(), row.counts.rend(), isUsed);
  sums.histogramFirst = uint32_t(first - row.counts.begin());
  sums.histogramCounts.assign(first, last.base());
  return sums;
}

ScopeRecord schema::makeScopeRecord(const Recording &recording, uint32_t run) {
  ScopeRecord record;
  record.run = run;
  record.process = recording.process;
  record.parentProcess = recording.parentProcess;
  record.clock = recording.clock;
  record.costWindowPs = recording.costWindowPs;
  record.costPairPs = recording.costPairPs;
  record.hasEvents = recording.hasEvents;
  record.hasStatistics = recording.hasStatistics;
  record.sampleEvery = recording.sampleEvery;
  record.sites = recording.sites;
  record.threads = recording.threads;
  for (const SiteStatistics &row : recording.statistics)
    record.statistics.push_back(toSums(row));
  record.places = recording.places;
  record.losses = recording.losses.list();
  record.counters = recording.counters;
  auto isFree = [](const scope::CountCost &cost) {
    return cost.windowPs == 0 && cost.pairPs == 0;
  };
  if (!std::all_of(recording.countCosts.begin(), recording.countCosts.end(),
                   isFree))
    record.countCosts.assign(recording.countCosts.begin(),
                             recording.countCosts.end());
  record.devices = recording.devices;
  record.wantsDevices = recording.wantsDevices;
  return record;
}

static uint32_t getFlags(const ScopeEvent &event) {
  return uint32_t(event.end) | (event.isLinked ? kLinked : 0) |
         (event.isOverlapping ? kOverlapping : 0) |
         (event.isOutside ? kOutside : 0) |
         (event.isSelfBound ? kSelfBound : 0);
}

/// Leaves a column of zeros out.
template <typename T>
static void dropZeros(std::vector<T> &column) {
  if (std::all_of(column.begin(), column.end(), [](T v) { return v == 0; }))
    column.clear();
}

ScopeBlock schema::makeScopeBlock(const Recording &recording, uint32_t run,
                                  size_t begin) {
  size_t end = std::min(recording.events.size(), begin + kEventsPerBlock);
  ScopeBlock block;
  block.run = run;
  uint64_t last = 0;
  for (size_t index = begin; index != end; ++index) {
    const ScopeEvent &event = recording.events[index];
    block.site.push_back(event.site);
    block.thread.push_back(event.thread);
    block.parentOffset.push_back(event.parent == scope::kNoScope
                                     ? 0
                                     : int64_t(event.parent) - int64_t(index));
    block.beginDeltaPs.push_back(int64_t(uint64_t(event.beginPs) - last));
    block.durationPs.push_back(event.getDurationPs());
    block.selfPs.push_back(event.selfPs);
    block.flags.push_back(getFlags(event));
    block.firstOffset.push_back(int64_t(event.first) - int64_t(index));
    block.costPs.push_back(event.costPs);
    block.selfCostPs.push_back(event.selfCostPs);
    last = uint64_t(event.beginPs);
  }
  dropZeros(block.firstOffset);
  dropZeros(block.costPs);
  dropZeros(block.selfCostPs);
  return block;
}

CountBlock schema::makeCountBlock(const Recording &recording, uint32_t run,
                                  size_t begin) {
  size_t end = std::min(recording.counts.size(), begin + kEventsPerBlock);
  CountBlock block;
  block.run = run;
  uint32_t last = 0;
  for (size_t index = begin; index != end; ++index) {
    const EventCounts &counts = recording.counts[index];
    block.eventDelta.push_back(counts.event - last);
    block.known.push_back(counts.known);
    for (size_t amount = 0; amount != scope::kCounts; ++amount)
      if (counts.has(scope::Count(amount))) {
        block.values.push_back(counts.values[amount]);
        block.costs.push_back(counts.costs[amount]);
      }
    last = counts.event;
  }
  dropZeros(block.costs);
  return block;
}

MemoryBlock schema::makeMemoryBlock(const Recording &recording, uint32_t run,
                                    size_t begin) {
  size_t end = std::min(recording.memory.size(), begin + kEventsPerBlock);
  MemoryBlock block;
  block.run = run;
  uint64_t last = 0;
  for (size_t index = begin; index != end; ++index) {
    const MemoryEvent &event = recording.memory[index];
    block.atDeltaPs.push_back(int64_t(uint64_t(event.atPs) - last));
    // kNoScope wraps to 0.
    block.eventPlusOne.push_back(event.event + 1);
    block.threadPlusOne.push_back(event.thread + 1);
    block.place.push_back(event.place);
    block.type.push_back(uint32_t(event.type));
    block.bytes.push_back(event.bytes);
    block.address.push_back(event.address);
    block.allocated.push_back(event.allocated);
    block.reserved.push_back(event.reserved);
    block.peakAllocated.push_back(event.peakAllocated);
    block.peakReserved.push_back(event.peakReserved);
    last = uint64_t(event.atPs);
  }
  for (std::vector<uint64_t> *column :
       {&block.address, &block.allocated, &block.reserved, &block.peakAllocated,
        &block.peakReserved})
    dropZeros(*column);
  return block;
}
