//===- Queues.cpp - The report of samples of queues -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JobOps.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"op_id", "#", ColumnKind::Number},
      {"op_type", "stage", ColumnKind::Text},
      {"sample", "sample", ColumnKind::Number},
      {"size", "size", ColumnKind::Count},
      {"capacity", "capacity", ColumnKind::Count, ColumnUse::Data, Total::Most},
      {"time_ps", "time", ColumnKind::Time, ColumnUse::Data, Total::None},
      {"wait_ps", "wait", ColumnKind::Time}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{8, false}, {0, false}, {1, false}, {2, false}};
  for (const JobRun &where : getJobRuns(input.profile))
    for (const Queue &queue : where.job->queues)
      for (auto [i, size] : llvm::enumerate(queue.sizes)) {
        // Without a time of each, samples are an interval apart.
        Cell time = i < queue.timesPs.size() ? Cell(queue.timesPs[i])
                    : queue.intervalPs
                        ? Cell(saturatingMul(int64_t(i), queue.intervalPs))
                        : Cell();
        llvm::SmallVector<Cell> cells = {
            queue.id == kNone ? Cell() : Cell(queue.id),
            where.job->getName(queue.name),
            int64_t(i),
            size,
            queue.capacity ? Cell(queue.capacity) : Cell(),
            time,
            i < queue.waitsPs.size() ? Cell(queue.waitsPs[i]) : Cell()};
        addJobCells(cells, where);
        table.addRow(cells);
      }
  return table;
}

ReportKind report::Queues() {
  return {"queue", "samples of the queues of the input pipeline",
          Needs::Profile, build};
}
