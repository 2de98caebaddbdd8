//===- ProfileFromRun.h - A run as a profile --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_PROFILEFROMRUN_H
#define MLIR_PROF_RECORD_PROFILEFROMRUN_H

#include "mlir-prof/Record/Runner.h"

namespace mlirprof::record {

/// Whether a profile keeps the samples of a run one by one, for a timeline.
enum class KeepSamples : uint8_t { No, Yes };

/// Adds the measurements of `model` in `result` to `profile`, as one run, with
/// the model's program and the modules of its levels. Each sample stands for
/// one period of its thread: an op key Code for the instruction and the
/// function that it called, or Outside ("waiting", "outside"), with the
/// quantities Samples, Execute and Self. With instrumentation the run comes
/// from the runtime's data, and samples are left out, so that no time counts
/// twice. With `keep`, each sample is a kept event of its thread, of the period
/// before it, and the parts of the run and its iterations are kept on a
/// separate track.
llvm::Error addRun(const compile::CompiledModel &model, const RunResult &result,
                   profile::Profile &profile,
                   KeepSamples keep = KeepSamples::No);

/// Adds the program of `model` and its modules to `profile`, unless it has
/// them. Returns the position of the program.
llvm::Expected<size_t> addProgram(const compile::CompiledModel &model,
                                  profile::Profile &profile);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_PROFILEFROMRUN_H
