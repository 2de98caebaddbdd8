//===- Sources.cpp - The report of source lines ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Report/RollUp.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  KeyParts parts;
  parts.columns = {{"file", "file", ColumnKind::Text, ColumnUse::DataOnly},
                   {"line", "line", ColumnKind::Number, ColumnUse::DataOnly}};
  parts.cells = [&](uint32_t index) -> std::vector<Cell> {
    const MlirOp &op = input.ownership->ops[index];
    if (op.file.empty())
      return {Cell(), Cell()};
    return {op.file, op.line};
  };
  return buildFlatRollUp(
      input, merged, selection, "source",
      [](const MlirOp &op) {
        return op.file.empty() ? std::string("(unknown)")
                               : op.file + ":" + std::to_string(op.line);
      },
      parts);
}

ReportKind report::Sources() {
  return {"source", "ops of the module by file and line of the user's program",
          Needs::Ownership, build};
}
