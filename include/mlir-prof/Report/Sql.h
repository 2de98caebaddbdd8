//===- Sql.h - SQL over a profile -------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_SQL_H
#define MLIR_PROF_REPORT_SQL_H

#include "mlir-prof/Report/Report.h"

namespace mlirprof::report {

/// Default limit on the steps of SQLite's virtual machine per query: a minute
/// or two.
inline constexpr uint64_t kMostSqlSteps = 10000000000;

/// Limits of a query. The tables that it reads are filled before its steps
/// count; its time includes that.
struct SqlLimits {
  uint64_t steps = kMostSqlSteps;
  /// Wall time in seconds; 0 is any.
  unsigned seconds = 0;
  /// Rows that are returned; others are only counted, in View::matched.
  uint64_t rows = UINT64_MAX;
};

/// Whether `query` reads single events, so that the profile must be opened with
/// them. False if it is not valid.
bool readsEvents(llvm::StringRef query);

/// Runs one SELECT of SQLite's dialect over the tables of a profile, which
/// docs/querying.md describes, and returns its rows in their order. Integer
/// columns are Count, or Time if the name ends in "_ps"; columns of numbers
/// with fractions are Decimal; all others are Text.
///
/// Only the tables that the query reads are built, in memory. Nothing can be
/// changed: statements other than SELECT are rejected, as are attaching files
/// and loading extensions. Errors state the position in the text. Also fails if
/// the query reads `events` and none were kept, or `matches` without a module,
/// and if it takes more than `limits` or 1 GiB.
llvm::Expected<Report> runSql(const ReportInput &input, llvm::StringRef query,
                              const SqlLimits &limits = {});

/// The tables and their columns, as a report.
Report listSqlTables();

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_SQL_H
