//===- Table.cpp - Tables of reports --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Table.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::report;

std::string report::formatList(llvm::ArrayRef<int64_t> values) {
  return llvm::join(
      llvm::map_range(values,
                      [](int64_t value) { return llvm::itostr(value); }),
      " x ");
}

llvm::StringRef report::getUnit(const Column &column) {
  llvm::StringRef name = column.name;
  switch (column.kind) {
  case ColumnKind::Time:
    return "ps";
  case ColumnKind::Rate:
    return "per_second";
  case ColumnKind::Ratio:
  case ColumnKind::Share:
    return "ppm";
  case ColumnKind::Count:
    return name.ends_with("bytes")   ? "byte"
           : name.ends_with("flops") ? "flop"
                                     : "";
  case ColumnKind::Text:
  case ColumnKind::Number:
  case ColumnKind::List:
  case ColumnKind::Decimal:
    return "";
  }
  llvm_unreachable("unknown kind of column");
}

Table::Table(llvm::ArrayRef<Column> columns)
    : columns(columns.begin(), columns.end()), data(columns.size()) {
  // Null cells of text columns refer to it.
  intern("");
}

void Table::setUnit(llvm::StringRef unit) {
  suffix = "_" + profile::getUnitName(unit);
  for (Column &column : columns) {
    if (column.kind != ColumnKind::Time)
      continue;
    column.kind = ColumnKind::Count;
    llvm::StringRef name = column.name;
    name.consume_back("_ps");
    column.name = (name + suffix).str();
    column.title += (" [" + unit + "]").str();
  }
}

Table Table::makeEmpty(llvm::ArrayRef<Column> columns) const {
  Table table(columns);
  table.suffix = suffix;
  return table;
}

std::optional<uint32_t> Table::findColumn(llvm::StringRef name) const {
  for (uint32_t i = 0; i < columns.size(); ++i) {
    llvm::StringRef full = columns[i].name;
    if (full == name ||
        ((full.consume_back(suffix) || full.consume_back("_ppm")) &&
         full == name))
      return i;
  }
  return std::nullopt;
}

uint32_t Table::intern(llvm::StringRef text) {
  auto [it, inserted] = textIds.try_emplace(text, uint32_t(texts.size()));
  if (inserted)
    texts.push_back(it->first());
  return it->second;
}

uint32_t Table::addRow(llvm::ArrayRef<Cell> cells) {
  assert(cells.size() == columns.size() && "one cell for each column");
  for (size_t i = 0; i < columns.size(); ++i) {
    const Cell &cell = cells[i];
    Data &column = data[i];
    bool null = cell.getKind() == Cell::Kind::Null;
    assert((null || (cell.getKind() == Cell::Kind::Text) ==
                        isKeptAsText(columns[i].kind)) &&
           (null || (cell.getKind() == Cell::Kind::List) ==
                        (columns[i].kind == ColumnKind::List)) &&
           "cell of another kind than its column");
    if (null && column.nulls.empty())
      column.nulls.resize(rows, false);
    if (null || !column.nulls.empty()) {
      column.nulls.resize(rows, false);
      column.nulls.push_back(null);
    }
    int64_t value = cell.getInteger();
    if (cell.getKind() == Cell::Kind::Text) {
      value = int64_t(intern(cell.getText()));
    } else if (cell.getKind() == Cell::Kind::List) {
      value = int64_t(lists.size());
      lists.push_back(cell.getList().vec());
    }
    column.values.push_back(value);
  }
  return rows++;
}
