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

/// How many steps of SQLite's virtual machine a query may take unless it is
/// told otherwise: a minute or two.
inline constexpr uint64_t kMostSqlSteps = 10000000000;

/// Runs one SELECT of SQLite's dialect over the tables of a profile, which
/// docs/querying.md describes, and returns its rows in their order. Columns of
/// integers are Count, or Time where the name ends in "_ps"; of numbers some of
/// which have fractions Decimal; all others are Text.
///
/// Only the tables that the query reads are made, in memory. Nothing can be
/// changed: other statements than SELECT are refused, as are attaching files
/// and loading extensions. Errors tell the position in the text. Fails also
/// when the query reads `events` and none were kept, or `matches` without a
/// module, and when it takes more than `maxSteps` steps or 1 GiB.
llvm::Expected<Report> runSql(const ReportInput &input, llvm::StringRef query,
                              uint64_t maxSteps = kMostSqlSteps);

/// The tables and their columns, as a report.
Report listSqlTables();

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_SQL_H
