//===- FlopsTable.cpp - Counted floating point operations -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlopsTable.h"
#include "JobOps.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

void FlopsSum::add(const FlopsSum &other) {
  addSaturating(count, other.count);
  addSaturating(timePs, other.timePs);
  addSaturating(flops, other.flops);
  addSaturating(cubeFlops, other.cubeFlops);
  addSaturating(vectorFlops, other.vectorFlops);
  hasUnits |= other.hasUnits;
}

/// The parts by unit of all jobs, by the names of ops.
static llvm::StringMap<FlopsSum> getUnits(const Profile &profile) {
  llvm::StringMap<FlopsSum> units;
  for (const JobRun &where : getJobRuns(profile))
    for (const OpFacts &op : where.job->ops)
      if (op.counted) {
        FlopsSum sum;
        sum.cubeFlops = op.cubeFlops;
        sum.vectorFlops = op.vectorFlops;
        sum.hasUnits = true;
        units[where.job->getName(op.op)].add(sum);
      }
  return units;
}

std::vector<FlopsOp> report::getFlops(const Profile &profile,
                                      llvm::ArrayRef<OpSummary> merged) {
  llvm::StringMap<FlopsSum> units = getUnits(profile);
  std::vector<FlopsOp> ops;
  for (const OpSummary &op : merged) {
    const Summary *flops = op.find(Quantity::Flops);
    if (!flops || !flops->count)
      continue;
    FlopsSum sum = units.lookup(profile.opKeys[op.op].op);
    sum.count = flops->count;
    sum.flops = flops->sum;
    // Not all executions need be counted: these take the average time.
    uint64_t executions = std::max<uint64_t>(op.getCount(), 1);
    sum.timePs = int64_t(__int128(op.getTimePs()) *
                         std::min(flops->count, executions) / executions);
    ops.push_back({op.op, sum});
  }
  return ops;
}

void report::addFlopsColumns(std::vector<Column> &columns) {
  columns.push_back({"count", "count", ColumnKind::Count});
  columns.push_back({"flops", "flops", ColumnKind::Count});
  columns.push_back({"flops_per_call", "flops/call", ColumnKind::Count,
                     ColumnUse::Data, Total::None});
  columns.push_back({"cube_flops", "matrix unit", ColumnKind::Count});
  columns.push_back({"vector_flops", "vector unit", ColumnKind::Count});
  columns.push_back({"time_ps", "time", ColumnKind::Time});
  columns.push_back({"flops_per_second", "flops/s", ColumnKind::Rate});
  columns.push_back(
      {"flops_ppm", "of flops", ColumnKind::Share, ColumnUse::DataOnly});
}

void report::addFlopsCells(llvm::SmallVectorImpl<Cell> &cells,
                           const FlopsSum &sum, int64_t wholeFlops) {
  cells.append({sum.count, sum.flops, getAverage(sum.flops, sum.count),
                sum.hasUnits ? Cell(sum.cubeFlops) : Cell(),
                sum.hasUnits ? Cell(sum.vectorFlops) : Cell(), sum.timePs,
                getRate(sum.flops, sum.timePs), toPpm(sum.flops, wholeFlops)});
}
