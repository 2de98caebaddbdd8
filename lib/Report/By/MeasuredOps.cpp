//===- MeasuredOps.cpp - The report of measured ops -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/RollUp.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// A text that may be absent in the recording.
static Cell orNull(llvm::StringRef text, bool present) {
  return present ? Cell(text) : Cell();
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  std::vector<Column> columns = {{"module", "module", ColumnKind::Text},
                                 {"program_id", "program", ColumnKind::Number},
                                 {"op", "op", ColumnKind::Text},
                                 {"kernel", "kernel", ColumnKind::Text},
                                 {"count", "count", ColumnKind::Count},
                                 {"duration_ps", "duration", ColumnKind::Time},
                                 {"bounded_ps", "bounded", ColumnKind::Time},
                                 {"self_ps", "self", ColumnKind::Time},
                                 {"time_ps", "time", ColumnKind::Time},
                                 {"class", "class", ColumnKind::Text}};
  bool hasInstances = llvm::any_of(input.profile.opKeys, [](const OpKey &key) {
    return getInstance(key) != kNone;
  });
  if (hasInstances)
    columns.push_back({"instance", "dispatch", ColumnKind::Number});
  bool hasDevices = input.profile.hasDeviceWork();
  if (hasDevices)
    columns.push_back({"work", "work", ColumnKind::Text});
  Table table(std::move(columns));
  table.defaultOrder = {
      {8, true}, {2, false}, {0, false}, {1, false}, {3, false}};
  table.weightColumn = 8;
  table.weightTotal = getOpTimePs(merged);
  OpNames names(input.profile);
  for (const OpSummary &op : merged) {
    if (op.measurements.empty() && selection == RowSelection::Measured)
      continue;
    const OpKey &key = input.profile.opKeys[op.op];
    KeyTraits traits = getKeyTraits(key);
    llvm::StringRef kernel = names.getKernel(op.op);
    int64_t executePs = op.getSum(Quantity::Execute);
    // Without asynchronous work or nesting, all of an op's time is self time.
    const Summary *bounded = op.find(Quantity::Bounded);
    const Summary *self = op.find(Quantity::Self);
    std::vector<Cell> cells = {
        traits.module ? Cell(*traits.module) : Cell(),
        traits.programId ? Cell(*traits.programId) : Cell(),
        key.op,
        orNull(kernel, !kernel.empty()),
        op.getCount(),
        executePs,
        bounded ? bounded->sum : executePs,
        self ? self->sum : executePs,
        op.getTimePs(),
        input.ownership
            ? Cell(toString(input.ownership->matches[op.op].matchClass))
            : Cell()};
    uint32_t instance = getInstance(key);
    if (hasInstances)
      cells.push_back(instance == kNone ? Cell() : Cell(instance));
    if (hasDevices)
      cells.push_back(toString(key.work));
    table.addRow(cells);
  }
  return table;
}

ReportKind report::MeasuredOps() {
  return {"measured-op",
          "measured ops: HLO instructions, nodes of a framework's graph",
          Needs::Profile, build};
}
