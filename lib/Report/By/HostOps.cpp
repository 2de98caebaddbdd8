//===- HostOps.cpp - The report of ops of the host ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JobOps.h"
#include "Reports.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// The op keys that devices of jobs ran, whose keys do not say so.
static std::vector<bool> findDeviceOps(const Profile &profile) {
  std::vector<bool> found(profile.opKeys.size());
  for (OpSide side : {OpSide::AiCore, OpSide::Gpu})
    for (const JobOp &op : getJobOps(profile, side))
      found[op.times->op] = true;
  return found;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  Table table(
      {{"op", "op", ColumnKind::Text},
       {"type", "type", ColumnKind::Text},
       {"path", "path", ColumnKind::Text},
       {"count", "count", ColumnKind::Count},
       {"average_ps", "average", ColumnKind::Time, ColumnUse::Data,
        Total::None},
       {"min_ps", "min", ColumnKind::Time, ColumnUse::Data, Total::Least},
       {"max_ps", "max", ColumnKind::Time, ColumnUse::Data, Total::Most},
       {"duration_ps", "duration", ColumnKind::Time},
       {"time_ps", "time", ColumnKind::Time}});
  table.defaultOrder = {{8, true}, {2, false}, {0, false}, {1, false}};
  table.weightColumn = 8;
  std::vector<bool> isOfDevice = findDeviceOps(input.profile);
  OpNames names(input.profile);
  for (const OpSummary &op : merged) {
    const OpKey &key = input.profile.opKeys[op.op];
    const Summary *execute = op.find(Quantity::Execute);
    if (!execute || !execute->count || key.work != DeviceWork::None ||
        isOfDevice[op.op])
      continue;
    llvm::StringRef type = getKeyTraits(key).opType;
    if (type.empty())
      type = names.getKernel(op.op);
    std::string path = getKeyScope(key);
    table.addRow({key.op, type.empty() ? Cell() : Cell(type),
                  path.empty() ? Cell() : Cell(path), execute->count,
                  getAverage(execute->sum, execute->count), execute->min,
                  execute->max, execute->sum, op.getTimePs()});
    addSaturating(table.weightTotal, op.getTimePs());
  }
  return table;
}

ReportKind report::HostOps() {
  return {"host-op",
          "ops that the host ran, of any recording, with their durations",
          Needs::Profile, build};
}
