//===- AiCpuTypes.cpp - The report of AI CPUs by type ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../AiCpuTable.h"
#include "Reports.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  return makeAiCpuTable(input.profile, AiCpuGroup::Type);
}

ReportKind report::AiCpuTypes() {
  return {"aicpu_type", "executions by AI CPUs by type of op, by device",
          Needs::Profile, build};
}
