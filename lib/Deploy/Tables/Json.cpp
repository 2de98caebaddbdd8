//===- Json.cpp - Sizes of packages as JSON -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/JSON.h"
#include "Tables.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

/// "schema": "mlir-prof.packages/1".
static void write(llvm::ArrayRef<SizeRow> rows, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", "mlir-prof.packages/1");
    json.attributeArray("rows", [&] {
      for (const SizeRow &row : rows)
        json.object([&] {
          json.attribute("target", row.target);
          json.attribute("container", row.container);
          for (const SizeColumn &column : getSizeColumns())
            json.attribute(column.name, int64_t(column.get(row)));
        });
    });
  });
  os << '\n';
}

SizeTable table::Json() { return {"json", "a JSON document", write}; }
