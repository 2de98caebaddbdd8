//===- AiCpuTable.cpp - Executions by AI CPUs, added up -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AiCpuTable.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {
struct AiCpuSum {
  JobRun where;
  llvm::StringRef type;
  uint64_t count = 0;
  int64_t totalPs = 0;
  int64_t dispatchPs = 0;
  int64_t runPs = 0;
  int64_t computePs = 0;
  int64_t memcpyPs = 0;

  void add(const AiCpuRun &run) {
    ++count;
    addSaturating(totalPs, run.totalPs);
    addSaturating(dispatchPs, run.dispatchPs);
    addSaturating(runPs, run.executionPs);
    addSaturating(computePs, run.computePs);
    addSaturating(memcpyPs, run.memcpyPs);
  }
};
} // namespace

static std::vector<Column> getColumns(const Profile &profile,
                                      AiCpuGroup group) {
  std::vector<Column> columns;
  if (group == AiCpuGroup::Op)
    columns.push_back({"op_name", "op", ColumnKind::Text});
  columns.push_back({"op_type", "type", ColumnKind::Text});
  columns.push_back({"total_time_ps", "total", ColumnKind::Time});
  columns.push_back({"execution_frequency", "executions", ColumnKind::Count});
  columns.push_back(
      {"percent_ppm", "share", ColumnKind::Share, ColumnUse::DataOnly});
  std::pair<const char *, const char *> averages[] = {
      {"avg_execution_time_ps", "average"},
      {"dispatch_time_ps", "dispatch"},
      {"run_time_ps", "run"},
      {"compute_time_ps", "compute"},
      {"memcpy_time_ps", "copy"}};
  for (auto [name, title] : averages)
    columns.push_back(
        {name, title, ColumnKind::Time, ColumnUse::Data, Total::None});
  addJobColumns(columns, profile);
  return columns;
}

Table report::makeAiCpuTable(const Profile &profile, AiCpuGroup group) {
  std::map<std::pair<uint32_t, llvm::StringRef>, AiCpuSum> sums;
  std::map<uint32_t, int64_t> wholePs;
  for (const JobRun &where : getJobRuns(profile))
    for (const AiCpuRun &run : where.job->aiCpuRuns) {
      llvm::StringRef type = where.job->getName(run.type);
      llvm::StringRef key =
          group == AiCpuGroup::Op ? where.job->getName(run.op) : type;
      AiCpuSum &sum = sums[{where.number, key}];
      sum.where = where;
      sum.type = type;
      sum.add(run);
      addSaturating(wholePs[where.number], run.totalPs);
    }
  Table table(getColumns(profile, group));
  uint32_t total = group == AiCpuGroup::Op ? 2 : 1;
  table.defaultOrder = {{total, true}, {0, false}, {total + 9, false}};
  table.weightColumn = total;
  for (const auto &[key, sum] : sums) {
    llvm::SmallVector<Cell> cells;
    if (group == AiCpuGroup::Op)
      cells.push_back(key.second);
    cells.append({sum.type, sum.totalPs, sum.count,
                  toPpm(sum.totalPs, wholePs[key.first])});
    for (int64_t ps :
         {sum.totalPs, sum.dispatchPs, sum.runPs, sum.computePs, sum.memcpyPs})
      cells.push_back(getAverage(ps, sum.count));
    addJobCells(cells, sum.where);
    table.addRow(cells);
    addSaturating(table.weightTotal, sum.totalPs);
  }
  return table;
}
