//===- TopOps.cpp - Few ops with most of the time -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// So few ops can be looked at one by one.
static constexpr size_t kTop = 3;
static constexpr int64_t kTopPpm = 500000;
/// With fewer ops, some always have most of the time.
static constexpr size_t kLeastOps = 8;

namespace {
/// A report of the ops of jobs, and its columns.
struct OpReport {
  llvm::StringRef report, name, total;
};
struct Op {
  const OpReport *report = nullptr;
  std::string name;
  int64_t timePs = 0;
};
} // namespace

static constexpr OpReport kReports[] = {
    {"aicore_detail", "full_op_name", "total_time"},
    {"gpu_op_info", "op_full_name", "op_total_time"},
    {"cpu_op_info", "op_full_name", "op_total_time"},
};

static Findings find(const AdviseContext &context) {
  std::vector<Op> ops;
  int64_t wholePs = 0;
  for (const OpReport &each : kReports) {
    const Table &table = context.getReport(each.report);
    for (uint32_t row = 0; row != table.size(); ++row) {
      int64_t timePs = getNumber(table, row, each.total).value_or(0);
      ops.push_back({&each, getText(table, row, each.name).str(), timePs});
      addSaturating(wholePs, timePs);
    }
  }
  if (ops.size() < kLeastOps)
    return std::nullopt;
  std::vector<Advice> findings;
  llvm::stable_sort(
      ops, [](const Op &a, const Op &b) { return a.timePs > b.timePs; });
  int64_t topPs = 0;
  for (const Op &op : llvm::ArrayRef(ops).take_front(kTop))
    addSaturating(topPs, op.timePs);
  int64_t ppm = getPpm(topPs, wholePs);
  if (ppm < kTopPpm)
    return findings;
  Advice advice = context.makeAdvice(std::nullopt);
  addCount(advice, "top", kTop);
  addTime(advice, "top_ps", topPs);
  addPpm(advice, "top_ppm", ppm);
  addCount(advice, "all", ops.size());
  for (const Op &op : llvm::ArrayRef(ops).take_front(kTop)) {
    advice.subjects.push_back({op.name, "", op.timePs});
    advice.evidence.push_back(
        {op.report->report, {makeFilter(op.report->name, op.name)}});
  }
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::TopOps() {
  return {"top-ops",
          "few ops have most of the time",
          "at least eight measured ops of a training job",
          "{top} of {all} ops take {top_ps}, {top_ppm} of the time of all",
          "Look at these first: their shapes and formats, and the kernels that "
          "run for them.",
          "sum",
          "the sum of all executions",
          "mlir-prof report {PROFILE} --by=op-detail --top=10",
          find};
}
