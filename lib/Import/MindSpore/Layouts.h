//===- Layouts.h - The columns of MindSpore's tables ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_LAYOUTS_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_LAYOUTS_H

#include "../Common/Json/Decimal.h"
#include "../Common/Table/Csv.h"

namespace mlirprof::importer::mindspore {

/// The executions that the duration of a row covers.
enum class RowTime : uint8_t {
  /// One execution, whose begin is also in the row.
  Execution,
  /// All executions.
  Total,
  /// One execution, on average.
  Average,
  /// The executions of one step, on average; tables do not contain the number
  /// of steps.
  Step,
};

/// One of the tables of MindSpore and of Ascend's profiler, by its columns.
struct Layout {
  /// The columns that identify it.
  llvm::StringLiteral marks[3];
  llvm::StringLiteral name;
  llvm::StringLiteral type;
  /// Empty if the table contains only begins and ends.
  llvm::StringLiteral duration;
  json::DecimalUnit unit;
  /// Number of executions; in a table of types with RowTime::Step, the number
  /// of ops.
  llvm::StringLiteral count;
  /// In microseconds, like the end.
  llvm::StringLiteral begin;
  llvm::StringLiteral end;
  llvm::StringLiteral shapes;
  RowTime time;
};

/// The layout of the table with that header, or null.
const Layout *findLayout(const table::Header &header);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_LAYOUTS_H
