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

/// What the duration of a row is of.
enum class RowTime : uint8_t {
  /// One execution, whose begin the row has, too.
  Execution,
  /// All executions.
  Total,
  /// One of the executions, on average.
  Average,
  /// The executions of one step, on average; no table says how many steps ran.
  Step,
};

/// One of the tables of MindSpore and of Ascend's profiler, by its columns.
struct Layout {
  /// The columns that tell it from others.
  llvm::StringLiteral marks[3];
  llvm::StringLiteral name;
  llvm::StringLiteral type;
  /// Empty where only begins and ends are told.
  llvm::StringLiteral duration;
  json::DecimalUnit unit;
  /// Executions; in a table of types of RowTime::Step the number of ops.
  llvm::StringLiteral count;
  /// In microseconds, as is the end.
  llvm::StringLiteral begin;
  llvm::StringLiteral end;
  llvm::StringLiteral shapes;
  RowTime time;
};

/// The layout of the table with that header, or null.
const Layout *findLayout(const table::Header &header);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_LAYOUTS_H
