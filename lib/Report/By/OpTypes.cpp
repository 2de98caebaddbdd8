//===- OpTypes.cpp - The report of op types of the module -----------------===//
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
  // Without a module, only the producer's types exist.
  if (!input.ownership)
    return report::MeasuredOpTypes().build(input, merged, selection);
  return buildFlatRollUp(input, merged, selection, "op",
                         [](const MlirOp &op) { return op.op; });
}

ReportKind report::OpTypes() {
  return {"op-type",
          "ops of the module by their name; without a module, as "
          "measured-op-type",
          Needs::Profile, build};
}
