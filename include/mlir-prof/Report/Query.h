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
};

/// COLUMN RELATION VALUE, not yet bound to a table.
struct Filter {
  std::string column;
  Relation relation = Relation::Equal;
  std::string value;
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

  static constexpr uint64_t kPageRows = 50;
};

/// The rows of a table that a query selects.
struct View {
  /// Positions in the table, in order.
  std::vector<uint32_t> rows;
  /// Number of rows that passed the filters, on this page or not.
  uint64_t matched = 0;
};

/// Reads a filter: COLUMN=VALUE, or with !=, ~ (contains), <, <=, > or >=.
/// COLUMN is the name in JSON, where "_ps" may be left out. Times accept units
/// (parseTime). `COLUMN=` keeps rows without a value in COLUMN, `COLUMN!=`
/// those with one. Texts compare by bytes, lists ("32x2") by the first element
/// that differs.
llvm::Expected<Filter> parseFilter(llvm::StringRef text);

/// Reads an order: COLUMN[,COLUMN...], each in its natural direction (see
/// SortDirection), reversed by a leading '-', or specified by a trailing ":asc"
/// or ":desc".
llvm::Expected<std::vector<SortKey>> parseSort(llvm::StringRef text);

/// Applies `query` to `table`. Ties keep the table's default order; rows
/// without a value come last. For an unknown column, the error lists the
/// columns.
llvm::Expected<View> applyQuery(const Table &table, const Query &query);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_QUERY_H
