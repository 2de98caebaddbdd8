//===- Table.h - The sizes of packages side by side -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEPLOY_TABLE_H
#define MLIR_PROF_DEPLOY_TABLE_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy {

/// A package.
struct SizeRow {
  std::string target;
  std::string container;
  Sizes sizes;
  /// Memory of a call, without arguments and results.
  uint64_t arenaBytes = 0;
  /// Memory of an instance: its variables.
  uint64_t stateBytes = 0;
  /// The file that a program links or loads.
  uint64_t fileBytes = 0;
};

/// A column of numbers.
struct SizeColumn {
  /// The heading, and the member in JSON.
  llvm::StringRef title, name;
  uint64_t (*get)(const SizeRow &row);
};
llvm::ArrayRef<SizeColumn> getSizeColumns();

/// A form of the table. To add one, add a file in lib/Deploy/Tables and a line
/// in Tables.def there.
struct SizeTable {
  /// The name for --table.
  llvm::StringRef name;
  llvm::StringRef description;
  void (*write)(llvm::ArrayRef<SizeRow> rows, llvm::raw_ostream &os);
};
llvm::ArrayRef<SizeTable> getSizeTables();

} // namespace mlirprof::deploy

#endif // MLIR_PROF_DEPLOY_TABLE_H
