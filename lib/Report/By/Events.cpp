//===- Events.cpp - The report of events ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {
struct EventRow {
  const TrackInfo *track;
  llvm::StringRef name;
  uint64_t count = 0;
  int64_t totalPs = 0;
  int64_t selfPs = 0;
};
} // namespace

/// The events of all runs, merged by plane, line and name.
static std::vector<EventRow> mergeEvents(const Profile &profile) {
  std::vector<EventRow> rows;
  llvm::StringMap<uint32_t> planes;
  using Key = std::tuple<uint32_t, uint32_t, llvm::StringRef>;
  llvm::DenseMap<Key, size_t> positions;
  for (const Run &run : profile.runs)
    for (const EventSummary &event : run.events) {
      if (event.track >= run.tracks.size() ||
          event.name >= profile.strings.size())
        continue;
      const TrackInfo &track = run.tracks[event.track];
      llvm::StringRef name = profile.strings[event.name];
      uint32_t plane = planes.try_emplace(track.plane, uint32_t(planes.size()))
                           .first->second;
      auto [it, inserted] =
          positions.try_emplace(Key(plane, track.line, name), rows.size());
      if (inserted)
        rows.push_back({&track, name});
      EventRow &row = rows[it->second];
      addSaturating(row.count, event.total.count);
      addSaturating(row.totalPs, event.total.sum);
      addSaturating(row.selfPs, event.self.sum);
    }
  return rows;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  Table table({{"plane", "plane", ColumnKind::Text},
               {"line", "line", ColumnKind::Number},
               {"name", "name", ColumnKind::Text},
               {"count", "count", ColumnKind::Count},
               {"total_ps", "total", ColumnKind::Time},
               {"self_ps", "self", ColumnKind::Time}});
  table.defaultOrder = {{4, true}, {2, false}, {0, false}, {1, false}};
  // Totals of nested events overlap; only self times are parts of a whole.
  table.weightColumn = 5;
  for (const EventRow &row : mergeEvents(input.profile)) {
    table.addRow({row.track->plane, row.track->line, row.name, row.count,
                  row.totalPs, row.selfPs});
    addSaturating(table.weightTotal, row.selfPs);
  }
  return table;
}

ReportKind report::Events() {
  return {"event", "events by track and name, of any kind", Needs::Profile,
          build};
}
