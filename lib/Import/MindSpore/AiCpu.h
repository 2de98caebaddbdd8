//===- AiCpu.h - Executions of ops on the AI CPU ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_AICPU_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_AICPU_H

#include "Framework.h"
#include "Recording.h"
#include "Slices.h"

#include <map>

namespace mlirprof::importer::mindspore {

/// One execution as the device logs it. Ticks are those of its counter.
struct AiCpuEntry {
  /// The op's name, or the last part of it; empty in binary files.
  std::string node;
  /// Known in binary files only.
  TaskId task = {trace::kNone, trace::kNone};
  uint64_t beginTicks = 0, endTicks = 0;
  uint64_t submitTicks = 0, scheduleTicks = 0;
  uint64_t beforeTicks = 0, afterTicks = 0;
  /// In microseconds.
  int64_t executionUs = 0, computeUs = 0, memcpyUs = 0;
  int64_t dispatchUs = 0, totalUs = 0;
};

/// Reads DATA_PREPROCESS.*AICPU: text up to 1.5, records of 128 bytes after.
std::vector<AiCpuEntry> readAiCpu(llvm::ArrayRef<llvm::StringRef> slices,
                                  Recording &recording);

/// Waits of nodes for the data of the next batch, gathered into a queue each.
class WaitQueues {
public:
  /// Adds a wait, whose times are microseconds in decimal digits. A loss if a
  /// field is missing or not a number, or if it ends before it begins.
  void add(llvm::StringRef node, llvm::StringRef begin, llvm::StringRef end,
           llvm::StringRef size);
  /// Moves the queues and the loss to the recording, in order of the nodes.
  void finish(Recording &recording);

private:
  std::map<std::string, profile::Queue> queues;
  uint64_t foreign = 0;
};

/// Reads DATA_PREPROCESS.*AICPUMI, the waits for the data of the next batch,
/// into a queue.
void readAiCpuWaits(llvm::StringRef text, Recording &recording);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_AICPU_H
