//===- Flops.cpp - The report of operations by op -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FlopsTable.h"
#include "Reports.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  std::vector<Column> columns = {{"op", "op", ColumnKind::Text},
                                 {"type", "type", ColumnKind::Text},
                                 {"path", "path", ColumnKind::Text}};
  addFlopsColumns(columns);
  Table table(columns);
  table.defaultOrder = {{4, true}, {2, false}, {0, false}};
  table.weightColumn = 4;
  std::vector<FlopsOp> ops = getFlops(input.profile, merged);
  for (const FlopsOp &op : ops)
    addSaturating(table.weightTotal, op.sum.flops);
  OpNames names(input.profile);
  for (const FlopsOp &op : ops) {
    const OpKey &key = input.profile.opKeys[op.op];
    llvm::StringRef type = getKeyTraits(key).opType;
    if (type.empty())
      type = names.getKernel(op.op);
    std::string path = getKeyScope(key);
    llvm::SmallVector<Cell> cells = {key.op, type.empty() ? Cell() : Cell(type),
                                     path.empty() ? Cell() : Cell(path)};
    addFlopsCells(cells, op.sum, table.weightTotal);
    table.addRow(cells);
  }
  return table;
}

ReportKind report::Flops() {
  return {"flops",
          "floating point operations that were counted, and their rate, by op",
          Needs::Profile, build};
}
