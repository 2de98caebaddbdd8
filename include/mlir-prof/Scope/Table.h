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

struct TableOptions {
  RowKey key = RowKey::Name;
  /// Whether rows of several threads are one.
  bool mergesThreads = true;
};

/// Scopes of one name, or path. Times are picoseconds; those without "raw" are
/// without what recording took. A scope that was suspended counts with the sum
/// of its parts.
struct TableRow {
  std::string name;
  uint16_t type = 0;
  /// Index into Recording::threads, or kNoScope if threads are merged.
  uint32_t thread = kNoScope;
  /// Index of the row of the scopes around them (RowKey::Path), or kNoScope.
  uint32_t parent = kNoScope;
  uint64_t calls = 0;
  int64_t totalPs = 0;
  int64_t selfPs = 0;
  int64_t rawTotalPs = 0;
  int64_t rawSelfPs = 0;
  /// Durations of one call, raw. Quantiles are those of the nearest rank; from
  /// statistics, they are within 6 %.
  int64_t minPs = 0;
  int64_t maxPs = 0;
  int64_t p50Ps = 0;
  int64_t p90Ps = 0;
  int64_t p99Ps = 0;
  int64_t p999Ps = 0;
  /// End of the call that ended first; 0 from statistics.
  int64_t firstEndPs = 0;
  /// Scopes that have not ended, and their durations until the end of the
  /// recording; both are not in the other figures.
  uint64_t open = 0;
  int64_t openPs = 0;
  /// Whether the self time is an upper bound.
  bool isSelfBound = false;
};

/// Sums over the events of `recording`, rows in the order of first ends, and a
/// parent before its children.
std::vector<TableRow> makeTable(const Recording &recording,
                                const TableOptions &options = {});

/// Sums over the statistics of `recording`, which know neither parents nor open
/// scopes; `options.key` is ignored.
std::vector<TableRow> makeStatisticsTable(const Recording &recording,
                                          const TableOptions &options = {});

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_TABLE_H
