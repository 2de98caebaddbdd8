//===- Streams.cpp - The report of streams of devices -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  bool severalRuns = input.profile.runs.size() > 1;
  Table table({{"device", "device", ColumnKind::Number},
               {"stream", "stream", ColumnKind::Number},
               {"name", "name", ColumnKind::Text},
               {"events", "events", ColumnKind::Count},
               {"busy_ps", "busy", ColumnKind::Time},
               {"run", "run", ColumnKind::Number,
                severalRuns ? ColumnUse::Data : ColumnUse::DataOnly}});
  table.defaultOrder = {{5, false}, {0, false}, {1, false}, {2, false}};
  table.weightColumn = 4;
  for (uint32_t number = 0; number != input.profile.runs.size(); ++number) {
    const Run &run = input.profile.runs[number];
    for (const TrackInfo &track : run.tracks) {
      // Tracks of annotations do not have work.
      if (track.device == kNone || track.busyPs == 0)
        continue;
      table.addRow({run.devices[track.device].number, track.id, track.name,
                    track.events, track.busyPs, number});
      addSaturating(table.weightTotal, track.busyPs);
    }
  }
  return table;
}

ReportKind report::Streams() {
  return {"stream", "streams of devices: number of events, and busy time",
          Needs::Profile, build};
}
