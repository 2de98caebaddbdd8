//===- Tables.cpp - Tables in JSON ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Report/Query.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::serve;

static llvm::StringRef describe(ColumnKind kind) {
  switch (kind) {
  case ColumnKind::Text:
    return "text";
  case ColumnKind::Number:
    return "number";
  case ColumnKind::Count:
    return "count";
  case ColumnKind::Time:
    return "time";
  case ColumnKind::Rate:
    return "rate";
  case ColumnKind::Ratio:
    return "ratio";
  case ColumnKind::Share:
    return "share";
  case ColumnKind::List:
    return "list";
  case ColumnKind::Decimal:
    return "decimal";
  }
  llvm_unreachable("unknown kind of column");
}

static llvm::StringRef describe(ColumnUse use) {
  switch (use) {
  case ColumnUse::Data:
    return "data";
  case ColumnUse::TextOnly:
    return "text-only";
  case ColumnUse::DataOnly:
    return "data-only";
  }
  llvm_unreachable("unknown use of a column");
}

static void writeColumn(llvm::json::OStream &json, const Column &column) {
  json.object([&] {
    writeText(json, "name", column.name);
    writeText(json, "title", column.title);
    json.attribute("kind", describe(column.kind));
    json.attribute("unit", getUnit(column));
    json.attribute("use", describe(column.use));
  });
}

static void writeCell(llvm::json::OStream &json, const Table &table,
                      uint32_t row, uint32_t column) {
  ColumnKind kind = table.getColumns()[column].kind;
  if (table.isNull(row, column))
    json.value(nullptr);
  else if (kind == ColumnKind::Decimal)
    json.rawValue(table.getText(row, column));
  else if (kind == ColumnKind::Text)
    json.value(toJsonText(table.getText(row, column)));
  else if (kind == ColumnKind::List)
    json.array([&] {
      for (int64_t value : table.getList(row, column))
        writeInteger(json, value);
    });
  else
    writeInteger(json, table.getInteger(row, column));
}

/// For each row, the position of its parent among the rows.
static void writeParents(llvm::json::OStream &json, const Table &table,
                         llvm::ArrayRef<uint32_t> rows) {
  llvm::DenseMap<uint32_t, uint32_t> places;
  for (auto [place, row] : llvm::enumerate(rows))
    places[row] = uint32_t(place);
  json.attributeArray("parents", [&] {
    for (uint32_t row : rows) {
      auto found = places.find(table.parents[row]);
      if (found == places.end())
        json.value(nullptr);
      else
        json.value(int64_t(found->second));
    }
  });
}

void serve::writeTable(llvm::json::OStream &json, llvm::StringRef name,
                       const Table &table, const TablePage &page) {
  json.attribute("name", name);
  json.attributeArray("columns", [&] {
    for (const Column &column : table.getColumns())
      writeColumn(json, column);
  });
  json.attributeArray("rows", [&] {
    for (uint32_t row : page.rows)
      json.array([&] {
        for (uint32_t i = 0; i != table.getColumns().size(); ++i)
          writeCell(json, table, row, i);
      });
  });
  json.attribute("matched", page.matched);
  json.attribute("total", table.size());
  if (table.weightColumn)
    json.attributeObject("weight", [&] {
      json.attribute("column", table.getColumns()[*table.weightColumn].name);
      writeInteger(json, "total", table.weightTotal);
    });
  else
    json.attribute("weight", nullptr);
  if (table.parents.empty())
    json.attribute("parents", nullptr);
  else
    writeParents(json, table, page.rows);
  if (page.next == trace::kNone)
    json.attribute("next", nullptr);
  else
    json.attribute("next", std::to_string(page.next));
  json.attributeArray("notes", [&] {
    for (const std::string &note : table.notes)
      json.value(toJsonText(note));
  });
}

std::vector<RouteParameter> serve::getTableParameters() {
  return {{"filter", "COLUMN=VALUE, or with !=, ~, <, <=, >, >=.",
           ParameterType::Text, 0, 0, false, true},
          {"sort", "COLUMN[,COLUMN...], reversed by a leading '-'."},
          {"limit", "Most rows (default 50).", ParameterType::Integer, 1, 1000},
          {"offset", "Rows to skip.", ParameterType::Integer, 0, 4294967295},
          {"after", "The 'next' of the page before.", ParameterType::Integer, 0,
           4294967295}};
}

llvm::Expected<Query> serve::parseTableQuery(const Request &request) {
  Query query;
  for (const std::string &text : request.getAll("filter")) {
    auto filter = parseFilter(text);
    if (!filter)
      return filter.takeError();
    query.filters.push_back(std::move(*filter));
  }
  if (llvm::StringRef sort = request.get("sort"); !sort.empty()) {
    auto keys = parseSort(sort);
    if (!keys)
      return keys.takeError();
    query.sort = std::move(*keys);
  }
  return query;
}

TablePage serve::choosePage(const Request &request,
                            llvm::ArrayRef<uint32_t> rows) {
  TablePage page;
  page.matched = rows.size();
  if (request.has("after")) {
    auto after = uint32_t(request.getInteger("after", 0));
    const uint32_t *found = llvm::find(rows, after);
    rows = llvm::ArrayRef(found == rows.end() ? found : found + 1, rows.end());
  }
  rows = rows.drop_front(
      std::min<size_t>(rows.size(), size_t(request.getInteger("offset", 0))));
  size_t limit =
      request.isForFile ? rows.size() : size_t(request.getInteger("limit", 50));
  page.rows = rows.take_front(limit);
  if (page.rows.size() < rows.size())
    page.next = page.rows.back();
  return page;
}
