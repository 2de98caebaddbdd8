//===- SummaryItems.h - The rows of Paddle's summary ---------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_STYLES_SUMMARYITEMS_H
#define MLIR_PROF_LIB_SCOPE_STYLES_SUMMARYITEMS_H

#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Scope/Styles.h"

#include <functional>
#include <unordered_map>

namespace mlirprof::scope::style {

/// Times of host scopes or of what they ran on a device, in picoseconds.
struct SummaryTimes {
  int64_t total = 0;
  int64_t max = 0;
  int64_t min = 0;
  void add(int64_t ps, bool isFirst);
};

/// Values with names, in the order of first use.
template <typename Value>
class NamedList {
public:
  Value &get(std::string_view name) {
    auto [it, isNew] =
        indexOfName.try_emplace(std::string(name), values.size());
    if (isNew)
      values.emplace_back().name = name;
    return values[it->second];
  }
  bool empty() const { return values.empty(); }
  auto begin() const { return values.begin(); }
  auto end() const { return values.end(); }
  auto begin() { return values.begin(); }
  auto end() { return values.end(); }
  const std::vector<Value> &list() const { return values; }

private:
  std::vector<Value> values;
  std::unordered_map<std::string, size_t> indexOfName;
};

/// The scopes of one name.
struct SummaryItem {
  std::string name;
  uint64_t calls = 0;
  SummaryTimes host;
  /// Times of kernels, and of all work of devices.
  SummaryTimes kernels;
  SummaryTimes device;
  /// Scopes directly inside, and work of devices that they started, of an op.
  NamedList<SummaryItem> parts;
  NamedList<SummaryItem> work;
};
using SummaryItems = NamedList<SummaryItem>;

/// A scope of a host thread.
struct SummaryNode {
  uint32_t event = 0;
  ScopeType type = ScopeType::UserDefined;
  std::string_view name;
  bool isCounted = true;
  int64_t hostPs = 0;
  int64_t kernelsPs = 0;
  int64_t devicePs = 0;
  /// Indices of nodes directly inside, in the order of begins; and of events of
  /// devices that it started.
  std::vector<uint32_t> children;
  std::vector<uint32_t> work;
};

/// The scopes of a host thread.
struct SummaryThread {
  const Recording *recording = nullptr;
  uint64_t id = 0;
  std::vector<SummaryNode> nodes;
  std::vector<uint32_t> roots;
  /// All nodes as Paddle visits them: a node, and then those in it, the last
  /// one first.
  std::vector<uint32_t> order;
};

std::vector<SummaryThread> makeSummaryThreads(const Recordings &recordings);

struct TimeRange {
  int64_t begin;
  int64_t end;
};

/// Ranges in order, without overlaps.
std::vector<TimeRange> uniteRanges(std::vector<TimeRange> ranges);
int64_t sumRanges(const std::vector<TimeRange> &ranges);
/// Both are results of uniteRanges().
std::vector<TimeRange> intersectRanges(const std::vector<TimeRange> &a,
                                       const std::vector<TimeRange> &b);

/// Ranges of one type or device in the order of first use.
struct RangeList {
  std::string name;
  uint64_t calls = 0;
  std::vector<TimeRange> ranges;
};

/// Everything that the views show.
struct SummaryData {
  std::vector<SummaryThread> threads;
  /// By type.
  NamedList<RangeList> hostTypes;
  NamedList<RangeList> deviceTypes;
  /// Kernels by device.
  NamedList<RangeList> devices;
  std::vector<TimeRange> hostCommunication;
  std::vector<TimeRange> deviceCommunication;
  std::vector<TimeRange> computation;
  uint64_t hostCommunications = 0;
  uint64_t deviceCommunications = 0;
  SummaryItems ops;
  SummaryItems userScopes;
  std::vector<std::pair<uint64_t, SummaryItems>> opsOfThread;
  std::vector<std::pair<uint64_t, SummaryItems>> userScopesOfThread;
  SummaryItems phases;
  SummaryItems copies;
  SummaryItems kernels;
  /// The time of all steps, or of everything if a recording lacks steps.
  int64_t totalPs = 0;
  bool hasSteps = false;
};

SummaryData makeSummaryData(const Recordings &recordings);

/// "ProfileStep".
std::string getTypeName(uint16_t type);

/// Memory of one place.
struct MemoryRow {
  std::string name;
  uint64_t allocations = 0;
  uint64_t frees = 0;
  int64_t allocated = 0;
  int64_t freed = 0;
  int64_t getIncrease() const { return allocated - freed; }
};
struct MemoryPlace {
  std::string name;
  uint64_t peakAllocated = 0;
  uint64_t peakReserved = 0;
  NamedList<MemoryRow> allocated;
  NamedList<MemoryRow> reserved;
};

/// In the order of first use.
NamedList<MemoryPlace>
makeMemoryPlaces(const std::vector<SummaryThread> &threads);

} // namespace mlirprof::scope::style

#endif // MLIR_PROF_LIB_SCOPE_STYLES_SUMMARYITEMS_H
