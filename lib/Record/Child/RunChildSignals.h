//===- RunChildSignals.h - What the child does about signals ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNCHILDSIGNALS_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNCHILDSIGNALS_H

#include "RunShared.h"

namespace mlirprof::record {

/// Sets up the child's signals: crashes note where they were, the runtime's
/// data is saved, and then the child dies of them; a request to give up does
/// the same and ends it. Signals of the terminal are left to the parent.
void installChildSignals(const SharedRunMapping &shared, const RunFiles &files);

/// Writes what the runtime of instrumented code has to the file for it.
/// Does nothing without instrumented code.
void saveRuntimeData(const SharedRunMapping &shared, const RunFiles &files);
/// From now on saveRuntimeData has something to save.
void enableRuntimeData();

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNCHILDSIGNALS_H
