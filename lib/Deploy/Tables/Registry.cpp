//===- Registry.cpp - All forms and columns of size tables ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

llvm::ArrayRef<SizeTable> deploy::getSizeTables() {
  static const SizeTable tables[] = {
#define MLIRPROF_SIZE_TABLE(NAME) table::NAME(),
#include "Tables.def"
  };
  return tables;
}

llvm::ArrayRef<SizeColumn> deploy::getSizeColumns() {
  static constexpr SizeColumn columns[] = {
      {"code", "code_bytes", [](const SizeRow &row) { return row.sizes.code; }},
      {"constants", "constant_bytes",
       [](const SizeRow &row) { return row.sizes.constants; }},
      {"variables", "variable_bytes",
       [](const SizeRow &row) { return row.sizes.variables; }},
      {"arena", "arena_bytes",
       [](const SizeRow &row) { return row.arenaBytes; }},
      {"state", "state_bytes",
       [](const SizeRow &row) { return row.stateBytes; }},
      {"file", "file_bytes", [](const SizeRow &row) { return row.fileBytes; }},
  };
  return columns;
}
