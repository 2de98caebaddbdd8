//===- Group.cpp - Adding up rows of tables -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Query.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {
/// The rows that are added up to one.
struct Sum {
  uint32_t firstRow = 0;
  uint64_t rows = 0;
  /// For each amount; none if all of its cells are null.
  std::vector<std::optional<int64_t>> amounts;
};
} // namespace

/// Positions of the columns to group by.
static llvm::Expected<std::vector<uint32_t>>
findKeys(const Table &table, llvm::ArrayRef<std::string> names) {
  std::vector<uint32_t> keys;
  for (const std::string &name : names) {
    std::optional<uint32_t> column = table.findColumn(name);
    if (!column) {
      auto all = llvm::map_range(table.getColumns(),
                                 [](const Column &c) { return c.name; });
      return inputError("column '" + name + "'",
                        "does not exist in this report",
                        "Its columns are " + llvm::join(all, ", ") + ".");
    }
    if (!llvm::is_contained(keys, *column))
      keys.push_back(*column);
  }
  return keys;
}

/// A cell as a key: two cells are alike if their keys are.
static std::string getKey(const Table &table, uint32_t row, uint32_t column) {
  if (table.isNull(row, column))
    return "-";
  ColumnKind kind = table.getColumns()[column].kind;
  if (isKeptAsText(kind))
    return "=" + table.getText(row, column).str();
  if (kind == ColumnKind::List)
    return "=" + formatList(table.getList(row, column));
  return "=" + std::to_string(table.getInteger(row, column));
}

static void add(std::optional<int64_t> &sum, int64_t value, Total total) {
  if (!sum)
    sum = value;
  else if (total == Total::Least)
    sum = std::min(*sum, value);
  else if (total == Total::Most)
    sum = std::max(*sum, value);
  else
    addSaturating(*sum, value);
}

static Cell getCell(const Table &table, uint32_t row, uint32_t column) {
  if (table.isNull(row, column))
    return std::nullopt;
  ColumnKind kind = table.getColumns()[column].kind;
  if (isKeptAsText(kind))
    return table.getText(row, column);
  if (kind == ColumnKind::List)
    return Cell::makeList(table.getList(row, column));
  return table.getInteger(row, column);
}

/// The table without rows, for these keys and amounts of `table`.
static Table makeTable(const Table &table, llvm::ArrayRef<uint32_t> keys,
                       llvm::ArrayRef<uint32_t> amounts) {
  std::vector<Column> columns;
  for (uint32_t key : keys)
    columns.push_back(table.getColumns()[key]);
  columns.push_back({"rows", "rows", ColumnKind::Count});
  uint32_t main = uint32_t(columns.size()) - 1;
  for (uint32_t amount : amounts) {
    if (table.weightColumn == amount ||
        (!table.weightColumn && amount == amounts.front()))
      main = uint32_t(columns.size());
    columns.push_back(table.getColumns()[amount]);
  }
  Table grouped = table.makeEmpty(columns);
  grouped.defaultOrder = {{main, true}};
  for (uint32_t i = 0; i != keys.size(); ++i)
    grouped.defaultOrder.push_back({i, false});
  if (table.weightColumn && llvm::is_contained(amounts, *table.weightColumn)) {
    grouped.weightColumn = main;
    grouped.weightTotal = table.weightTotal;
  }
  grouped.notes = table.notes;
  return grouped;
}

llvm::Expected<Table> report::groupRows(const Table &table,
                                        llvm::ArrayRef<uint32_t> rows,
                                        llvm::ArrayRef<std::string> names) {
  llvm::Expected<std::vector<uint32_t>> keys = findKeys(table, names);
  if (!keys)
    return keys.takeError();
  std::vector<uint32_t> amounts;
  for (auto [i, column] : llvm::enumerate(table.getColumns()))
    if (column.addsUp() && !llvm::is_contained(*keys, uint32_t(i)))
      amounts.push_back(uint32_t(i));
  std::map<std::vector<std::string>, Sum> sums;
  for (uint32_t row : rows) {
    std::vector<std::string> key;
    for (uint32_t column : *keys)
      key.push_back(getKey(table, row, column));
    auto [it, isNew] = sums.try_emplace(std::move(key));
    Sum &sum = it->second;
    if (isNew)
      sum = {row, 0, std::vector<std::optional<int64_t>>(amounts.size())};
    ++sum.rows;
    for (auto [amount, column] : llvm::zip_equal(sum.amounts, amounts))
      if (!table.isNull(row, column))
        add(amount, table.getInteger(row, column),
            table.getColumns()[column].total);
  }
  Table grouped = makeTable(table, *keys, amounts);
  for (const auto &[key, sum] : sums) {
    std::vector<Cell> cells;
    for (uint32_t column : *keys)
      cells.push_back(getCell(table, sum.firstRow, column));
    cells.push_back(sum.rows);
    for (std::optional<int64_t> amount : sum.amounts)
      cells.push_back(amount ? Cell(*amount) : Cell());
    grouped.addRow(cells);
  }
  return grouped;
}
