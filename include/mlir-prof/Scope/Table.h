//===- Table.h - Sums over scopes -------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_TABLE_H
#define MLIR_PROF_SCOPE_TABLE_H

#include "mlir-prof/Scope/Recording.h"

namespace mlirprof::scope {

/// The property that scopes of one row share.
enum class RowKey : uint8_t {
  Name,
  /// Their names and those of all scopes around them.
  Path,
};

/// The order of rows below one parent. All but Name and FirstEnd begin with the
/// largest.
enum class RowOrder : uint8_t {
  FirstEnd,
  Name,
  Calls,
  Total,
  Self,
  Min,
  Max,
  Average,
};

struct TableOptions {
  RowKey key = RowKey::Name;
  /// Whether rows of several threads, and of several recordings, are one.
  bool mergesThreads = true;
  /// Where names are split to become a tree, such as "/"; empty does not split
  /// them. A part that is not itself a scope is a group (TableRow::isGroup).
  std::string separator;
  /// Scopes that are left out do not have rows; those in them belong to the
  /// scope around, whose self time does not change. A bit for each ScopeType
  /// and each ScopeRole that is kept, 0 is all; and the highest level that is
  /// kept.
  uint64_t types = 0;
  uint32_t roles = 0;
  uint32_t level = 255;
};

/// Scopes of one name, or path. Times are picoseconds; those without "raw" are
/// without what recording took. A scope that was suspended counts with the sum
/// of its parts. One inside of another one of the row, by recursion, is a call,
/// but its time is not added to the totals again.
struct TableRow {
  std::string name;
  /// For calls of a model, the fingerprint of its program: those of several
  /// programs have rows of their own.
  std::string model;
  uint16_t type = 0;
  uint8_t level = 0;
  uint8_t role = 0;
  /// Index of the recording, or kNoScope if threads are merged.
  uint32_t recording = kNoScope;
  /// Index into Recording::threads, or kNoScope if threads are merged.
  uint32_t thread = kNoScope;
  /// Index of the row of the scopes around them (RowKey::Path), or of the part
  /// of the name before; else kNoScope.
  uint32_t parent = kNoScope;
  /// Number of rows around it.
  uint32_t depth = 0;
  uint64_t calls = 0;
  int64_t totalPs = 0;
  int64_t selfPs = 0;
  int64_t rawTotalPs = 0;
  int64_t rawSelfPs = 0;
  /// Calls inside of other ones of the row, and their durations; 0 from
  /// statistics, whose totals have them.
  uint64_t recursive = 0;
  int64_t recursivePs = 0;
  /// Durations of one call. Quantiles are those of the nearest rank; from
  /// statistics, they are within 6 %, and each call took as much of recording
  /// as all of them on average.
  int64_t minPs = 0;
  int64_t maxPs = 0;
  int64_t p50Ps = 0;
  int64_t p90Ps = 0;
  int64_t p99Ps = 0;
  int64_t p999Ps = 0;
  /// End of the call that ended first, relative to the earliest anchor of
  /// the recordings; 0 from statistics.
  int64_t firstEndPs = 0;
  /// Scopes that have not ended, and their durations until the end of the
  /// recording; both are not in the other figures.
  uint64_t open = 0;
  int64_t openPs = 0;
  /// Scopes of other threads, or of devices, that these began, and their raw
  /// durations, which may pass the total.
  uint64_t linked = 0;
  int64_t linkedPs = 0;
  /// The amounts of the calls without what recording took, and a bit for each
  /// Count that at least one call has.
  std::array<uint64_t, kCounts> counts = {};
  uint32_t knownCounts = 0;
  /// Whether the self time is an upper bound.
  bool isSelfBound = false;
  /// Whether it is a part of names alone: calls and times are the sums of the
  /// rows directly below, the others are 0.
  bool isGroup = false;

  bool has(Count count) const { return knownCounts >> unsigned(count) & 1; }
  /// The average of the calls; 0 without calls.
  int64_t getAveragePs() const {
    return calls ? int64_t((uint64_t(totalPs) + uint64_t(recursivePs)) / calls)
                 : 0;
  }
};

using Recordings = std::vector<const Recording *>;

/// Sums over the events of recordings, rows in the order of first ends, and a
/// parent before its children.
std::vector<TableRow> makeTable(const Recordings &recordings,
                                const TableOptions &options = {});
inline std::vector<TableRow> makeTable(const Recording &recording,
                                       const TableOptions &options = {}) {
  return makeTable(Recordings{&recording}, options);
}

/// Sums over the statistics of recordings, which know neither parents nor open
/// scopes: `options.key` is ignored.
std::vector<TableRow> makeStatisticsTable(const Recordings &recordings,
                                          const TableOptions &options = {});
inline std::vector<TableRow>
makeStatisticsTable(const Recording &recording,
                    const TableOptions &options = {}) {
  return makeStatisticsTable(Recordings{&recording}, options);
}

/// Whether the statistics of a recording tell more than its events: it does not
/// have these, or has a sample of them.
bool hasBetterStatistics(const Recording &recording);
/// Whether those of at least one of `recordings` do: then a table by name tells
/// more than one by path.
bool haveBetterStatistics(const Recordings &recordings);

/// Sums over the events of recordings, or over the statistics of those in which
/// these tell more. By name all calls count then: calls, minima and maxima are
/// exact, and so are totals, but for recursion (TableRow::recursive);
/// percentiles of rows with statistics are within 6 %. By path, recordings
/// without events have rows by name, without parents, and those with a sample
/// count with it.
std::vector<TableRow> makeBestTable(const Recordings &recordings,
                                    const TableOptions &options = {});

/// Sentences about makeBestTable(): why rows are by name, if they are for want
/// of paths, and how exact they are; records that rings have overwritten;
/// samples.
struct TableNotes {
  std::string names;
  std::vector<std::string> missing;
};
TableNotes describeBestTable(const Recordings &recordings);
/// TableNotes::missing of tables that take events alone where there are any.
std::vector<std::string> describeMissing(const Recordings &recordings);

/// Sorts rows below each parent; equal ones by name.
void sortRows(std::vector<TableRow> &rows, RowOrder order);

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_TABLE_H
