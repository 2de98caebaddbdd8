//===- FlopsTypes.cpp - The report of operations by type ------------------===//
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

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  std::vector<Column> columns = {{"type", "type", ColumnKind::Text},
                                 {"ops", "ops", ColumnKind::Count}};
  addFlopsColumns(columns);
  Table table(columns);
  table.defaultOrder = {{3, true}, {0, false}};
  table.weightColumn = 3;
  OpNames names(input.profile);
  std::map<std::string, std::pair<uint64_t, FlopsSum>> sums;
  for (const FlopsOp &op : getFlops(input.profile, merged)) {
    llvm::StringRef type = getKeyTraits(input.profile.opKeys[op.op]).opType;
    if (type.empty())
      type = names.getKernel(op.op);
    auto &[ops, sum] = sums[type.str()];
    ++ops;
    sum.add(op.sum);
    addSaturating(table.weightTotal, op.sum.flops);
  }
  for (const auto &[type, entry] : sums) {
    llvm::SmallVector<Cell> cells = {type.empty() ? Cell() : Cell(type),
                                     entry.first};
    addFlopsCells(cells, entry.second, table.weightTotal);
    table.addRow(cells);
  }
  return table;
}

ReportKind report::FlopsTypes() {
  return {"flops-type",
          "floating point operations that were counted, by type of op",
          Needs::Profile, build};
}
