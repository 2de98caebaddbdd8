//===- Steps.cpp - The report of steps ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"step", "step", ColumnKind::Number},
      {"begin_ps", "begin", ColumnKind::Time, ColumnUse::Data, Total::None},
      {"duration_ps", "duration", ColumnKind::Time},
      {"op_busy_ps", "ops busy", ColumnKind::Time},
      {"op_inflight_ps", "ops in flight", ColumnKind::Time}};
  // Clocks of different runs need not be comparable.
  bool severalRuns = input.profile.runs.size() > 1;
  if (severalRuns)
    columns.push_back({"run", "run", ColumnKind::Number});
  Table table(columns);
  table.defaultOrder = {{1, false}, {0, false}};
  if (severalRuns)
    table.defaultOrder.insert(table.defaultOrder.begin(), {5, false});
  int64_t number = 0;
  for (const Run &run : input.profile.runs) {
    for (const Step &step : run.steps) {
      llvm::SmallVector<Cell> cells = {step.number, step.beginPs,
                                       step.durationPs, step.opBusyPs,
                                       step.opInflightPs};
      if (severalRuns)
        cells.push_back(number);
      table.addRow(cells);
    }
    ++number;
  }
  return table;
}

ReportKind report::Steps() {
  return {"step",
          "steps of the outer loop; with several runs also each one's `run`",
          Needs::Profile, build};
}
