//===- Pipelines.cpp - The report of input pipelines ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Stages.h"
#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static std::vector<Column> getColumns(const Profile &profile) {
  std::vector<Column> columns = {
      {"op_id", "#", ColumnKind::Number},
      {"op_type", "stage", ColumnKind::Text},
      {"workers", "workers", ColumnKind::Count},
      {"samples", "samples", ColumnKind::Count},
      {"average_size_ppm", "mean size", ColumnKind::Ratio},
      {"capacity", "capacity", ColumnKind::Count},
      {"use_ppm", "use", ColumnKind::Ratio},
      {"empty", "empty", ColumnKind::Count},
      {"full", "full", ColumnKind::Count},
      {"wait_ps", "wait", ColumnKind::Time},
      {"sample_interval_ps", "interval", ColumnKind::Time, ColumnUse::DataOnly,
       Total::None},
      {"parent", "parent", ColumnKind::Number},
      {"children", "children", ColumnKind::Text},
      {"worker_percent", "% of worker", ColumnKind::Count, ColumnUse::Data,
       Total::None},
      {"calls", "calls", ColumnKind::Count},
      {"total_ps", "total", ColumnKind::Time},
      {"self_ps", "self", ColumnKind::Time},
      {"obstacle", "obstacle", ColumnKind::Text}};
  addJobColumns(columns, profile);
  return columns;
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

/// The mean size in millionths.
static Cell getAverageSize(const Stage &stage) {
  uint64_t samples = stage.queue->sizes.size();
  return samples
             ? Cell(int64_t((__int128(stage.elements) * 1000000 + samples / 2) /
                            samples))
             : Cell();
}

static void addStage(const JobRun &where, llvm::ArrayRef<Stage> stages,
                     const Stage &stage, Table &table) {
  const Queue &queue = *stage.queue;
  std::string children = llvm::join(
      llvm::map_range(queue.children,
                      [](uint32_t id) { return std::to_string(id); }),
      " ");
  std::string obstacle = findObstacle(stages, stage);
  bool isSampled = !queue.sizes.empty();
  std::optional<int64_t> use = stage.getUsePpm();
  auto orNull = [](uint32_t id) { return id == kNone ? Cell() : Cell(id); };
  llvm::SmallVector<Cell> cells = {
      orNull(queue.id),
      where.job->getName(queue.name),
      queue.workers ? Cell(queue.workers) : Cell(),
      uint64_t(queue.sizes.size()),
      getAverageSize(stage),
      queue.capacity ? Cell(queue.capacity) : Cell(),
      use ? Cell(*use) : Cell(),
      isSampled ? Cell(stage.empty) : Cell(),
      isSampled && queue.capacity ? Cell(stage.full) : Cell(),
      queue.waitsPs.empty() ? Cell() : Cell(stage.waitPs),
      queue.intervalPs ? Cell(queue.intervalPs) : Cell(),
      orNull(stage.parent),
      children.empty() ? Cell() : Cell(children),
      stage.workerPercent ? Cell(*stage.workerPercent) : Cell(),
      std::nullopt,
      std::nullopt,
      std::nullopt,
      obstacle.empty() ? Cell() : Cell(obstacle)};
  addJobCells(cells, where);
  table.addRow(cells);
}

//===----------------------------------------------------------------------===//
// Iterators of tf.data
//===----------------------------------------------------------------------===//

/// The events "Iterator::Root::Prefetch::Map" of a run: the iterator at the end
/// of the path, which the ones before it call.
static void addIterators(const Profile &profile, uint32_t number,
                         Table &table) {
  std::map<llvm::StringRef, std::pair<Summary, Summary>> sums;
  for (const EventSummary &event : profile.runs[number].events) {
    if (event.name >= profile.strings.size())
      continue;
    llvm::StringRef name = profile.strings[event.name];
    if (!name.starts_with("Iterator::"))
      continue;
    auto &[total, self] = sums[name];
    total.merge(event.total);
    self.merge(event.self);
  }
  llvm::StringRef slowest;
  for (const auto &[name, sum] : sums)
    if (slowest.empty() || sum.second.sum > sums[slowest].second.sum)
      slowest = name;
  for (const auto &[name, sum] : sums) {
    llvm::SmallVector<Cell> cells(20);
    cells[1] = name;
    cells[14] = sum.first.count;
    cells[15] = sum.first.sum;
    cells[16] = sum.second.sum;
    if (name == slowest && sum.second.sum > 0)
      cells[17] = "it takes the most time itself";
    cells[19] = number;
    table.addRow(cells);
  }
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  Table table(getColumns(input.profile));
  table.defaultOrder = {{19, false}, {0, false}, {1, false}};
  for (const JobRun &where : getJobRuns(input.profile)) {
    std::vector<Stage> stages = getStages(*where.job);
    for (const Stage &stage : stages)
      addStage(where, stages, stage, table);
    if (const Stage *slowest = findBottleneck(stages))
      table.notes.push_back(("stage " + llvm::Twine(slowest->queue->id) + " (" +
                             where.job->getName(slowest->queue->name) +
                             ") holds the others up, next to the device")
                                .str());
  }
  for (uint32_t i = 0; i != input.profile.runs.size(); ++i)
    addIterators(input.profile, i, table);
  return table;
}

ReportKind report::Pipelines() {
  return {"pipeline",
          "stages of the input pipeline: queues, waits, and what holds each up",
          Needs::Profile, build};
}
