//===- Threads.cpp - The report of threads --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Numbers.h"
#include "Reports.h"

#include <map>

using namespace mlirprof;

/// What a thread can be at, as a recording of our own names it.
static constexpr llvm::StringLiteral kClasses[] = {"work", "library", "kernel",
                                                   "waiting", "outside"};

namespace {
struct Thread {
  const TrackInfo *track = nullptr;
  int64_t run = 0;
  int64_t timesPs[std::size(kClasses)] = {};
  uint64_t samples = 0;
};
} // namespace

/// Position of `name` in kClasses, or kNone.
static uint32_t findClass(llvm::StringRef name) {
  for (uint32_t i = 0; i < std::size(kClasses); ++i)
    if (kClasses[i] == name)
      return i;
  return kNone;
}

/// The threads of the recordings of our own that have times of these classes.
static std::vector<Thread> getThreads(const Profile &profile) {
  std::vector<Thread> threads;
  for (size_t i = 0; i < profile.runs.size(); ++i) {
    const Run &run = profile.runs[i];
    if (run.iterations.count == 0)
      continue;
    std::map<uint32_t, Thread> byTrack;
    for (const EventSummary &event : run.events) {
      if (event.track >= run.tracks.size() ||
          event.name >= profile.strings.size())
        continue;
      uint32_t kind = findClass(profile.strings[event.name]);
      if (kind == kNone)
        continue;
      Thread &thread = byTrack[event.track];
      thread.track = &run.tracks[event.track];
      thread.run = int64_t(i);
      addSaturating(thread.timesPs[kind], event.total.sum);
      addSaturating(thread.samples, event.total.count);
    }
    for (auto &[track, thread] : byTrack)
      threads.push_back(thread);
  }
  return threads;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  std::vector<Column> columns = {{"thread", "thread", ColumnKind::Text},
                                 {"line", "line", ColumnKind::Number}};
  for (llvm::StringRef name : kClasses)
    columns.push_back({name.str() + "_ps", name.str(), ColumnKind::Time});
  columns.push_back({"total_ps", "total", ColumnKind::Time});
  columns.push_back({"samples", "samples", ColumnKind::Count});
  // A thread of one run is another's in the next.
  bool severalRuns = input.profile.runs.size() > 1;
  if (severalRuns)
    columns.push_back({"run", "run", ColumnKind::Number});
  Table table(columns);
  constexpr uint32_t kTotal = 2 + std::size(kClasses);
  table.defaultOrder = {{1, false}};
  if (severalRuns)
    table.defaultOrder.insert(table.defaultOrder.begin(), {kTotal + 2, false});
  table.weightColumn = kTotal;
  for (const Thread &thread : getThreads(input.profile)) {
    llvm::SmallVector<Cell> cells = {thread.track->name, thread.track->line};
    int64_t total = 0;
    for (int64_t timePs : thread.timesPs) {
      cells.push_back(timePs);
      addSaturating(total, timePs);
    }
    cells.append({total, thread.samples});
    if (severalRuns)
      cells.push_back(thread.run);
    table.addRow(cells);
    addSaturating(table.weightTotal, total);
  }
  return table;
}

ReportKind report::Threads() {
  return {"thread",
          "what each thread of a recording did: work, libraries, waiting",
          Needs::Program, build};
}
