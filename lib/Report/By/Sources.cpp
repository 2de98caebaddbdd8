//===- Sources.cpp - The report of source lines ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RollUp.h"
#include "Reports.h"

using namespace mlirprof;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  return buildFlatRollUp(
      input, merged, selection, "source", [](const MlirOp &op) {
        return op.file.empty() ? std::string("(unknown)")
                               : op.file + ":" + std::to_string(op.line);
      });
}

ReportKind report::Sources() {
  return {"source", "ops of the module by file and line of the user's program",
          Needs::Ownership, build};
}
