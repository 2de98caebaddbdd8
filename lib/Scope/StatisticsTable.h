//===- StatisticsTable.h - Sums over statistics of scopes -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_STATISTICSTABLE_H
#define MLIR_PROF_LIB_SCOPE_STATISTICSTABLE_H

#include "Rows.h"

namespace mlirprof::scope {

/// The sums of statistics, by row, while a table is made.
class StatisticsSums {
public:
  /// So many calls took about `ps`.
  struct Bin {
    int64_t ps;
    uint64_t calls;
  };

  /// Adds the statistics of the recording with the number `index`.
  void add(const Recording &recording, uint32_t index,
           const TableOptions &options, Rows &rows);

  /// Adds them to `rows`, in which other calls of these durations, by row, are
  /// already counted.
  void finish(const std::vector<std::vector<int64_t>> &durations, Rows &rows);

private:
  std::vector<TableRow> sums;
  std::vector<std::vector<Bin>> bins;
};

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_STATISTICSTABLE_H
