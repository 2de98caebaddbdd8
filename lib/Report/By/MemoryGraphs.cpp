//===- MemoryGraphs.cpp - The report of memory by graph -------------------===//
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
      {"peak_bytes", "peak", ColumnKind::Count},
      {"peak_op", "peak op", ColumnKind::Text},
      {"peak_position", "peak #", ColumnKind::Number},
      {"static_bytes", "static", ColumnKind::Count},
      {"capacity_bytes", "capacity", ColumnKind::Count, ColumnUse::Data,
       Total::Most},
      {"nodes", "nodes", ColumnKind::Count},
      {"tensors", "tensors", ColumnKind::Count}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{9, false}, {0, false}};
  MemoryRuns memory = getMemoryRuns(input.profile);
  for (const JobRun &where : memory.runs)
    for (const MemoryPlan &plan : where.job->memory) {
      std::vector<NodeMemory> use = getMemoryUse(plan);
      uint32_t peak = findPeak(use);
      bool hasPeak = peak != kNone;
      llvm::SmallVector<Cell> cells = {
          plan.graph,
          hasPeak ? use[peak].liveBytes : plan.staticBytes,
          hasPeak ? Cell(where.job->getName(plan.nodes[peak])) : Cell(),
          hasPeak ? Cell(peak) : Cell(),
          plan.staticBytes,
          plan.capacityBytes ? Cell(plan.capacityBytes) : Cell(),
          uint64_t(plan.nodes.size()),
          uint64_t(plan.tensors.size())};
      addJobCells(cells, where);
      table.addRow(cells);
    }
  return table;
}

ReportKind report::MemoryGraphs() {
  return {"memory-graph",
          "memory of each graph: peak, static part, and capacity of the device",
          Needs::Profile, build};
}
