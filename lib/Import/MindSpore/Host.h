//===- Host.h - Files of the recorder on the host ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_HOST_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_HOST_H

#include "Files.h"
#include "Recording.h"

namespace mlirprof::importer::mindspore {

/// Reads executions of ops and kernels with their times, and the tables of
/// their sums where those are gone.
void readOpTimes(const RankFiles &files, Recording &recording);

/// Reads step_trace_profiling_N.txt: ops that mark points of steps, in a line
/// each (ops that are launched one by one), or a step in a line.
void readStepFile(llvm::StringRef text, Recording &recording);

/// Reads the samples of the input pipeline and of the processors.
void readPipeline(const RankFiles &files, Recording &recording);

/// Reads memory_usage_N.pb, the memory that graphs were planned to take.
void readMemory(llvm::StringRef bytes, Recording &recording);

/// Reads hccl_info_N/OP/iterK.trace, the transfers of collectives.
void readHccl(const RankFiles &files, Recording &recording);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_HOST_H
