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
#include "mlir-prof/Scope/Table.h"

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

/// The recordings of `runs`.
scope::Recordings getRecordings(llvm::ArrayRef<RunScopes> runs);

/// Adds to `losses`, which may be null, the scopes of which nanoseconds cut off
/// a part; and what else the formats of Paddle cannot say.
void noteRoundedTimes(const scope::Recording &recording, LossList *losses);
void notePaddleLosses(const scope::Recording &recording, LossList *losses);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_SCOPES_RUNSCOPES_H
