//===- DiffTable.cpp - A diff as a table ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Report/DiffReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;

/// None if the row did not take time before.
static Cell getPart(const DiffRow &row) {
  std::optional<int64_t> ppm = row.getPpm(row.testedPs);
  return ppm && row.testedBeforePs > 0 ? Cell(*ppm) : Cell();
}

static Table makeTable(const ProfileDiff &diff) {
  bool isTime = diff.quantity == DiffQuantity::Time;
  std::string suffix =
      isTime ? "_ps" : "_" + profile::getUnitName(getQuantityName(diff));
  ColumnKind kind = isTime ? ColumnKind::Time : ColumnKind::Count;
  Table table({{"op", "op", ColumnKind::Text},
               {"name", "name", ColumnKind::Text},
               {"match", "match", ColumnKind::Text},
               {"verdict", "verdict", ColumnKind::Text},
               {"basis", "basis", ColumnKind::Text},
               {"before_ops", "ops before", ColumnKind::Count},
               {"after_ops", "ops after", ColumnKind::Count},
               {"before" + suffix, "before", kind},
               {"after" + suffix, "after", kind},
               {"change" + suffix, "change", kind},
               {"measure", "measure", ColumnKind::Text},
               {"tested_before" + suffix, "tested before", kind},
               {"tested_after" + suffix, "tested after", kind},
               {"tested_change" + suffix, "tested change", kind},
               {"low" + suffix, "low", kind},
               {"high" + suffix, "high", kind},
               {"tested_change_ppm", "tested change", ColumnKind::Share},
               {"adjusted_ppm", "adjusted p", ColumnKind::Number}});
  for (const DiffRow &row : diff.rows) {
    auto ifKnown = [&](Cell cell) {
      return row.basis == DiffBasis::None ? Cell() : cell;
    };
    table.addRow({row.op, row.name, toString(row.match), toString(row.verdict),
                  toString(row.basis), row.beforeOps, row.afterOps,
                  row.beforePs, row.afterPs, row.changePs(),
                  ifKnown(toString(row.measure)), ifKnown(row.testedBeforePs),
                  ifKnown(row.testedAfterPs()), ifKnown(row.testedPs),
                  ifKnown(row.lowPs), ifKnown(row.highPs),
                  ifKnown(getPart(row)), ifKnown(int64_t(row.adjusted * 1e6))});
  }
  return table;
}

llvm::Expected<DiffReport> report::makeDiffReport(const ProfileDiff &diff,
                                                  llvm::StringRef before,
                                                  llvm::StringRef after,
                                                  const Query &query) {
  DiffReport report{before.str(), after.str(), diff, makeTable(diff), {}};
  auto view = applyQuery(report.table, query);
  if (!view)
    return view.takeError();
  report.view = std::move(*view);
  return std::move(report);
}
