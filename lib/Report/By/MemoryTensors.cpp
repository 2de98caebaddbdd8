//===- MemoryTensors.cpp - The report of tensors in memory ----------------===//
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
  std::vector<Column> columns = {{"graph", "graph", ColumnKind::Number},
                                 {"tensor", "tensor", ColumnKind::Number},
                                 {"bytes", "bytes", ColumnKind::Count},
                                 {"peak_bytes", "at peak", ColumnKind::Count},
                                 {"type", "type", ColumnKind::Text},
                                 {"op", "from op", ColumnKind::Text},
                                 {"last_op", "to op", ColumnKind::Text},
                                 {"first", "first", ColumnKind::Number},
                                 {"last", "last", ColumnKind::Number},
                                 {"reason", "reason", ColumnKind::Text}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {
      {3, true}, {2, true}, {11, false}, {0, false}, {1, false}};
  MemoryRuns memory = getMemoryRuns(input.profile);
  for (const JobRun &where : memory.runs)
    for (const MemoryPlan &plan : where.job->memory) {
      uint32_t peak = findPeak(getMemoryUse(plan));
      for (const TensorLife &tensor : plan.tensors) {
        auto getNode = [&](uint32_t node) {
          return node < plan.nodes.size()
                     ? Cell(where.job->getName(plan.nodes[node]))
                     : Cell();
        };
        bool isAtPeak = peak != kNone && tensor.firstNode <= peak &&
                        peak <= tensor.lastNode;
        auto getName = [&](uint32_t name) {
          return name == kNone ? Cell() : Cell(where.job->getName(name));
        };
        llvm::SmallVector<Cell> cells = {plan.graph,
                                         tensor.id,
                                         tensor.bytes,
                                         isAtPeak ? tensor.bytes : uint64_t(0),
                                         getName(tensor.type),
                                         getNode(tensor.firstNode),
                                         getNode(tensor.lastNode),
                                         tensor.firstNode,
                                         tensor.lastNode,
                                         getName(tensor.reason)};
        addJobCells(cells, where);
        table.addRow(cells);
      }
    }
  return table;
}

ReportKind report::MemoryTensors() {
  return {"memory-tensor",
          "tensors in memory: size, life, and what they hold at the peak",
          Needs::Profile, build};
}
