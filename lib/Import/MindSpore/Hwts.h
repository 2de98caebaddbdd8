//===- Hwts.h - Tasks that the hardware ran ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_HWTS_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_HWTS_H

#include "Recording.h"
#include "Slices.h"

namespace mlirprof::importer::mindspore {

/// One execution of a task, in ticks of the device's counter.
struct TaskRun {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint32_t stream = 0;
  uint32_t task = 0;
};

/// Reads the log of the hardware's task scheduler (hwts.data, hwts.log.data):
/// records of 64 bytes. Starts and ends are paired by stream and task, whatever
/// lies between them. Returns the executions in order of begin. Records that
/// the driver lost show in the rolling count; they, starts without ends and
/// ends without starts are losses.
std::vector<TaskRun> readHwts(llvm::ArrayRef<llvm::StringRef> slices,
                              Recording &recording);

/// Reads output_format_data_hwts_N.txt, MindSpore's own text of the same log.
std::vector<TaskRun> readHwtsText(llvm::StringRef text, Recording &recording);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_HWTS_H
