//===- GpuOpTypes.cpp - The report of types of GPU ops --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JobOps.h"
#include "Reports.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  return makeTypeTable(input.profile, getJobOps(input.profile, OpSide::Gpu));
}

ReportKind report::GpuOpTypes() {
  return {"gpu_op_type", "ops of a job on GPUs by type, by device",
          Needs::Profile, build};
}
