//===- OpInfoTable.h - Ops of GPUs and hosts in detail -------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_OPINFOTABLE_H
#define MLIR_PROF_LIB_REPORT_OPINFOTABLE_H

#include "JobOps.h"

namespace mlirprof::report {

/// Ops that a GPU or the host ran: op_side, op_type, op_name, op_full_name,
/// op_occurrences, op_total_time_ps, op_avg_time_ps, proportion_ppm,
/// cuda_activity_cost_time_ps and cuda_activity_call_count (of the kernels for
/// it; null without), subgraph, device, run.
Table makeOpInfoTable(const profile::Profile &profile, OpSide side);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_OPINFOTABLE_H
