//===- ScopeRecord.h - File form of recordings of scopes --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_SCOPERECORD_H
#define MLIR_PROF_LIB_PROFILE_FILE_SCOPERECORD_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Support/MemoryBudget.h"

namespace mlirprof::profile::schema {

/// scope::SiteStatistics without the empty ends of its histogram.
struct ScopeSums {
  uint32_t site = 0;
  uint32_t thread = 0;
  uint32_t generation = 0;
  uint64_t calls = 0;
  uint64_t total = 0;
  uint64_t self = 0;
  uint64_t min = 0;
  uint64_t max = 0;
  uint64_t children = 0;
  uint64_t inside = 0;
  uint32_t histogramFirst = 0;
  std::vector<uint32_t> histogramCounts;
};

/// Everything of a recording but its columns.
struct ScopeRecord {
  uint32_t run = 0;
  uint64_t process = 0;
  uint64_t parentProcess = 0;
  /// Absent fields are 0, also where the struct's defaults are not.
  scope::Clock clock = {0, 0, 0, 0, 0, 0, scope::TickSource::Unknown, 0, 0};
  int64_t costWindowPs = 0;
  int64_t costPairPs = 0;
  bool hasEvents = false;
  bool hasStatistics = false;
  uint32_t sampleEvery = 0;
  std::vector<scope::Site> sites;
  std::vector<scope::Thread> threads;
  std::vector<ScopeSums> statistics;
  std::vector<std::string> places;
  std::vector<Loss> losses;
  scope::CounterSource counters = scope::CounterSource::None;
  std::vector<scope::CountCost> countCosts;
  std::vector<scope::Device> devices;
  bool wantsDevices = false;
};

/// Bits of ScopeBlock::flags; the lowest two are EventEnd.
enum ScopeFlag : uint32_t {
  kEndMask = 3,
  kLinked = 1 << 2,
  kOverlapping = 1 << 3,
  kOutside = 1 << 4,
  kSelfBound = 1 << 5,
  kAllFlags = (1 << 6) - 1,
};

/// Up to kEventsPerBlock scopes of a recording, as columns; see
/// proto/profile.proto.
struct ScopeBlock {
  uint32_t run = 0;
  std::vector<uint32_t> site;
  std::vector<uint32_t> thread;
  std::vector<int64_t> parentOffset;
  std::vector<int64_t> beginDeltaPs;
  std::vector<int64_t> durationPs;
  std::vector<int64_t> selfPs;
  std::vector<uint32_t> flags;
  /// All zero if empty, as are the next.
  std::vector<int64_t> firstOffset;
  std::vector<int64_t> costPs;
  std::vector<int64_t> selfCostPs;
};

/// The amounts of up to kEventsPerBlock scopes, as columns.
struct CountBlock {
  uint32_t run = 0;
  /// Minus the one before in the block; for the first, itself.
  std::vector<uint32_t> eventDelta;
  std::vector<uint32_t> known;
  /// Each amount that is known, scope by scope.
  std::vector<uint64_t> values;
  /// The same; all zero if empty.
  std::vector<uint64_t> costs;
};

/// Up to kEventsPerBlock memory events of a recording, as columns.
struct MemoryBlock {
  uint32_t run = 0;
  std::vector<int64_t> atDeltaPs;
  std::vector<uint32_t> eventPlusOne;
  std::vector<uint32_t> threadPlusOne;
  std::vector<uint32_t> place;
  std::vector<uint32_t> type;
  std::vector<int64_t> bytes;
  std::vector<uint64_t> address;
  std::vector<uint64_t> allocated;
  std::vector<uint64_t> reserved;
  std::vector<uint64_t> peakAllocated;
  std::vector<uint64_t> peakReserved;
};

ScopeRecord makeScopeRecord(const scope::Recording &recording, uint32_t run);
/// Scopes [begin, begin + kEventsPerBlock), as far as they exist.
ScopeBlock makeScopeBlock(const scope::Recording &recording, uint32_t run,
                          size_t begin);
/// The same of amounts that scopes count, and of memory events.
CountBlock makeCountBlock(const scope::Recording &recording, uint32_t run,
                          size_t begin);
MemoryBlock makeMemoryBlock(const scope::Recording &recording, uint32_t run,
                            size_t begin);

/// The messages of all recordings.
struct ScopeMessages {
  std::vector<ScopeRecord> records;
  std::vector<ScopeBlock> events;
  std::vector<MemoryBlock> memory;
  std::vector<CountBlock> counts;
};

/// Gives each run its recording; blocks are emptied. Charges their elements to
/// `budget`. Returns a description of the problem, or "". Every index, count
/// and value was checked then.
std::string takeScopes(ScopeMessages &messages, MemoryBudget &budget,
                       Profile &profile);

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_SCOPERECORD_H
