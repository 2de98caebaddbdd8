//===- RunChildSignals.h - Signal handling in the child ---------*- C++ -*-===//
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

/// Sets up the child's signals: on a crash, the place is noted and the
/// runtime's data saved before the child dies; a request to give up does the
/// same and ends it. Signals of the terminal are left to the parent.
void installChildSignals(const SharedRunMapping &shared, const RunFiles &files);

/// Writes the data of the runtime of instrumented code to its file. Does
/// nothing without instrumented code.
void saveRuntimeData(const SharedRunMapping &shared, const RunFiles &files);
/// Allows saveRuntimeData to save data from now on.
void enableRuntimeData();

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNCHILDSIGNALS_H
