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
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// The number of classes to show: those of an executor only if there is one.
static size_t countClasses(llvm::ArrayRef<ThreadTimes> threads) {
  bool hasExecutor = llvm::any_of(threads, [](const ThreadTimes &thread) {
    return llvm::any_of(
        llvm::ArrayRef(thread.samples).drop_front(kClassesOfAll),
        [](uint64_t samples) { return samples != 0; });
  });
  return hasExecutor ? std::size(kThreadClasses) : kClassesOfAll;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {{"thread", "thread", ColumnKind::Text},
                                 {"line", "line", ColumnKind::Number}};
  std::vector<ThreadTimes> threads = getThreads(input.profile);
  size_t classes = countClasses(threads);
  for (llvm::StringRef name :
       llvm::ArrayRef(kThreadClasses).take_front(classes))
    columns.push_back({name.str() + "_ps", name.str(), ColumnKind::Time});
  columns.push_back({"total_ps", "total", ColumnKind::Time});
  columns.push_back({"samples", "samples", ColumnKind::Count});
  // A thread of one run is another's in the next.
  bool severalRuns = input.profile.runs.size() > 1;
  if (severalRuns)
    columns.push_back({"run", "run", ColumnKind::Number});
  Table table(columns);
  auto total = uint32_t(2 + classes);
  table.defaultOrder = {{1, false}};
  if (severalRuns)
    table.defaultOrder.insert(table.defaultOrder.begin(), {total + 2, false});
  table.weightColumn = total;
  for (const ThreadTimes &thread : threads) {
    llvm::SmallVector<Cell> cells = {thread.track->name, thread.track->line};
    int64_t totalPs = 0;
    for (int64_t timePs : llvm::ArrayRef(thread.timesPs).take_front(classes)) {
      cells.push_back(timePs);
      addSaturating(totalPs, timePs);
    }
    uint64_t samples = 0;
    for (uint64_t count : thread.samples)
      addSaturating(samples, count);
    cells.append({totalPs, samples});
    if (severalRuns)
      cells.push_back(thread.run);
    table.addRow(cells);
    addSaturating(table.weightTotal, totalPs);
  }
  return table;
}

ReportKind report::Threads() {
  return {"thread",
          "activity of each thread of a recording: work, libraries, waiting",
          Needs::Program, build};
}
