//===- OpInfoTable.cpp - Ops of GPUs and hosts in detail ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpInfoTable.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {
struct KernelSum {
  uint64_t count = 0;
  int64_t totalPs = 0;
};
using KernelSums = std::map<std::pair<uint32_t, llvm::StringRef>, KernelSum>;
} // namespace

/// The kernels of each op of each run.
static KernelSums addKernels(const Profile &profile) {
  KernelSums sums;
  for (const JobRun &where : getJobRuns(profile))
    for (const KernelFacts &kernel : where.job->kernels) {
      if (kernel.op == kNone)
        continue;
      KernelSum &sum = sums[{where.number, where.job->getName(kernel.op)}];
      addSaturating(sum.count, kernel.count);
      addSaturating(sum.totalPs, kernel.totalPs);
    }
  return sums;
}

Table report::makeOpInfoTable(const Profile &profile, OpSide side) {
  std::vector<Column> columns = {
      {"op_side", "side", ColumnKind::Text},
      {"op_type", "type", ColumnKind::Text},
      {"op_name", "op", ColumnKind::Text},
      {"op_full_name", "full name", ColumnKind::Text},
      {"op_occurrences", "executions", ColumnKind::Count},
      {"op_total_time_ps", "total", ColumnKind::Time},
      {"op_avg_time_ps", "average", ColumnKind::Time, ColumnUse::Data,
       Total::None},
      {"proportion_ppm", "share", ColumnKind::Share, ColumnUse::DataOnly},
      {"cuda_activity_cost_time_ps", "kernels", ColumnKind::Time},
      {"cuda_activity_call_count", "kernel calls", ColumnKind::Count},
      {"subgraph", "subgraph", ColumnKind::Text, ColumnUse::DataOnly}};
  addJobColumns(columns, profile);
  Table table(columns);
  table.defaultOrder = {{5, true}, {3, false}, {12, false}};
  table.weightColumn = 5;
  KernelSums kernels = addKernels(profile);
  std::vector<JobOp> ops = getJobOps(profile, side);
  std::map<uint32_t, int64_t> wholePs;
  for (const JobOp &op : ops) {
    addSaturating(wholePs[op.where.number], op.getTotalPs());
    addSaturating(table.weightTotal, op.getTotalPs());
  }
  for (const JobOp &op : ops) {
    auto kernel = kernels.find({op.where.number, op.key->op});
    bool hasKernels = kernel != kernels.end();
    llvm::SmallVector<Cell> cells = {
        side == OpSide::Host ? "Host" : "Device",
        op.key->kernel,
        getLastName(op.key->op),
        op.key->op,
        op.getCount(),
        op.getTotalPs(),
        getAverage(op.getTotalPs(), op.getCount()),
        toPpm(op.getTotalPs(), wholePs[op.where.number]),
        hasKernels ? Cell(kernel->second.totalPs) : Cell(),
        hasKernels ? Cell(kernel->second.count) : Cell(),
        getSubgraphCell(op.key->op)};
    addJobCells(cells, op.where);
    table.addRow(cells);
  }
  return table;
}
