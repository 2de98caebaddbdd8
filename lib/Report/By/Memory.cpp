//===- Memory.cpp - The report of memory over time ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../MemoryUse.h"
#include "../ScopeMemory.h"
#include "Reports.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"graph", "graph", ColumnKind::Number},
      {"position", "#", ColumnKind::Number},
      {"op", "op", ColumnKind::Text},
      {"live_bytes", "live", ColumnKind::Count, ColumnUse::Data, Total::Most},
      {"allocated_bytes", "allocated", ColumnKind::Count},
      {"freed_bytes", "freed", ColumnKind::Count},
      {"tensors", "tensors", ColumnKind::Count, ColumnUse::Data, Total::Most}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{8, false}, {0, false}, {1, false}};
  MemoryRuns memory = getMemoryRuns(input.profile);
  for (const JobRun &where : memory.runs)
    for (const MemoryPlan &plan : where.job->memory)
      for (auto [i, use] : llvm::enumerate(getMemoryUse(plan))) {
        llvm::SmallVector<Cell> cells = {plan.graph,
                                         int64_t(i),
                                         where.job->getName(plan.nodes[i]),
                                         use.liveBytes,
                                         use.allocatedBytes,
                                         use.freedBytes,
                                         use.tensors};
        addJobCells(cells, where);
        table.addRow(cells);
      }
  return table;
}

ReportKind report::Memory() {
  return {"memory",
          "memory in use while each op executes, in order of execution",
          Needs::Profile, build};
}
