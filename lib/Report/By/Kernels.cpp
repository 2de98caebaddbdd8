//===- Kernels.cpp - The report of work of devices ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Cell getMean(const OpSummary &op, Quantity quantity) {
  const Summary *summary = op.find(quantity);
  return summary && summary->count
             ? Cell(summary->sum / int64_t(summary->count))
             : Cell();
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  Table table({{"work", "work", ColumnKind::Text},
               {"kernel", "kernel", ColumnKind::Text},
               {"op", "op", ColumnKind::Text},
               {"scope", "scope", ColumnKind::Text, ColumnUse::DataOnly},
               {"count", "count", ColumnKind::Count},
               {"time_ps", "time", ColumnKind::Time},
               {"launch_ps", "mean launch", ColumnKind::Time, ColumnUse::Data,
                Total::None},
               {"queue_ps", "mean queue", ColumnKind::Time, ColumnUse::Data,
                Total::None},
               {"bytes", "bytes", ColumnKind::Count},
               {"class", "class", ColumnKind::Text}});
  table.defaultOrder = {{5, true}, {1, false}, {2, false}, {3, false}};
  table.weightColumn = 5;
  for (const OpSummary &op : merged) {
    const OpKey &key = input.profile.opKeys[op.op];
    if (op.measurements.empty() || key.work == DeviceWork::None)
      continue;
    std::string scope = getKeyScope(key);
    const Summary *bytes = op.find(Quantity::Bytes);
    table.addRow(
        {toString(key.work), key.kernel, key.op.empty() ? Cell() : Cell(key.op),
         scope.empty() ? Cell() : Cell(scope), op.getCount(), op.getTimePs(),
         getMean(op, Quantity::Launch), getMean(op, Quantity::Queue),
         bytes ? Cell(bytes->sum) : Cell(),
         input.ownership
             ? Cell(toString(input.ownership->matches[op.op].matchClass))
             : Cell()});
    addSaturating(table.weightTotal, op.getTimePs());
  }
  return table;
}

ReportKind report::Kernels() {
  return {"kernel",
          "work of devices: kernels and copies, with the time from the launch "
          "by the host to the begin",
          Needs::Profile, build};
}
