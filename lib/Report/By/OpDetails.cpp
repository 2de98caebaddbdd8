//===- OpDetails.cpp - The report of measured ops in detail -------------===//
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
#include "mlir-prof/Report/RollUp.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;

/// A text that may be absent.
static Cell orNull(llvm::StringRef text) {
  return text.empty() ? Cell() : Cell(text);
}

static llvm::StringRef toString(CallPhase phase) {
  switch (phase) {
  case CallPhase::Forward:
    return "forward";
  case CallPhase::Backward:
    return "backward";
  case CallPhase::Optimizer:
    return "optimizer";
  }
  llvm_unreachable("unknown phase");
}

/// The sum of a quantity, or null if it was not measured.
static Cell getSumOrNull(const OpSummary &op, Quantity quantity) {
  const Summary *summary = op.find(quantity);
  return summary ? Cell(summary->sum) : Cell();
}

/// The op of the module that owns a measured op alone, or null.
static const MlirOp *findOwner(const ReportInput &input, uint32_t op) {
  if (!input.ownership)
    return nullptr;
  const Match &match = input.ownership->matches[op];
  return match.ops.size() == 1 ? &input.ownership->ops[match.ops.front()]
                               : nullptr;
}

/// The units that ran the ops of jobs, by op key; of others in recordings of
/// devices, only the host is known.
static std::vector<Processor> getProcessors(const Profile &profile) {
  std::vector<Processor> processors(profile.opKeys.size());
  if (profile.hasDeviceWork())
    for (auto [processor, key] : llvm::zip_equal(processors, profile.opKeys))
      if (key.work == DeviceWork::None)
        processor = Processor::Host;
  for (OpSide side : {OpSide::AiCore, OpSide::Gpu, OpSide::Host})
    for (const JobOp &op : getJobOps(profile, side))
      processors[op.times->op] = op.getProcessor();
  return processors;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  std::vector<Column> columns = {
      {"op", "op", ColumnKind::Text},
      {"type", "type", ColumnKind::Text},
      {"path", "path", ColumnKind::Text},
      {"phase", "phase", ColumnKind::Text},
      {"shapes", "shapes", ColumnKind::Text},
      {"count", "count", ColumnKind::Count},
      {"average_ps", "average", ColumnKind::Time, ColumnUse::Data, Total::None},
      {"min_ps", "min", ColumnKind::Time, ColumnUse::Data, Total::Least},
      {"max_ps", "max", ColumnKind::Time, ColumnUse::Data, Total::Most},
      {"duration_ps", "duration", ColumnKind::Time},
      {"time_ps", "time", ColumnKind::Time},
      {"share_ppm", "share", ColumnKind::Share, ColumnUse::DataOnly},
      {"bytes", "bytes", ColumnKind::Count},
      {"flops", "flops", ColumnKind::Count},
      {"mlir_op", "MLIR op", ColumnKind::Text},
      {"processor", "processor", ColumnKind::Text}};
  Table table(std::move(columns));
  table.defaultOrder = {{10, true}, {2, false}, {0, false}, {1, false}};
  table.weightColumn = 10;
  table.weightTotal = getOpTimePs(merged);
  OpNames names(input.profile);
  std::vector<Processor> processors = getProcessors(input.profile);
  for (const OpSummary &op : merged) {
    if (op.measurements.empty() && selection == RowSelection::Measured)
      continue;
    const OpKey &key = input.profile.opKeys[op.op];
    KeyTraits traits = getKeyTraits(key);
    const Summary *execute = op.find(Quantity::Execute);
    bool isTimed = execute && execute->count;
    std::string path = getKeyScope(key);
    if (path.empty())
      path = traits.graphNode.str();
    std::string shapes = traits.hasShapes() ? traits.shapes->print() : "";
    llvm::StringRef type =
        traits.opType.empty() ? names.getKernel(op.op) : traits.opType;
    const MlirOp *owner = findOwner(input, op.op);
    table.addRow(
        {key.op, orNull(type), orNull(path),
         traits.isCall ? Cell(toString(traits.phase)) : Cell(), orNull(shapes),
         op.getCount(),
         isTimed ? Cell(execute->sum / int64_t(execute->count)) : Cell(),
         isTimed ? Cell(execute->min) : Cell(),
         isTimed ? Cell(execute->max) : Cell(),
         getSumOrNull(op, Quantity::Execute), op.getTimePs(),
         toPpm(op.getTimePs(), table.weightTotal),
         getSumOrNull(op, Quantity::Bytes), getSumOrNull(op, Quantity::Flops),
         owner ? Cell(describeOp(*owner)) : Cell(),
         getProcessorCell(processors[op.op])});
  }
  return table;
}

ReportKind report::OpDetails() {
  return {
      "op-detail",
      "measured ops with type, place, shapes, and average, least and largest "
      "duration",
      Needs::Profile, build};
}
