//===- RunScopes.h - The scopes of the runs of a profile --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_SCOPES_RUNSCOPES_H
#define MLIR_PROF_LIB_EXPORT_SCOPES_RUNSCOPES_H

#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Scope/Recording.h"

#include <memory>

namespace mlirprof::exporter {

/// The scopes of a run.
struct RunScopes {
  /// Index into Profile::runs.
  uint32_t run = 0;
  std::shared_ptr<const scope::Recording> recording;
};

/// The scopes of each run; of a run without any, those that its kept events
/// make: nested as they lie on their tracks, which are the threads. Fails if
/// there are neither, like Timeline::make.
llvm::Expected<std::vector<RunScopes>> collectScopes(const ExportInput &input);

/// Moments in nanoseconds since the epoch, for formats that have nothing finer
/// and nothing below 0. Without an anchor they count from 1 ns.
class ScopeNs {
public:
  explicit ScopeNs(llvm::ArrayRef<RunScopes> runs);

  uint64_t get(const scope::Recording &recording, int64_t ps) const;

private:
  int64_t shiftNs = 0;
};

/// The number of the device of a timeline: as its name, "device 1 stream",
/// tells, or else among the recording's devices.
uint64_t getDeviceNumber(const scope::Thread &thread);

/// Adds to `losses`, which may be null, what the formats of Paddle cannot say
/// about the scopes of `recording`.
void notePaddleLosses(const scope::Recording &recording, LossList *losses);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_SCOPES_RUNSCOPES_H
