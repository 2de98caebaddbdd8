//===- MlirOpTypes.cpp - The report of kinds of ops of the module ---------===//
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
  return buildFlatRollUp(input, merged, selection, "op",
                         [](const MlirOp &op) { return op.op; });
}

ReportKind report::MlirOpTypes() {
  return {"mlir-op-type", "ops of the module by their name", Needs::Ownership,
          build};
}
