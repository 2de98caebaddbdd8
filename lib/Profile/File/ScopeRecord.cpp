//===- ScopeRecord.cpp - File form of recordings of scopes ----------------===//
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

/// Bits of ScopeBlock::flags above the two of EventEnd.
static constexpr uint32_t kEndMask = 3;
static constexpr uint32_t kLinked = 1 << 2;
static constexpr uint32_t kOverlapping = 1 << 3;
static constexpr uint32_t kOutside = 1 << 4;
static constexpr uint32_t kSelfBound = 1 << 5;
static constexpr uint32_t kAllFlags = (1 << 6) - 1;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool fromSums(const ScopeSums &sums, SiteStatistics &row) {
  row.site = sums.site;
  row.thread = sums.thread;
  row.generation = sums.generation;
  row.calls = sums.calls;
  row.total = sums.total;
  row.self = sums.self;
  row.min = sums.min;
  row.max = sums.max;
  row.children = sums.children;
  row.inside = sums.inside;
  size_t size = sums.histogramCounts.size();
  if (size > row.counts.size() ||
      sums.histogramFirst > row.counts.size() - size)
    return false;
  std::copy(sums.histogramCounts.begin(), sums.histogramCounts.end(),
            row.counts.begin() + sums.histogramFirst);
  return true;
}

static constexpr const char *kTooLarge =
    "scopes need far more memory than their size in the file";

static std::string takeRecord(ScopeRecord &record, MemoryBudget &budget,
                              Recording &out) {
  out.process = record.process;
  out.parentProcess = record.parentProcess;
  out.clock = record.clock;
  out.costWindowPs = record.costWindowPs;
  out.costPairPs = record.costPairPs;
  out.hasEvents = record.hasEvents;
  out.hasStatistics = record.hasStatistics;
  out.sampleEvery = record.sampleEvery;
  out.sites = std::move(record.sites);
  out.threads = std::move(record.threads);
  out.places = std::move(record.places);
  out.counters = record.counters;
  if (record.countCosts.size() > out.countCosts.size())
    return "there are more costs of amounts than kinds";
  std::copy(record.countCosts.begin(), record.countCosts.end(),
            out.countCosts.begin());
  out.devices = std::move(record.devices);
  out.wantsDevices = record.wantsDevices;
  if (!budget.charge(record.statistics.size() * sizeof(SiteStatistics)))
    return kTooLarge;
  for (const ScopeSums &sums : record.statistics)
    if (!fromSums(sums, out.statistics.emplace_back()))
      return "statistics of scopes have too many buckets";
  for (const Loss &loss : record.losses) {
    if (loss.timePs < 0 || (loss.count == 0 && loss.timePs != 0))
      return "a loss of scopes is negative or has a time without a count";
    out.losses.add(loss.name, loss.count, loss.timePs);
  }
  return "";
}

/// The value of a column that may have been left out.
template <typename T>
static T getOr0(const std::vector<T> &column, size_t index) {
  return column.empty() ? T(0) : column[index];
}

/// The index at `offset` of `index`; kNoScope if it is not an index.
static uint32_t getAt(size_t index, int64_t offset) {
  int64_t at;
  if (__builtin_add_overflow(int64_t(index), offset, &at) || at < 0 ||
      at >= int64_t(scope::kNoScope))
    return scope::kNoScope;
  return uint32_t(at);
}

/// Appends the scopes of `block`; indices are checked later.
static std::string addBlock(const ScopeBlock &block, MemoryBudget &budget,
                            Recording &out) {
  size_t size = block.site.size();
  auto fits = [&](const auto &column) { return column.size() == size; };
  auto mayFit = [&](const auto &column) {
    return column.empty() || column.size() == size;
  };
  if (size > kEventsPerBlock || !fits(block.thread) ||
      !fits(block.parentOffset) || !fits(block.beginDeltaPs) ||
      !fits(block.durationPs) || !fits(block.selfPs) || !fits(block.flags) ||
      !mayFit(block.firstOffset) || !mayFit(block.costPs) ||
      !mayFit(block.selfCostPs))
    return "a block of scopes has columns of wrong length";
  // Otherwise rewriting would split the scopes into other blocks.
  if (out.events.size() % kEventsPerBlock != 0)
    return "a block of scopes follows a short one";
  if (!budget.charge(size * sizeof(ScopeEvent)))
    return kTooLarge;
  uint64_t begin = 0;
  out.events.reserve(out.events.size() + size);
  for (size_t i = 0; i != size; ++i) {
    size_t index = out.events.size();
    ScopeEvent &event = out.events.emplace_back();
    begin += uint64_t(block.beginDeltaPs[i]);
    event.site = block.site[i];
    event.thread = block.thread[i];
    int64_t parent = block.parentOffset[i];
    if (parent != 0 && (event.parent = getAt(index, parent)) == scope::kNoScope)
      return "a scope has a parent that the recording lacks";
    event.first = getAt(index, getOr0(block.firstOffset, i));
    event.beginPs = int64_t(begin);
    if (block.durationPs[i] < 0 ||
        __builtin_add_overflow(event.beginPs, block.durationPs[i],
                               &event.endPs))
      return "a scope has a negative duration or ends beyond 64 bits";
    event.selfPs = block.selfPs[i];
    event.costPs = getOr0(block.costPs, i);
    event.selfCostPs = getOr0(block.selfCostPs, i);
    uint32_t flags = block.flags[i];
    if (flags > kAllFlags || (flags & kEndMask) > uint32_t(EventEnd::Open))
      return "a scope has unknown flags";
    event.end = EventEnd(flags & kEndMask);
    event.isLinked = flags & kLinked;
    event.isOverlapping = flags & kOverlapping;
    event.isOutside = flags & kOutside;
    event.isSelfBound = flags & kSelfBound;
  }
  return "";
}

static std::string addBlock(const CountBlock &block, MemoryBudget &budget,
                            Recording &out) {
  size_t size = block.eventDelta.size();
  if (size > kEventsPerBlock || block.known.size() != size ||
      (!block.costs.empty() && block.costs.size() != block.values.size()))
    return "a block of amounts has columns of wrong length";
  if (out.counts.size() % kEventsPerBlock != 0)
    return "a block of amounts follows a short one";
  if (!budget.charge(size * sizeof(EventCounts)))
    return kTooLarge;
  out.counts.reserve(out.counts.size() + size);
  size_t value = 0;
  uint32_t event = 0;
  for (size_t i = 0; i != size; ++i) {
    EventCounts &counts = out.counts.emplace_back();
    counts.event = event += block.eventDelta[i];
    counts.known = block.known[i];
    for (size_t amount = 0; amount != scope::kCounts; ++amount) {
      if (!counts.has(scope::Count(amount)))
        continue;
      if (value == block.values.size())
        return "a block of amounts has columns of wrong length";
      counts.values[amount] = block.values[value];
      counts.costs[amount] = getOr0(block.costs, value++);
    }
  }
  return value == block.values.size()
             ? ""
             : "a block of amounts has columns of wrong length";
}

static std::string addBlock(const MemoryBlock &block, MemoryBudget &budget,
                            Recording &out) {
  size_t size = block.atDeltaPs.size();
  auto fits = [&](const auto &column) { return column.size() == size; };
  auto mayFit = [&](const auto &column) {
    return column.empty() || column.size() == size;
  };
  if (size > kEventsPerBlock || !fits(block.eventPlusOne) ||
      !fits(block.threadPlusOne) || !fits(block.place) || !fits(block.type) ||
      !fits(block.bytes) || !mayFit(block.address) ||
      !mayFit(block.allocated) || !mayFit(block.reserved) ||
      !mayFit(block.peakAllocated) || !mayFit(block.peakReserved))
    return "a block of memory events has columns of wrong length";
  if (out.memory.size() % kEventsPerBlock != 0)
    return "a block of memory events follows a short one";
  if (!budget.charge(size * sizeof(MemoryEvent)))
    return kTooLarge;
  uint64_t at = 0;
  out.memory.reserve(out.memory.size() + size);
  for (size_t i = 0; i != size; ++i) {
    at += uint64_t(block.atDeltaPs[i]);
    if (block.type[i] > uint32_t(scope::MemoryType::ReservedFree))
      return "a memory event has an unknown type";
    MemoryEvent &event = out.memory.emplace_back();
    event.atPs = int64_t(at);
    event.event = block.eventPlusOne[i] - 1;
    event.thread = block.threadPlusOne[i] - 1;
    event.place = block.place[i];
    event.type = scope::MemoryType(block.type[i]);
    event.bytes = block.bytes[i];
    event.address = getOr0(block.address, i);
    event.allocated = getOr0(block.allocated, i);
    event.reserved = getOr0(block.reserved, i);
    event.peakAllocated = getOr0(block.peakAllocated, i);
    event.peakReserved = getOr0(block.peakReserved, i);
  }
  return "";
}

/// Moves blocks into the recordings of their runs; they are in order of these.
template <typename Block>
static std::string
takeBlocks(std::vector<Block> &blocks, MemoryBudget &budget,
           llvm::ArrayRef<std::shared_ptr<Recording>> recordings) {
  uint32_t last = 0;
  for (Block &block : blocks) {
    if (block.run >= recordings.size() || !recordings[block.run])
      return "a block of scopes belongs to a run without any";
    if (block.run < last)
      return "blocks of scopes are out of order";
    last = block.run;
    if (std::string problem = addBlock(block, budget, *recordings[last]);
        !problem.empty())
      return problem;
    block = Block();
  }
  blocks.clear();
  return "";
}

std::string schema::takeScopes(ScopeMessages &messages, MemoryBudget &budget,
                               Profile &profile) {
  std::vector<std::shared_ptr<Recording>> recordings(profile.runs.size());
  uint64_t next = 0;
  std::string problem;
  for (ScopeRecord &record : messages.records) {
    if (record.run >= recordings.size() || record.run < next)
      return "recordings of scopes are out of order, or of a run that the "
             "profile lacks";
    next = uint64_t(record.run) + 1;
    recordings[record.run] = std::make_shared<Recording>();
    problem = takeRecord(record, budget, *recordings[record.run]);
    if (!problem.empty())
      return problem;
  }
  problem = takeBlocks(messages.events, budget, recordings);
  if (problem.empty())
    problem = takeBlocks(messages.memory, budget, recordings);
  if (problem.empty())
    problem = takeBlocks(messages.counts, budget, recordings);
  for (size_t run = 0; run != recordings.size() && problem.empty(); ++run) {
    if (!recordings[run])
      continue;
    problem = findScopeFault(*recordings[run]);
    if (!problem.empty())
      problem = "runs[" + std::to_string(run) + "].scopes: " + problem;
    profile.runs[run].scopes = std::move(recordings[run]);
  }
  return problem;
}
