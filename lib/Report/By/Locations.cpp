//===- Locations.cpp - The report of locations ----------------------------===//
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
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  return buildFlatRollUp(
      input, merged, selection, "location", [](const MlirOp &op) {
        llvm::StringRef place = getPlace(op);
        return place.empty() ? std::string("(unknown)") : place.str();
      });
}

ReportKind report::Locations() {
  return {"location", "ops of the module by the name in their location",
          Needs::Ownership, build};
}
