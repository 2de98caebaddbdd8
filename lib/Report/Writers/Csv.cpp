//===- Csv.cpp - Reports as comma-separated values ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writers.h"

using namespace mlirprof;
using namespace mlirprof::report;

/// By RFC 4180: quoted if necessary, with quotes doubled.
static void writeText(llvm::StringRef text, llvm::raw_ostream &os) {
  // An empty text is quoted to distinguish it from a missing value.
  if (!text.empty() && text.find_first_of(",\"\r\n") == llvm::StringRef::npos) {
    os << text;
    return;
  }
  os << '"';
  for (char c : text) {
    if (c == '"')
      os << '"';
    os << c;
  }
  os << '"';
}

static void write(const Report &report, const WriteOptions &,
                  llvm::raw_ostream &os) {
  const Table &table = report.table;
  llvm::SmallVector<uint32_t> columns;
  for (auto [i, column] : llvm::enumerate(table.getColumns())) {
    if (column.use == ColumnUse::TextOnly)
      continue;
    if (!columns.empty())
      os << ',';
    writeText(column.name, os);
    columns.push_back(uint32_t(i));
  }
  os << "\r\n";
  for (uint32_t row : report.view.rows) {
    for (uint32_t column : columns) {
      if (column != columns.front())
        os << ',';
      if (table.isNull(row, column))
        continue;
      ColumnKind kind = table.getColumns()[column].kind;
      if (isKeptAsText(kind))
        writeText(table.getText(row, column), os);
      else if (kind == ColumnKind::List)
        writeText(formatList(table.getList(row, column)), os);
      else
        os << table.getInteger(row, column);
    }
    os << "\r\n";
  }
}

ReportWriter writer::Csv() {
  return {"csv", "rows as comma-separated values (RFC 4180), times in ps",
          write};
}
