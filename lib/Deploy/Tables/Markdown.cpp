//===- Markdown.cpp - Sizes of packages as Markdown -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

static void write(llvm::ArrayRef<SizeRow> rows, llvm::raw_ostream &os) {
  os << "| target | container |";
  for (const SizeColumn &column : getSizeColumns())
    os << ' ' << column.title << " [B] |";
  os << "\n|---|---|";
  for (size_t index = 0; index != getSizeColumns().size(); ++index)
    os << "---:|";
  os << '\n';
  for (const SizeRow &row : rows) {
    os << "| " << row.target << " | " << row.container << " |";
    for (const SizeColumn &column : getSizeColumns())
      os << ' ' << column.get(row) << " |";
    os << '\n';
  }
}

SizeTable table::Markdown() { return {"md", "a table of Markdown", write}; }
