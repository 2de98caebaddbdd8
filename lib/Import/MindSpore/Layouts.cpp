//===- Layouts.cpp - The columns of MindSpore's tables --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layouts.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using json::DecimalUnit;
using llvm::StringLiteral;

static constexpr StringLiteral kAbsent = "", kCount = "execution_frequency";

/// aicore_intermediate_N_{detail,type}.csv, whose headers do not name a unit:
/// parsers up to 2.0 write milliseconds, those from 2.1 on divide Ascend's
/// microseconds by 1000.
static constexpr Layout makeAicore(StringLiteral name, StringLiteral type,
                                   StringLiteral duration, StringLiteral count,
                                   RowTime time) {
  return {{name, duration, count},
          name,
          type,
          duration,
          DecimalUnit::Milliseconds,
          count,
          kAbsent,
          kAbsent,
          kAbsent,
          time};
}

/// aicpu_intermediate_N.csv. Its total_time begins when the op is submitted,
/// and its execution_time, which 1.1 lacks, is rounded down.
static constexpr Layout makeAicpu(StringLiteral name) {
  return {{name, "dispatch_time", "run_end"},
          name,
          kAbsent,
          kAbsent,
          DecimalUnit::Microseconds,
          kAbsent,
          "run_start",
          "run_end",
          kAbsent,
          RowTime::Execution};
}

/// ASCEND_PROFILER_OUTPUT/kernel_details.csv
static constexpr Layout kKernelDetails = {
    {"Accelerator Core", "Name", "Duration(us)"},
    "Name",
    "Type",
    "Duration(us)",
    DecimalUnit::Microseconds,
    kAbsent,
    "Start Time(us)",
    kAbsent,
    "Input Shapes",
    RowTime::Execution};

/// ASCEND_PROFILER_OUTPUT/op_statistic.csv
static constexpr Layout kOpStatistic = {
    {"Core Type", "OP Type", "Total Time(us)"},
    "OP Type",
    "Core Type",
    "Total Time(us)",
    DecimalUnit::Microseconds,
    "Count",
    kAbsent,
    kAbsent,
    kAbsent,
    RowTime::Total};

// Tables of ops come before tables of types, and tables with more columns
// before those with a subset.
static constexpr Layout kLayouts[] = {
    kKernelDetails,
    kOpStatistic,
    // After 2.1.
    makeAicpu("kernel_type"),
    makeAicore("full_kernel_name", "task_type", "task_duration", kCount,
               RowTime::Average),
    makeAicore("kernel_type", kAbsent, "total_time", kCount, RowTime::Total),
    // 2.1 has this table, and the type table of 2.0.
    makeAicore("full_op_name", "task_type", "task_duration", kCount,
               RowTime::Average),
    // 2.0
    makeAicpu("op_type"),
    makeAicore("full_op_name", kAbsent, "execution_time", kCount,
               RowTime::Average),
    makeAicore("op_type", kAbsent, "total_time", kCount, RowTime::Total),
    // 0.7 to 1.10
    makeAicore("full_op_name", kAbsent, "execution_time", kAbsent,
               RowTime::Step),
    makeAicore("op_type", kAbsent, "execution_time", kCount, RowTime::Step),
};

const Layout *mindspore::findLayout(const table::Header &header) {
  const auto *it = llvm::find_if(kLayouts, [&](const Layout &layout) {
    return llvm::all_of(layout.marks, [&](StringLiteral mark) {
      return mark.empty() || header.has(mark);
    });
  });
  return it == std::end(kLayouts) ? nullptr : it;
}
