//===- Communications.cpp - The report of communication -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LinkSums.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"rank", "rank", ColumnKind::Number},
      {"step", "step", ColumnKind::Number},
      {"op", "op", ColumnKind::Text},
      {"communication_cost_ps", "transfer", ColumnKind::Time},
      {"wait_cost_ps", "wait", ColumnKind::Time},
      {"bytes", "bytes", ColumnKind::Count}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{7, false}, {1, false}, {2, false}};
  table.weightColumn = 3;
  for (const JobRun &where : getJobRuns(input.profile)) {
    std::map<std::pair<int64_t, llvm::StringRef>, LinkSum> sums;
    for (const LinkTransfer &transfer : where.job->transfers)
      sums[{transfer.step, where.job->getName(transfer.op)}].add(transfer);
    for (const auto &[key, sum] : sums) {
      llvm::SmallVector<Cell> cells = {where.getRank(), key.first,  key.second,
                                       sum.timePs,      sum.waitPs, sum.bytes};
      addJobCells(cells, where);
      table.addRow(cells);
      addSaturating(table.weightTotal, sum.timePs);
    }
  }
  return table;
}

ReportKind report::Communications() {
  return {
      "communication",
      "collectives of each rank and step: time of transfers, waits and bytes",
      Needs::Profile, build};
}
