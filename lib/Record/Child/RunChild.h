//===- RunChild.h - The process that runs a model ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNCHILD_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNCHILD_H

#include "RunShared.h"
#include "mlir-prof/Record/Runner.h"

#include <csignal>
#include <sys/types.h>

namespace mlirprof::record {

/// Data known to both processes of a run.
struct RunContext {
  const compile::CompiledModel &model;
  llvm::ArrayRef<Arguments> requests;
  const RunOptions &options;
  /// Never Automatic.
  SamplerKind sampler;
  const SharedRunMapping &shared;
  const RunFiles &files;
};

/// Asks the child to save what it can and to end at once.
inline constexpr int kGiveUpSignal = SIGUSR1;
/// The child writes a byte to the socket when it is ready to measure, begins
/// when it receives one, and writes another after measuring. With PerfEvent
/// only.
inline constexpr char kReady = 'r';
inline constexpr char kBegin = 'b';
inline constexpr char kMeasured = 'm';

/// Runs the model in this process, a new copy of the tool's. `control` is its
/// end of a socket to the tool.
[[noreturn]] void runChild(const RunContext &context, int control);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNCHILD_H
