//===- Ops.cpp - The report of the ops of the module ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  std::vector<Column> columns = {
      {"index", "#", ColumnKind::Number},
      {"op", "op", ColumnKind::Text},
      {"location", "location", ColumnKind::Text},
      {"count", "count", ColumnKind::Count},
      {"sole_ps", "sole", ColumnKind::Time},
      {"shared_ps", "shared", ColumnKind::Time},
      {"estimated_ps", "estimated", ColumnKind::Time},
      {"total_ps", "total", ColumnKind::Time},
      getProgramColumn(input.ownership->hasSeveralPrograms())};
  bool isOfDevices = input.attribution->isOfDevices;
  if (isOfDevices)
    columns.push_back({"host_ps", "on host", ColumnKind::Time});
  auto instances = countInstances(input.profile, getInputLevel(input));
  if (!instances.empty())
    columns.push_back({"instances", "dispatches", ColumnKind::Count});
  Table table(columns);
  table.defaultOrder = {{7, true}, {2, false}, {0, false}};
  table.weightColumn = 7;
  table.weightTotal = getOpTimePs(merged);
  for (uint32_t i = 0; i < input.ownership->ops.size(); ++i) {
    const MlirOp &op = input.ownership->ops[i];
    const OpTime &time = input.attribution->ops[i];
    OpNumber number = input.ownership->getNumber(i);
    int64_t totalPs = time.solePs;
    addSaturating(totalPs, time.estimatedPs);
    if (!time.count && !time.hostPs && selection != RowSelection::All)
      continue;
    llvm::SmallVector<Cell> cells = {
        getIndexCell(number), op.op,       getPlace(op),
        time.count,           time.solePs, time.sharedPs,
        time.estimatedPs,     totalPs,     number.program};
    if (isOfDevices)
      cells.push_back(time.hostPs);
    if (!instances.empty()) {
      auto it = instances.find({number.program, number.index});
      cells.push_back(it == instances.end() ? Cell() : Cell(it->second));
    }
    table.addRow(cells);
  }
  return table;
}

ReportKind report::Ops() {
  return {"op", "ops of the module", Needs::Ownership, build};
}
