//===- Collectives.cpp - The report of collectives in steps ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JobOps.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {{"step", "step", ColumnKind::Number},
                                 {"stream", "stream", ColumnKind::Number},
                                 {"ordinal", "#", ColumnKind::Number},
                                 {"op", "op", ColumnKind::Text},
                                 {"begin_ps", "begin in step", ColumnKind::Time,
                                  ColumnUse::Data, Total::None},
                                 {"duration_ps", "duration", ColumnKind::Time}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{7, false}, {0, false}, {1, false}, {2, false}};
  table.weightColumn = 5;
  for (const JobRun &where : getJobRuns(input.profile)) {
    std::map<int64_t, int64_t> begins;
    for (const StepPoints &step : where.job->steps)
      begins[step.number] = step.beginPs;
    std::map<std::pair<int64_t, uint32_t>, int64_t> ordinals;
    for (const Collective &collective : where.job->collectives) {
      auto begin = begins.find(collective.step);
      int64_t durationPs = collective.endPs - collective.beginPs;
      llvm::SmallVector<Cell> cells = {
          collective.step,
          collective.stream == kNone ? Cell() : Cell(collective.stream),
          ordinals[{collective.step, collective.stream}]++,
          where.job->getName(collective.op),
          begin == begins.end()
              ? Cell()
              : Cell(saturatingSub(collective.beginPs, begin->second)),
          durationPs};
      addJobCells(cells, where);
      table.addRow(cells);
      addSaturating(table.weightTotal, durationPs);
    }
  }
  return table;
}

ReportKind report::Collectives() {
  return {"collective", "collectives of each step: streams, and when they ran",
          Needs::Profile, build};
}
