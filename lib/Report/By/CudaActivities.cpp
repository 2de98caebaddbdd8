//===- CudaActivities.cpp - The report of kernels of jobs -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JobOps.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// The events of a kernel on its stream; none if the recording has sums only.
static std::optional<Summary> findEvents(const Profile &profile,
                                         const JobRun &where,
                                         const KernelFacts &kernel) {
  std::string stream = kernel.stream == kNone
                           ? std::string("stream ")
                           : "stream " + std::to_string(kernel.stream);
  std::optional<Summary> found;
  for (const EventSummary &event : where.run->events) {
    if (event.track >= where.run->tracks.size() ||
        event.name >= profile.strings.size() ||
        profile.strings[event.name] != where.job->getName(kernel.kernel))
      continue;
    // "stream 8 (2)" is a lane for work that overlaps.
    llvm::StringRef track = where.run->tracks[event.track].name;
    if (!track.consume_front(stream) ||
        !(track.empty() || track.starts_with(" (")))
      continue;
    if (!found)
      found.emplace();
    found->merge(event.total);
  }
  return found;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {
      {"name", "kernel", ColumnKind::Text},
      {"type", "type", ColumnKind::Text},
      {"op_full_name", "op", ColumnKind::Text},
      {"stream_id", "stream", ColumnKind::Number},
      {"block_dim", "block", ColumnKind::Text},
      {"grid_dim", "grid", ColumnKind::Text},
      {"occurrences", "executions", ColumnKind::Count},
      {"total_duration_ps", "total", ColumnKind::Time},
      {"avg_duration_ps", "average", ColumnKind::Time, ColumnUse::Data,
       Total::None},
      {"max_duration_ps", "max", ColumnKind::Time, ColumnUse::Data,
       Total::Most},
      {"min_duration_ps", "min", ColumnKind::Time, ColumnUse::Data,
       Total::Least}};
  addJobColumns(columns, input.profile);
  Table table(columns);
  table.defaultOrder = {{7, true}, {0, false}, {12, false}};
  table.weightColumn = 7;
  for (const JobRun &where : getJobRuns(input.profile))
    for (const KernelFacts &kernel : where.job->kernels) {
      auto getName = [&](uint32_t name) {
        return name == kNone ? Cell() : Cell(where.job->getName(name));
      };
      std::optional<Summary> events = findEvents(input.profile, where, kernel);
      llvm::SmallVector<Cell> cells = {
          getName(kernel.kernel),
          getName(kernel.type),
          getName(kernel.op),
          kernel.stream == kNone ? Cell() : Cell(kernel.stream),
          getName(kernel.block),
          getName(kernel.grid),
          kernel.count,
          kernel.totalPs,
          getAverage(kernel.totalPs, kernel.count),
          events ? Cell(events->max) : Cell(),
          events ? Cell(events->min) : Cell()};
      addJobCells(cells, where);
      table.addRow(cells);
      addSaturating(table.weightTotal, kernel.totalPs);
    }
  return table;
}

ReportKind report::CudaActivities() {
  return {"gpu_cuda_activity",
          "kernels of a job on GPUs, with their launches and durations",
          Needs::Profile, build};
}
