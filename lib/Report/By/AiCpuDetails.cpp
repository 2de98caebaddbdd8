//===- AiCpuDetails.cpp - The report of executions by AI CPUs -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JobOps.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"serial_number", "#", ColumnKind::Number},
      {"op_name", "op", ColumnKind::Text},
      {"op_type", "type", ColumnKind::Text},
      {"total_time_ps", "total", ColumnKind::Time},
      {"dispatch_time_ps", "dispatch", ColumnKind::Time},
      {"run_time_ps", "run", ColumnKind::Time},
      {"compute_time_ps", "compute", ColumnKind::Time},
      {"memcpy_time_ps", "copy", ColumnKind::Time},
      {"run_start_ps", "begin", ColumnKind::Time, ColumnUse::Data, Total::None},
      {"run_end_ps", "end", ColumnKind::Time, ColumnUse::Data, Total::None}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{11, false}, {0, false}};
  table.weightColumn = 3;
  for (const JobRun &where : getJobRuns(input.profile))
    for (auto [i, run] : llvm::enumerate(where.job->aiCpuRuns)) {
      llvm::SmallVector<Cell> cells = {int64_t(i) + 1,
                                       where.job->getName(run.op),
                                       where.job->getName(run.type),
                                       run.totalPs,
                                       run.dispatchPs,
                                       run.executionPs,
                                       run.computePs,
                                       run.memcpyPs,
                                       run.beginPs,
                                       run.endPs};
      addJobCells(cells, where);
      table.addRow(cells);
      addSaturating(table.weightTotal, run.totalPs);
    }
  return table;
}

ReportKind report::AiCpuDetails() {
  return {"aicpu_detail",
          "executions by AI CPUs: dispatch, run, compute and copy times",
          Needs::Profile, build};
}
