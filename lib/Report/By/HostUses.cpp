//===- HostUses.cpp - The report of use of the host -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JobOps.h"
#include "Reports.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"owner", "owner", ColumnKind::Text},
      {"metric", "metric", ColumnKind::Text},
      {"samples", "samples", ColumnKind::Count},
      {"average_ppm", "average", ColumnKind::Ratio},
      {"least", "least", ColumnKind::Count, ColumnUse::Data, Total::Least},
      {"most", "most", ColumnKind::Count, ColumnUse::Data, Total::Most},
      {"sample_interval_ps", "interval", ColumnKind::Time, ColumnUse::Data,
       Total::None}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{8, false}, {0, false}, {1, false}};
  for (const JobRun &where : getJobRuns(input.profile))
    for (const HostSamples &samples : where.job->hostSamples) {
      if (samples.values.empty())
        continue;
      __int128 sum = 0;
      for (int64_t value : samples.values)
        sum += value;
      auto [least, most] =
          std::minmax_element(samples.values.begin(), samples.values.end());
      llvm::SmallVector<Cell> cells = {
          where.job->getName(samples.owner),
          where.job->getName(samples.metric),
          uint64_t(samples.values.size()),
          int64_t(sum * 1000000 / __int128(samples.values.size())),
          *least,
          *most,
          samples.intervalPs ? Cell(samples.intervalPs) : Cell()};
      addJobCells(cells, where);
      table.addRow(cells);
    }
  return table;
}

ReportKind report::HostUses() {
  return {"host-use",
          "use of the host in percent, and counts, by the machine, the process "
          "and the stages",
          Needs::Profile, build};
}
