//===- Threads.cpp - The report of threads --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ThreadTable.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {{"thread", "thread", ColumnKind::Text},
                                 {"line", "line", ColumnKind::Number}};
  for (llvm::StringRef name : kThreadClasses)
    columns.push_back({name.str() + "_ps", name.str(), ColumnKind::Time});
  columns.push_back({"total_ps", "total", ColumnKind::Time});
  columns.push_back({"samples", "samples", ColumnKind::Count});
  // A thread of one run is another's in the next.
  bool severalRuns = input.profile.runs.size() > 1;
  if (severalRuns)
    columns.push_back({"run", "run", ColumnKind::Number});
  Table table(columns);
  constexpr uint32_t kTotal = 2 + std::size(kThreadClasses);
  table.defaultOrder = {{1, false}};
  if (severalRuns)
    table.defaultOrder.insert(table.defaultOrder.begin(), {kTotal + 2, false});
  table.weightColumn = kTotal;
  for (const ThreadTimes &thread : getThreads(input.profile)) {
    llvm::SmallVector<Cell> cells = {thread.track->name, thread.track->line};
    int64_t total = 0;
    for (int64_t timePs : thread.timesPs) {
      cells.push_back(timePs);
      addSaturating(total, timePs);
    }
    uint64_t samples = 0;
    for (uint64_t count : thread.samples)
      addSaturating(samples, count);
    cells.append({total, samples});
    if (severalRuns)
      cells.push_back(thread.run);
    table.addRow(cells);
    addSaturating(table.weightTotal, total);
  }
  return table;
}

ReportKind report::Threads() {
  return {"thread",
          "activity of each thread of a recording: work, libraries, waiting",
          Needs::Program, build};
}
