//===- Waits.cpp - The report of gaps of devices ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  Table table({{"device", "device", ColumnKind::Number},
               {"host", "host did", ColumnKind::Text},
               {"gaps", "gaps", ColumnKind::Count},
               {"idle_ps", "idle", ColumnKind::Time}});
  table.defaultOrder = {{3, true}, {1, false}, {0, false}};
  table.weightColumn = 3;
  std::map<std::pair<int64_t, llvm::StringRef>, Summary> rows;
  for (const Run &run : input.profile.runs)
    for (const DeviceInfo &device : run.devices)
      for (const DeviceWait &wait : device.waits)
        rows[{device.number, wait.host}].merge(wait.time);
  for (const auto &[key, time] : rows) {
    table.addRow({key.first, key.second.empty() ? Cell() : Cell(key.second),
                  time.count, time.sum});
    addSaturating(table.weightTotal, time.sum);
  }
  return table;
}

ReportKind report::Waits() {
  return {"wait",
          "gaps of devices, by what the host did on the thread that launched "
          "the next work",
          Needs::Profile, build};
}
