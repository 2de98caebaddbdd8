//===- MeasuredOpTypes.cpp - The report of measured op types --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/RollUp.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  OpNames names(input.profile);
  return buildMeasuredRollUp(merged, "kernel", [&](uint32_t op) {
    llvm::StringRef kernel = names.getKernel(op);
    return kernel.empty() ? std::string("(unknown)") : kernel.str();
  });
}

ReportKind report::MeasuredOpTypes() {
  return {"measured-op-type", "measured ops by kernel or HLO opcode",
          Needs::Profile, build};
}
