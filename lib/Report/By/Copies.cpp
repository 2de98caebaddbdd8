//===- Copies.cpp - The report of copies by devices ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {
struct CopyRow {
  uint64_t count = 0;
  int64_t timePs = 0;
  int64_t bytes = 0;
};
} // namespace

/// Bytes a second; none without a time.
static Cell getRate(int64_t bytes, int64_t timePs) {
  constexpr double kPsPerSecond = 1e12;
  if (timePs <= 0)
    return {};
  double rate = double(bytes) * kPsPerSecond / double(timePs);
  return int64_t(std::min(rate, 9e18));
}

/// The peak of the link or memory that a direction uses.
static llvm::StringRef getPeakName(DeviceWork work) {
  switch (work) {
  case DeviceWork::CopyToDevice:
    return "to device";
  case DeviceWork::CopyToHost:
    return "to host";
  default:
    return "";
  }
}

/// The largest that a run of the profile has; 0 if none has any.
static uint64_t findPeak(const Profile &profile, llvm::StringRef name) {
  uint64_t largest = 0;
  for (const Run &run : profile.runs)
    for (const DeviceInfo &device : run.devices)
      for (const DevicePeak &peak : device.peaks)
        if (!name.empty() && peak.name == name)
          largest = std::max(largest, peak.perSecond);
  return largest;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  Table table({{"work", "work", ColumnKind::Text},
               {"kernel", "kind", ColumnKind::Text},
               {"count", "count", ColumnKind::Count},
               {"bytes", "bytes", ColumnKind::Count},
               {"time_ps", "time", ColumnKind::Time},
               {"bytes_per_second", "rate", ColumnKind::Rate},
               {"peak_ppm", "of peak", ColumnKind::Share}});
  table.defaultOrder = {{4, true}, {0, false}, {1, false}};
  table.weightColumn = 4;
  std::map<std::pair<DeviceWork, llvm::StringRef>, CopyRow> rows;
  for (const OpSummary &op : merged) {
    const OpKey &key = input.profile.opKeys[op.op];
    bool moves = isCopy(key.work) || key.work == DeviceWork::SetMemory;
    if (op.measurements.empty() || !moves)
      continue;
    CopyRow &row = rows[{key.work, key.kernel}];
    addSaturating(row.count, op.getCount());
    addSaturating(row.timePs, op.getTimePs());
    addSaturating(row.bytes, op.getSum(Quantity::Bytes));
  }
  for (const auto &[key, row] : rows) {
    Cell rate = getRate(row.bytes, row.timePs);
    uint64_t peak = findPeak(input.profile, getPeakName(key.first));
    bool isKnown = peak != 0 && rate.getKind() == Cell::Kind::Integer;
    table.addRow(
        {toString(key.first), key.second, row.count, row.bytes, row.timePs,
         rate,
         isKnown ? Cell(int64_t(1e6 * double(rate.getInteger()) / double(peak)))
                 : Cell()});
    addSaturating(table.weightTotal, row.timePs);
  }
  return table;
}

ReportKind report::Copies() {
  return {"copy",
          "copies and settings of memory by devices, by direction: bytes, "
          "rates, and how close they are to the measured peak",
          Needs::Profile, build};
}
