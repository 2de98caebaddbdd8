//===- ScopeReader.cpp - Recordings of scopes from their messages ---------===//
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
