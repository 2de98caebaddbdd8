//===- DiffTable.cpp - A diff as a table ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/DiffReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;

/// Thousandths of `before`; none if that is zero.
static Cell getPart(const DiffRow &row) {
  if (row.beforePs <= 0)
    return Cell();
  __int128 part = __int128(row.changePs()) * 1000000 / row.beforePs;
  return int64_t(std::clamp<__int128>(part, INT64_MIN, INT64_MAX));
}

static Table makeTable(const ProfileDiff &diff) {
  bool isTime = diff.quantity == DiffQuantity::Time;
  std::string suffix = isTime ? "_ps" : ("_" + toString(diff.quantity)).str();
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
               {"low" + suffix, "low", kind},
               {"high" + suffix, "high", kind},
               {"change_ppm", "change", ColumnKind::Share},
               {"adjusted_ppm", "adjusted p", ColumnKind::Number}});
  for (const DiffRow &row : diff.rows) {
    bool isKnown = row.basis != DiffBasis::None;
    table.addRow({row.op, row.name, toString(row.match), toString(row.verdict),
                  toString(row.basis), row.beforeOps, row.afterOps,
                  row.beforePs, row.afterPs, row.changePs(),
                  isKnown ? Cell(row.lowPs) : Cell(),
                  isKnown ? Cell(row.highPs) : Cell(), getPart(row),
                  isKnown ? Cell(int64_t(row.adjusted * 1e6)) : Cell()});
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
