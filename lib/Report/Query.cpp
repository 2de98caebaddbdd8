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
/// One value of a filter, parsed as its column requires.
struct BoundValue {
  llvm::StringRef text;
  int64_t number = 0;
  double decimal = 0;
  std::vector<int64_t> list;
};

/// A filter bound to its column.
struct BoundFilter {
  uint32_t column = 0;
  ColumnKind kind = ColumnKind::Text;
  /// Never NotEqual or NotContains, which `isNegated` stands for.
  Relation relation = Relation::Equal;
  bool isNegated = false;
  TextCase textCase = TextCase::Distinct;
  std::vector<BoundValue> values;

  bool accepts(const Table &table, uint32_t row) const;

private:
  bool fits(const Table &table, uint32_t row, const BoundValue &value) const;
};
} // namespace

template <typename T>
static bool compare(const T &left, Relation relation, const T &right) {
  switch (relation) {
  case Relation::Equal:
    return left == right;
  case Relation::Less:
    return left < right;
  case Relation::LessEqual:
    return left <= right;
  case Relation::Greater:
    return left > right;
  case Relation::GreaterEqual:
    return left >= right;
  case Relation::NotEqual:
  case Relation::Contains:
  case Relation::NotContains:
    break;
  }
  return false;
}

static double getDecimal(const Table &table, uint32_t row, uint32_t column) {
  double value = 0;
  table.getText(row, column).getAsDouble(value);
  return value;
}

bool BoundFilter::fits(const Table &table, uint32_t row,
                       const BoundValue &value) const {
  bool null = table.isNull(row, column);
  if (value.text.empty())
    return null ||
           (kind == ColumnKind::Text && table.getText(row, column).empty());
  if (null)
    return false;
  switch (kind) {
  case ColumnKind::Text:
    if (relation != Relation::Contains)
      return compare(table.getText(row, column), relation, value.text);
    return textCase == TextCase::Ignored
               ? table.getText(row, column).contains_insensitive(value.text)
               : table.getText(row, column).contains(value.text);
  case ColumnKind::List:
    return compare(table.getList(row, column).vec(), relation, value.list);
  case ColumnKind::Decimal:
    return compare(getDecimal(table, row, column), relation, value.decimal);
  default:
    return compare(table.getInteger(row, column), relation, value.number);
  }
}

bool BoundFilter::accepts(const Table &table, uint32_t row) const {
  return isNegated != llvm::any_of(values, [&](const BoundValue &value) {
           return fits(table, row, value);
         });
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

static llvm::Error readNumber(const Column &column, BoundValue &bound) {
  std::string where = "filter on '" + column.name + "'";
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

/// Checks that the relation fits the values and the column.
static llvm::Error check(const Filter &filter, const Column &column) {
  std::string where = "filter on '" + column.name + "'";
  bool isEquality = filter.relation == Relation::Equal ||
                    filter.relation == Relation::NotEqual;
  bool isSearch = filter.relation == Relation::Contains ||
                  filter.relation == Relation::NotContains;
  if (filter.values.empty() ||
      (!isEquality && llvm::is_contained(filter.values, "")))
    return inputError(where, "does not have a value",
                      "Only = and != work without one: they test whether the "
                      "column has a value.");
  if (isSearch && column.kind != ColumnKind::Text)
    return inputError(where, "searches a column of numbers for a text",
                      "Compare it with =, !=, <, <=, > or >=.");
  if (!isEquality && !isSearch && filter.values.size() != 1)
    return inputError(where, "compares the order with several values",
                      "Only =, !=, ~, !~, ~~ and !~~ take several.");
  return llvm::Error::success();
}

static llvm::Expected<BoundFilter> bind(const Table &table,
                                        const Filter &filter) {
  llvm::Expected<uint32_t> column = lookUp(table, filter.column);
  if (!column)
    return column.takeError();
  const Column &info = table.getColumns()[*column];
  if (llvm::Error error = check(filter, info))
    return error;
  BoundFilter bound;
  bound.column = *column;
  bound.kind = info.kind;
  bound.isNegated = filter.relation == Relation::NotEqual ||
                    filter.relation == Relation::NotContains;
  bound.relation = filter.relation == Relation::NotEqual ? Relation::Equal
                   : filter.relation == Relation::NotContains
                       ? Relation::Contains
                       : filter.relation;
  bound.textCase = filter.textCase;
  for (const std::string &text : filter.values) {
    BoundValue &value = bound.values.emplace_back();
    value.text = text;
    if (info.kind != ColumnKind::Text && !text.empty())
      if (llvm::Error error = readNumber(info, value))
        return error;
  }
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

/// Checks that the limits of `query` make sense for a table of `size` rows.
static llvm::Error checkLimits(const Query &query, uint32_t size) {
  if ((query.top && *query.top == 0) || (query.page && *query.page == 0))
    return inputError(query.top && *query.top == 0 ? "top" : "page",
                      "0 shows nothing", "Count from 1.");
  if (query.page.has_value() + query.offset.has_value() +
          query.after.has_value() >
      1)
    return inputError("page, offset, after", "exclude each other",
                      "Choose one of them.");
  if (query.after && *query.after >= size)
    return inputError("after",
                      "row " + std::to_string(*query.after) +
                          " does not exist: the table has " +
                          std::to_string(size),
                      "Use the number that the page before names.");
  return llvm::Error::success();
}

/// The positions in `rows` of the first row to show and of that after the last.
static std::pair<uint64_t, uint64_t> getBounds(const Query &query,
                                               uint64_t rows) {
  bool isPaged = query.page || query.offset || query.after;
  uint64_t size = query.top.value_or(isPaged ? Query::kPageRows : rows);
  uint64_t skippedPages = query.page.value_or(1) - 1;
  uint64_t begin = std::min(rows, query.offset.value_or(0));
  if (skippedPages)
    begin = size <= rows / skippedPages ? skippedPages * size : rows;
  return {begin, begin + std::min<uint64_t>(size, rows - begin)};
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
    filters.push_back(std::move(*bound));
  }
  if (llvm::Error error = checkLimits(query, table.size()))
    return error;

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
  if (query.after)
    llvm::erase_if(view.rows,
                   [&](uint32_t row) { return !before(*query.after, row); });
  auto [begin, end] = getBounds(query, view.rows.size());
  bool isLast = end == view.rows.size();
  if (isLast)
    llvm::sort(view.rows, before);
  else
    std::partial_sort(view.rows.begin(), view.rows.begin() + end,
                      view.rows.end(), before);
  view.rows.resize(end);
  view.rows.erase(view.rows.begin(), view.rows.begin() + begin);
  if (!isLast && !view.rows.empty())
    view.next = view.rows.back();
  return view;
}
