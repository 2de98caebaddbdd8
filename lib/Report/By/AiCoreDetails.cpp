//===- AiCoreDetails.cpp - The report of tasks of devices -----------------===//
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

/// Operations of a second that the matrix units of a device can do; 0 if
/// unknown. Each does 16 x 16 x 16 products and sums in a cycle.
static int64_t getCubePeak(const DeviceFacts &device) {
  constexpr uint64_t kFlopsPerCycle = 8192;
  return int64_t(
      saturatingMul(int64_t(device.cubeHz),
                    int64_t(uint64_t(device.cubeCores) * kFlopsPerCycle)));
}

/// The amounts of operations of an execution and their rates: all, those of the
/// matrix unit and those of the vector unit; null if they were not counted.
static void addFlops(const JobOp &op, llvm::SmallVectorImpl<Cell> &cells) {
  if (!op.facts || !op.facts->counted || !op.getCount()) {
    cells.append(7, Cell());
    return;
  }
  const OpFacts &facts = *op.facts;
  int64_t flops = saturatingAdd(facts.cubeFlops, facts.vectorFlops);
  // The counted executions take the average time.
  int64_t timePs =
      int64_t(__int128(op.getTotalPs()) * facts.counted / op.getCount());
  Cell rate = getRate(flops, timePs);
  int64_t peak = getCubePeak(op.where.job->deviceFacts);
  cells.push_back(getAverage(flops, facts.counted));
  cells.push_back(rate);
  cells.push_back(peak && rate.getKind() != Cell::Kind::Null
                      ? Cell(toPpm(rate.getInteger(), peak))
                      : Cell());
  for (int64_t part : {facts.cubeFlops, facts.vectorFlops}) {
    cells.push_back(getAverage(part, facts.counted));
    cells.push_back(getRate(part, timePs));
  }
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"op_name", "op", ColumnKind::Text},
      {"op_type", "type", ColumnKind::Text},
      {"avg_execution_time_ps", "average", ColumnKind::Time, ColumnUse::Data,
       Total::None},
      {"execution_frequency", "executions", ColumnKind::Count},
      {"total_time_ps", "total", ColumnKind::Time},
      {"processor", "processor", ColumnKind::Text},
      {"flops", "flops", ColumnKind::Count},
      {"flops_per_second", "flops/s", ColumnKind::Rate},
      {"utilization_ppm", "of peak", ColumnKind::Ratio},
      {"cube_flops", "cube flops", ColumnKind::Count, ColumnUse::DataOnly},
      {"cube_flops_per_second", "cube flops/s", ColumnKind::Rate,
       ColumnUse::DataOnly},
      {"vector_flops", "vector flops", ColumnKind::Count, ColumnUse::DataOnly},
      {"vector_flops_per_second", "vector flops/s", ColumnKind::Rate,
       ColumnUse::DataOnly},
      {"subgraph", "subgraph", ColumnKind::Text, ColumnUse::DataOnly},
      {"full_op_name", "full name", ColumnKind::Text},
      {"op_info", "tensors", ColumnKind::Text, ColumnUse::DataOnly}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{4, true}, {14, false}, {17, false}};
  table.weightColumn = 4;
  for (const JobOp &op : getJobOps(input.profile, OpSide::AiCore)) {
    std::string tensors =
        op.facts ? describeTensors(*op.where.job, *op.facts) : "";
    llvm::SmallVector<Cell> cells = {getLastName(op.key->op),
                                     op.key->kernel,
                                     getAverage(op.getTotalPs(), op.getCount()),
                                     op.getCount(),
                                     op.getTotalPs(),
                                     getProcessorCell(op.getProcessor())};
    addFlops(op, cells);
    cells.push_back(getSubgraphCell(op.key->op));
    cells.push_back(op.key->op);
    cells.push_back(tensors.empty() ? Cell() : Cell(tensors));
    addJobCells(cells, op.where);
    table.addRow(cells);
    addSaturating(table.weightTotal, op.getTotalPs());
  }
  return table;
}

ReportKind report::AiCoreDetails() {
  return {"aicore_detail",
          "tasks of Ascend devices by op, with their operations and tensors",
          Needs::Profile, build};
}
