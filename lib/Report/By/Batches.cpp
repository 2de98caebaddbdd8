//===- Batches.cpp - The report of batches --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JobOps.h"
#include "Reports.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {{"queue", "queue", ColumnKind::Text},
                                 {"batch", "batch", ColumnKind::Number},
                                 {"get_cost_ps", "get", ColumnKind::Time},
                                 {"push_cost_ps", "push", ColumnKind::Time},
                                 {"total_cost_ps", "total", ColumnKind::Time}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{6, false}, {0, false}, {1, false}};
  for (const JobRun &where : getJobRuns(input.profile))
    for (const Queue &queue : where.job->queues)
      for (const BatchCost &cost : queue.costs) {
        llvm::SmallVector<Cell> cells = {where.job->getName(queue.name),
                                         cost.batch, cost.pipelinePs,
                                         cost.pushPs, cost.totalPs};
        addJobCells(cells, where);
        table.addRow(cells);
      }
  return table;
}

ReportKind report::Batches() {
  return {"batch",
          "time of each batch to the device: to get it from the pipeline, and "
          "to push it",
          Needs::Profile, build};
}
