//===- Devices.cpp - The report of devices ------------------------------===//
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

/// The sum of the busy times of a device's streams.
static int64_t addStreams(const Run &run, uint32_t device) {
  int64_t sum = 0;
  for (const TrackInfo &track : run.tracks)
    if (track.device == device)
      addSaturating(sum, track.busyPs);
  return sum;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  bool severalRuns = input.profile.runs.size() > 1;
  Table table(
      {{"device", "device", ColumnKind::Number},
       {"name", "name", ColumnKind::Text},
       {"busy_ps", "busy", ColumnKind::Time},
       {"kernel_busy_ps", "kernels", ColumnKind::Time},
       {"copy_busy_ps", "copies", ColumnKind::Time},
       {"overlap_ps", "overlap", ColumnKind::Time},
       {"idle_ps", "idle", ColumnKind::Time},
       {"gaps", "gaps", ColumnKind::Count},
       {"memory_bytes", "memory", ColumnKind::Count, ColumnUse::DataOnly},
       {"processors", "processors", ColumnKind::Count, ColumnUse::DataOnly},
       {"run", "run", ColumnKind::Number,
        severalRuns ? ColumnUse::Data : ColumnUse::DataOnly}});
  table.defaultOrder = {{10, false}, {0, false}};
  table.weightColumn = 2;
  for (uint32_t number = 0; number != input.profile.runs.size(); ++number) {
    const Run &run = input.profile.runs[number];
    for (uint32_t i = 0; i != run.devices.size(); ++i) {
      const DeviceInfo &device = run.devices[i];
      int64_t overlapPs = saturatingSub(addStreams(run, i), device.busyPs);
      table.addRow({device.number, device.name, device.busyPs,
                    device.kernelBusyPs, device.copyBusyPs, overlapPs,
                    device.idle.sum, device.idle.count, device.memoryBytes,
                    device.processors, number});
      // The share of the time from the first work to the last.
      addSaturating(table.weightTotal, device.busyPs);
      addSaturating(table.weightTotal, device.idle.sum);
    }
  }
  return table;
}

ReportKind report::Devices() {
  return {"device",
          "devices: time in which any stream was busy, overlap of streams, and "
          "gaps",
          Needs::Profile, build};
}
