//===- CpuOpInfos.cpp - The report of ops of the host ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../OpInfoTable.h"
#include "Reports.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  return makeOpInfoTable(input.profile, OpSide::Host);
}

ReportKind report::CpuOpInfos() {
  return {"cpu_op_info", "ops of a job on the host", Needs::Profile, build};
}
