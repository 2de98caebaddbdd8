//===- Query.cpp - Sorting, filtering and paging of tables ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Query.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::report;

namespace {
/// A filter bound to its column, with its value parsed.
struct BoundFilter {
  uint32_t column = 0;
  ColumnKind kind = ColumnKind::Text;
  Relation relation = Relation::Equal;
  llvm::StringRef text;
  int64_t number = 0;
  double decimal = 0;
  std::vector<int64_t> list;

  bool accepts(const Table &table, uint32_t row) const;
};
} // namespace

template <typename T>
static bool compare(const T &left, Relation relation, const T &right) {
  switch (relation) {
  case Relation::Equal:
    return left == right;
  case Relation::NotEqual:
    return left != right;
  case Relation::Less:
    return left < right;
  case Relation::LessEqual:
    return left <= right;
  case Relation::Greater:
    return left > right;
  case Relation::GreaterEqual:
    return left >= right;
  case Relation::Contains:
    break;
  }
  return false;
}

static double getDecimal(const Table &table, uint32_t row, uint32_t column) {
  double value = 0;
  table.getText(row, column).getAsDouble(value);
  return value;
}

bool BoundFilter::accepts(const Table &table, uint32_t row) const {
  bool null = table.isNull(row, column);
  if (text.empty()) {
    bool absent = null || (kind == ColumnKind::Text &&
                           table.getText(row, column).empty());
    return absent == (relation == Relation::Equal);
  }
  if (null)
    return relation == Relation::NotEqual;
  switch (kind) {
  case ColumnKind::Text:
    return relation == Relation::Contains
               ? table.getText(row, column).contains(text)
               : compare(table.getText(row, column), relation, text);
  case ColumnKind::List:
    return compare(table.getList(row, column).vec(), relation, list);
  case ColumnKind::Decimal:
    return compare(getDecimal(table, row, column), relation, decimal);
  default:
    return compare(table.getInteger(row, column), relation, number);
  }
}

static llvm::Expected<uint32_t> lookUp(const Table &table,
                                       llvm::StringRef name) {
  if (std::optional<uint32_t> column = table.findColumn(name))
    return *column;
  auto names = llvm::map_range(table.getColumns(),
                               [](const Column &c) { return c.name; });
  return inputError("column '" + name + "'", "does not exist in this report",
                    "Its columns are " + llvm::join(names, ", ") + ".");
}

/// Reads "32", "32x2" or "32 x 2".
static bool readList(llvm::StringRef text, std::vector<int64_t> &list) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  for (llvm::StringRef part : parts)
    if (part.trim().getAsInteger(10, list.emplace_back()))
      return false;
  return true;
}

static llvm::Error readNumber(const Column &column, BoundFilter &bound) {
  std::string where = "filter on '" + column.name + "'";
  if (bound.relation == Relation::Contains)
    return inputError(where, "searches a column of numbers for a text",
                      "Compare it with =, !=, <, <=, > or >=.");
  if (column.kind == ColumnKind::List) {
    if (!readList(bound.text, bound.list))
      return inputError(where, "'" + bound.text + "' is not a list of numbers",
                        "Write it like 32 or 32x2.");
    return llvm::Error::success();
  }
  if (column.kind == ColumnKind::Decimal) {
    if (bound.text.getAsDouble(bound.decimal))
      return inputError(where, "'" + bound.text + "' is not a number",
                        "Write it like 0.25.");
    return llvm::Error::success();
  }
  if (column.kind == ColumnKind::Time) {
    llvm::Expected<int64_t> time = parseTime(bound.text);
    if (!time)
      return time.takeError();
    bound.number = *time;
    return llvm::Error::success();
  }
  if (bound.text.getAsInteger(10, bound.number))
    return inputError(where, "'" + bound.text + "' is not a whole number",
                      "Write it in decimal digits.");
  return llvm::Error::success();
}

static llvm::Expected<BoundFilter> bind(const Table &table,
                                        const Filter &filter) {
  llvm::Expected<uint32_t> column = lookUp(table, filter.column);
  if (!column)
    return column.takeError();
  const Column &info = table.getColumns()[*column];
  BoundFilter bound;
  bound.column = *column;
  bound.kind = info.kind;
  bound.relation = filter.relation;
  bound.text = filter.value;
  if (bound.text.empty()) {
    if (filter.relation != Relation::Equal &&
        filter.relation != Relation::NotEqual)
      return inputError("filter on '" + filter.column + "'",
                        "does not have a value",
                        "Only = and != work without one: they test whether the "
                        "column has a value.");
    return bound;
  }
  if (info.kind != ColumnKind::Text)
    if (llvm::Error error = readNumber(info, bound))
      return error;
  return bound;
}

static llvm::Expected<std::vector<OrderBy>>
bindOrder(const Table &table, llvm::ArrayRef<SortKey> keys) {
  std::vector<OrderBy> order;
  for (const SortKey &key : keys) {
    llvm::Expected<uint32_t> column = lookUp(table, key.column);
    if (!column)
      return column.takeError();
    ColumnKind kind = table.getColumns()[*column].kind;
    bool natural = !isName(kind);
    bool descending = key.direction == SortDirection::Descending ||
                      (key.direction == SortDirection::Natural && natural) ||
                      (key.direction == SortDirection::Reversed && !natural);
    order.push_back({*column, descending});
  }
  llvm::append_range(order, table.defaultOrder);
  return order;
}

template <typename T>
static int order(const T &left, const T &right) {
  return left < right ? -1 : right < left;
}

/// -1, 0 or 1 if row `a` comes before, with or after row `b`.
static int compareRows(const Table &table, const OrderBy &by, uint32_t a,
                       uint32_t b) {
  bool nullA = table.isNull(a, by.column), nullB = table.isNull(b, by.column);
  if (nullA || nullB)
    return int(nullA) - int(nullB);
  int result = 0;
  switch (table.getColumns()[by.column].kind) {
  case ColumnKind::Text:
    result = table.getText(a, by.column).compare(table.getText(b, by.column));
    break;
  case ColumnKind::List:
    result = order(table.getList(a, by.column).vec(),
                   table.getList(b, by.column).vec());
    break;
  case ColumnKind::Decimal:
    result =
        order(getDecimal(table, a, by.column), getDecimal(table, b, by.column));
    break;
  default:
    result =
        order(table.getInteger(a, by.column), table.getInteger(b, by.column));
  }
  return by.descending ? -result : result;
}

llvm::Expected<View> report::applyQuery(const Table &table,
                                        const Query &query) {
  llvm::Expected<std::vector<OrderBy>> order = bindOrder(table, query.sort);
  if (!order)
    return order.takeError();
  std::vector<BoundFilter> filters;
  for (const Filter &filter : query.filters) {
    llvm::Expected<BoundFilter> bound = bind(table, filter);
    if (!bound)
      return bound.takeError();
    filters.push_back(*bound);
  }
  if ((query.top && *query.top == 0) || (query.page && *query.page == 0))
    return inputError(query.top && *query.top == 0 ? "top" : "page",
                      "0 shows nothing", "Count from 1.");

  View view;
  for (uint32_t row = 0; row < table.size(); ++row)
    if (llvm::all_of(filters, [&](const BoundFilter &filter) {
          return filter.accepts(table, row);
        }))
      view.rows.push_back(row);
  view.matched = view.rows.size();

  // The row number breaks ties, so that the order is deterministic and a part
  // of it can be sorted separately.
  auto before = [&](uint32_t a, uint32_t b) {
    for (const OrderBy &by : *order)
      if (int result = compareRows(table, by, a, b))
        return result < 0;
    return a < b;
  };
  uint64_t size = query.top.value_or(query.page ? Query::kPageRows
                                                : uint64_t(view.rows.size()));
  uint64_t skippedPages = query.page.value_or(1) - 1;
  uint64_t begin = view.rows.size();
  if (skippedPages == 0 || size <= begin / skippedPages)
    begin = std::min(begin, skippedPages * size);
  uint64_t end = begin + std::min<uint64_t>(size, view.rows.size() - begin);
  if (end < view.rows.size())
    std::partial_sort(view.rows.begin(), view.rows.begin() + end,
                      view.rows.end(), before);
  else
    llvm::sort(view.rows, before);
  view.rows.resize(end);
  view.rows.erase(view.rows.begin(), view.rows.begin() + begin);
  return view;
}
