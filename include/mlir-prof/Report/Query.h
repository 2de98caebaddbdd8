//===- Query.h - Sorting, filtering and paging of tables --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_QUERY_H
#define MLIR_PROF_REPORT_QUERY_H

#include "mlir-prof/Report/Table.h"
#include "llvm/Support/Error.h"

namespace mlirprof::report {

enum class Relation : uint8_t {
  Equal,
  NotEqual,
  Contains,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  NotContains,
};

enum class TextCase : uint8_t { Distinct, Ignored };

/// COLUMN RELATION VALUE[|VALUE...], not yet bound to a table. Equal and
/// Contains accept a row if one of the values fits, NotEqual and NotContains if
/// none does; all others take one value.
struct Filter {
  std::string column;
  Relation relation = Relation::Equal;
  /// Not empty. An empty value stands for rows without a value.
  std::vector<std::string> values;
  /// For Contains and NotContains; ignored is the case of ASCII letters.
  TextCase textCase = TextCase::Distinct;
};

enum class SortDirection : uint8_t {
  /// Largest counts and times first, texts and ids ascending.
  Natural,
  Reversed,
  Ascending,
  Descending,
};

/// One column of an order, not yet bound to a table.
struct SortKey {
  std::string column;
  SortDirection direction = SortDirection::Natural;
};

/// Which rows of a table to show, and in which order.
struct Query {
  /// A row must pass all of them.
  std::vector<Filter> filters;
  /// Empty for the table's default order.
  std::vector<SortKey> sort;
  /// Limit on the number of rows.
  std::optional<uint64_t> top;
  /// Page number from 1, with pages of `top` or else kPageRows rows.
  std::optional<uint64_t> page;
  /// Number of rows to leave out at the begin. Excludes `page`.
  std::optional<uint64_t> offset;
  /// The position in the table of a row that the rows shown follow in the
  /// order, as View::next of the page before. Excludes `page` and `offset`.
  std::optional<uint32_t> after;
  /// Columns by which the rows that pass are added up (groupRows); empty for
  /// the rows themselves. Only reports (buildReport) group.
  std::vector<std::string> group;

  static constexpr uint64_t kPageRows = 50;
};

/// The rows of a table that a query selects.
struct View {
  /// Positions in the table, in order.
  std::vector<uint32_t> rows;
  /// Number of rows that passed the filters, on this page or not.
  uint64_t matched = 0;
  /// The last of `rows` if others follow it.
  std::optional<uint32_t> next;
};

/// Reads a filter: COLUMN=VALUE, or with !=, ~ (contains), !~, ~~ and !~~ (the
/// same, ignoring case), <, <=, > or >=. COLUMN is the name in JSON, where the
/// unit "_ps" or "_ppm" may be left out. `COLUMN=A|B` keeps rows with one of
/// the values, `COLUMN!=A|B` those with none of them; "\|" is the character
/// itself. Times accept units (parseTime). `COLUMN=` keeps rows without a value
/// in COLUMN, `COLUMN!=` those with one. Texts compare by bytes, lists ("32x2")
/// by the first element that differs.
llvm::Expected<Filter> parseFilter(llvm::StringRef text);

/// Reads an order: COLUMN[,COLUMN...], each in its natural direction (see
/// SortDirection), reversed by a leading '-', or specified by a trailing ":asc"
/// or ":desc".
llvm::Expected<std::vector<SortKey>> parseSort(llvm::StringRef text);

/// Applies `query` to `table`. Ties keep the table's default order; rows
/// without a value come last. For an unknown column, the error lists the
/// columns. Ignores Query::group.
llvm::Expected<View> applyQuery(const Table &table, const Query &query);

/// Adds up `rows` of `table` that have the same cells in the columns `names`.
/// The result has these columns, "rows" (how many were added up), and the other
/// amounts by Column::total; columns that do not add up are left out. Ordered
/// by the weight or else the first amount.
llvm::Expected<Table> groupRows(const Table &table,
                                llvm::ArrayRef<uint32_t> rows,
                                llvm::ArrayRef<std::string> names);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_QUERY_H
