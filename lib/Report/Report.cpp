//===- Report.cpp - Reports -----------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Report.h"
#include "By/Reports.h"
#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/FindNamed.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

llvm::ArrayRef<ReportKind> report::getReports() {
  static const ReportKind kinds[] = {
#define MLIRPROF_REPORT(NAME) report::NAME(),
#include "By/Reports.def"
  };
  return kinds;
}

llvm::Expected<const ReportKind *> report::findReport(llvm::StringRef name) {
  return findNamed(getReports(), "report", name);
}

/// Whether all indices of `match` are valid.
static bool isGood(const Match &match, size_t ops) {
  return llvm::all_of(match.ops, [&](uint32_t op) { return op < ops; });
}

llvm::Error report::checkInput(const ReportInput &input) {
  const Ownership *ownership = input.ownership;
  if (!ownership && !input.attribution)
    return llvm::Error::success();
  size_t ops = ownership ? ownership->ops.size() : 0;
  if (!ownership || !input.attribution ||
      ownership->matches.size() != input.profile.opKeys.size() ||
      input.attribution->ops.size() != ops ||
      (!ownership->numbers.empty() && ownership->numbers.size() != ops) ||
      !llvm::all_of(ownership->matches,
                    [&](const Match &match) { return isGood(match, ops); }))
    return inputError("ownership", "does not belong to this profile",
                      "Match the profile with the module again.");
  return llvm::Error::success();
}

static bool isSaturated(const OpSummary &op) {
  return llvm::any_of(op.measurements, [](const Measurement &measurement) {
    return measurement.summary.saturated;
  });
}

/// Adds sums over runs, and over ops, that overflow 64 bits; overflow within
/// runs is among their losses.
static void addSaturated(const Profile &profile,
                         llvm::ArrayRef<OpSummary> merged,
                         std::vector<Loss> &losses) {
  std::vector<bool> wasSaturated(merged.size());
  for (const Run &run : profile.runs)
    for (const OpSummary &op : run.ops)
      if (op.op < merged.size() && isSaturated(op))
        wasSaturated[op.op] = true;
  uint64_t ops = 0;
  __int128 all = 0;
  for (const auto &[index, op] : llvm::enumerate(merged)) {
    ops += isSaturated(op) && !wasSaturated[index];
    all += op.getTimePs();
  }
  if (ops)
    losses.push_back({"ops whose times in all runs exceed 64 bits", ops, 0});
  if (all > std::numeric_limits<int64_t>::max())
    losses.push_back({"op times whose sum exceeds 64 bits: totals and shares "
                      "of the whole are too small or too large",
                      1, 0});
}

static std::vector<Loss> collectLosses(const Profile &profile,
                                       llvm::ArrayRef<OpSummary> merged) {
  std::vector<Loss> losses;
  llvm::StringMap<size_t> positions;
  for (const Run &run : profile.runs)
    for (const Loss &loss : run.losses) {
      auto [it, inserted] = positions.try_emplace(loss.name, losses.size());
      if (inserted)
        losses.push_back({loss.name, 0, 0});
      addSaturating(losses[it->second].count, loss.count);
      addSaturating(losses[it->second].timePs, loss.timePs);
    }
  addSaturated(profile, merged, losses);
  llvm::sort(losses, [](const Loss &a, const Loss &b) {
    return std::tie(b.timePs, b.count, a.name) <
           std::tie(a.timePs, a.count, b.name);
  });
  return losses;
}

/// Without the host's times, if those of ops of the module are devices'.
static std::vector<OpSummary> getDeviceTimes(const Profile &profile,
                                             std::vector<OpSummary> merged) {
  for (OpSummary &op : merged)
    if (profile.opKeys[op.op].work == DeviceWork::None)
      op.measurements.clear();
  return merged;
}

/// Rates are a number by a time.
static llvm::Error useUnit(Report &report) {
  if (report.unit.empty())
    return llvm::Error::success();
  if (llvm::any_of(report.table.getColumns(), [](const Column &column) {
        return column.kind == ColumnKind::Rate;
      }))
    return inputError("report '" + report.by + "'",
                      "needs times, and the profile counts " + report.unit);
  report.table.setUnit(report.unit);
  return llvm::Error::success();
}

llvm::Expected<Report> report::buildReport(const ReportInput &input,
                                           const ReportKind &kind,
                                           const Query &query,
                                           RowSelection selection) {
  if (kind.needs == Needs::Ownership && !input.ownership)
    return inputError(
        "report '" + kind.name + "'",
        "needs the measured module, which the profile does not contain",
        "Name it with --model=FILE, or use --by=measured-op.");
  if (kind.needs == Needs::Program && input.profile.programs.empty())
    return inputError(
        "report '" + kind.name + "'",
        "needs a recording by mlir-prof, which the profile does not contain",
        "Run the model with mlir-prof record.");
  if (kind.usesEvents && leavesOutEvents(input.profile))
    return inputError("report '" + kind.name + "'",
                      "needs single events, which were left out when the "
                      "profile was read");
  if (llvm::Error error = checkInput(input))
    return error;
  auto unit = getCountedUnit(input.profile);
  if (!unit)
    return unit.takeError();
  Report report;
  report.by = kind.name.str();
  report.unit = std::move(*unit);
  report.runs = getRunHeaders(input.profile);
  std::vector<OpSummary> merged = mergeRuns(input.profile);
  report.losses = collectLosses(input.profile, merged);
  if (kind.needs == Needs::Ownership && input.attribution->isOfDevices)
    merged = getDeviceTimes(input.profile, std::move(merged));
  report.table = kind.build(input, std::move(merged), selection);
  if (llvm::Error error = useUnit(report))
    return std::move(error);
  Query shown = query;
  if (!query.group.empty()) {
    Query passing;
    std::swap(passing.filters, shown.filters);
    llvm::Expected<View> rows = applyQuery(report.table, passing);
    if (!rows)
      return rows.takeError();
    llvm::Expected<Table> grouped =
        groupRows(report.table, rows->rows, query.group);
    if (!grouped)
      return grouped.takeError();
    report.table = std::move(*grouped);
    report.group = query.group;
  }
  llvm::Expected<View> view = applyQuery(report.table, shown);
  if (!view)
    return view.takeError();
  report.view = std::move(*view);
  if (input.attribution) {
    report.coverage = input.attribution->coverage;
    if (input.attribution->isOfDevices)
      report.hostCoverage = input.attribution->host;
    report.unmatched = input.attribution->unmatched;
  }
  return report;
}
