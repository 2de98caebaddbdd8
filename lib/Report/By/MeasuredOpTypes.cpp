//===- MeasuredOpTypes.cpp - The report of measured op types --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/RollUp.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  OpNames names(input.profile);
  return buildMeasuredRollUp(merged, "kernel", [&](uint32_t op) {
    llvm::StringRef type = names.getKernel(op);
    // On the host, calls of a framework do not have kernels.
    if (type.empty())
      type = getKeyTraits(input.profile.opKeys[op]).opType;
    return type.empty() ? std::string("(unknown)") : type.str();
  });
}

ReportKind report::MeasuredOpTypes() {
  return {"measured-op-type",
          "measured ops by kernel or HLO opcode, or else by name of the call",
          Needs::Profile, build};
}
