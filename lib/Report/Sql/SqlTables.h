//===- SqlTables.h - The tables of a profile --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_SQL_SQLTABLES_H
#define MLIR_PROF_LIB_REPORT_SQL_SQLTABLES_H

#include "mlir-prof/Report/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::report::sql {

struct SqlColumn {
  const char *name;
  /// "INTEGER" or "TEXT".
  const char *type;
  const char *meaning;
};

/// Receives a row, with one cell per column; false stops.
using AddRow = llvm::function_ref<bool(llvm::ArrayRef<Cell>)>;

struct SqlTable {
  const char *name;
  const char *meaning;
  llvm::ArrayRef<SqlColumn> columns;
  void (*fill)(const ReportInput &input, AddRow add);
  /// The data that the profile lacks for it; "" if nothing is missing.
  llvm::StringRef (*findMissing)(const ReportInput &input);
  /// Whether its rows are single events.
  bool usesEvents = false;
};

inline constexpr const char *kInteger = "INTEGER";
inline constexpr const char *kText = "TEXT";

inline llvm::StringRef nothingMissing(const ReportInput &) { return ""; }
/// For tables of recordings by mlir-prof.
llvm::StringRef findMissingProgram(const ReportInput &input);

/// All tables, by name. To add one, add an entry here.
llvm::ArrayRef<SqlTable> getSqlTables();

// Tables of the programs of a recording by mlir-prof (ProgramTables.cpp,
// Passes.cpp).
SqlTable makeInstanceOrigins();
SqlTable makeInstances();
SqlTable makeInstructions();
SqlTable makeLevels();
SqlTable makeNodeOrigins();
SqlTable makeNodes();
SqlTable makePasses();
// Contents of reports (ReportTables.cpp).
SqlTable makeLoops();
SqlTable makeObservedValues();
SqlTable makeRoofline();
SqlTable makeThreadClasses();

} // namespace mlirprof::report::sql

#endif // MLIR_PROF_LIB_REPORT_SQL_SQLTABLES_H
