//===- FlopsTable.h - Counted floating point operations ------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_FLOPSTABLE_H
#define MLIR_PROF_LIB_REPORT_FLOPSTABLE_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Report/Report.h"

namespace mlirprof::report {

/// The operations that a recording counted for an op, or for several.
struct FlopsSum {
  /// Executions whose operations were counted, and their time.
  uint64_t count = 0;
  int64_t timePs = 0;
  int64_t flops = 0;
  /// Parts by the matrix and the vector unit, if `hasUnits`.
  int64_t cubeFlops = 0;
  int64_t vectorFlops = 0;
  bool hasUnits = false;

  void add(const FlopsSum &other);
};

struct FlopsOp {
  /// Index into Profile::opKeys.
  uint32_t op = 0;
  FlopsSum sum;
};

/// The measured ops whose operations were counted. `merged` is
/// mergeRuns(profile).
std::vector<FlopsOp> getFlops(const profile::Profile &profile,
                              llvm::ArrayRef<profile::OpSummary> merged);

/// The columns of a FlopsSum, and its cells; `wholeFlops` is that to which the
/// share refers.
void addFlopsColumns(std::vector<Column> &columns);
void addFlopsCells(llvm::SmallVectorImpl<Cell> &cells, const FlopsSum &sum,
                   int64_t wholeFlops);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_FLOPSTABLE_H
