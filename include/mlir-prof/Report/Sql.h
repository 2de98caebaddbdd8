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

/// Runs one SELECT of SQLite's dialect over the tables of a profile, which
/// docs/querying.md describes, and returns its rows in their order. Integer
/// columns are Count, or Time if the name ends in "_ps"; columns of numbers
/// with fractions are Decimal; all others are Text.
///
/// Only the tables that the query reads are built, in memory. Nothing can be
/// changed: statements other than SELECT are rejected, as are attaching files
/// and loading extensions. Errors state the position in the text. Also fails if
/// the query reads `events` and none were kept, or `matches` without a module,
/// and if it takes more than `maxSteps` steps or 1 GiB.
llvm::Expected<Report> runSql(const ReportInput &input, llvm::StringRef query,
                              uint64_t maxSteps = kMostSqlSteps);

/// The tables and their columns, as a report.
Report listSqlTables();

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_SQL_H
