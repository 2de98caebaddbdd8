//===- Links.cpp - The report of links between ranks ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LinkSums.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"rank", "rank", ColumnKind::Number},
      {"step", "step", ColumnKind::Number},
      {"source", "from", ColumnKind::Number},
      {"destination", "to", ColumnKind::Number},
      {"link_type", "link", ColumnKind::Text},
      {"count", "transfers", ColumnKind::Count},
      {"bytes", "bytes", ColumnKind::Count},
      {"communication_cost_ps", "time", ColumnKind::Time},
      {"bytes_per_second", "bytes/s", ColumnKind::Rate}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{7, true},  {10, false}, {1, false},
                        {2, false}, {3, false},  {4, false}};
  table.weightColumn = 7;
  using Key = std::tuple<int64_t, uint32_t, uint32_t, LinkKind>;
  for (const JobRun &where : getJobRuns(input.profile)) {
    std::map<Key, LinkSum> sums;
    for (const LinkTransfer &transfer : where.job->transfers)
      if (transfer.kind != LinkKind::Wait)
        sums[{transfer.step, transfer.source, transfer.destination,
              transfer.kind}]
            .add(transfer);
    for (const auto &[key, sum] : sums) {
      auto [step, source, destination, kind] = key;
      llvm::SmallVector<Cell> cells = {where.getRank(),
                                       step,
                                       source,
                                       destination,
                                       getLinkCell(kind),
                                       sum.count,
                                       sum.bytes,
                                       sum.timePs,
                                       getRate(int64_t(sum.bytes), sum.timePs)};
      addJobCells(cells, where);
      table.addRow(cells);
      addSaturating(table.weightTotal, sum.timePs);
    }
  }
  return table;
}

ReportKind report::Links() {
  return {"link",
          "links between ranks in each step: bytes, time, and their quotient",
          Needs::Profile, build};
}
