//===- Tables.h - Tables in JSON --------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_API_TABLES_H
#define MLIR_PROF_LIB_SERVE_API_TABLES_H

#include "Api.h"
#include "mlir-prof/Report/Table.h"

namespace mlirprof::serve {

/// The rows of a table that are shown.
struct TablePage {
  /// Positions in the table, in order.
  llvm::ArrayRef<uint32_t> rows;
  /// Those that passed the filters, on this page or not.
  uint64_t matched = 0;
  /// The position after which the next page begins; kNone on the last one.
  uint32_t next = trace::kNone;
};

/// Members of an object: name, columns, rows (arrays of cells), matched, total,
/// weight, parents (positions among the rows, or null), next, notes.
void writeTable(llvm::json::OStream &json, llvm::StringRef name,
                const report::Table &table, const TablePage &page);

/// The parameters of tables: filter, sort, limit, offset, after.
std::vector<RouteParameter> getTableParameters();
llvm::Expected<report::Query> parseTableQuery(const Request &request);
/// The page of `rows` that a request asks for.
TablePage choosePage(const Request &request, llvm::ArrayRef<uint32_t> rows);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_API_TABLES_H
