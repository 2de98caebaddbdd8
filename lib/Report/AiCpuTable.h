//===- AiCpuTable.h - Executions by AI CPUs, added up --------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_AICPUTABLE_H
#define MLIR_PROF_LIB_REPORT_AICPUTABLE_H

#include "JobOps.h"

namespace mlirprof::report {

enum class AiCpuGroup : uint8_t { Type, Op };

/// Executions by AI CPUs added up by type or op: op_type or op_name and
/// op_type, total_time_ps, execution_frequency, percent_ppm, the averages
/// avg_execution_time_ps (of the whole, as MindSpore names it),
/// dispatch_time_ps, run_time_ps, compute_time_ps and memcpy_time_ps, device,
/// run.
Table makeAiCpuTable(const profile::Profile &profile, AiCpuGroup group);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_AICPUTABLE_H
