//===- Stages.h - Stages of input pipelines ------------------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_STAGES_H
#define MLIR_PROF_LIB_REPORT_STAGES_H

#include "JobOps.h"

namespace mlirprof::report {

/// A stage of the input pipeline of a job, with its output queue.
struct Stage {
  const profile::Queue *queue = nullptr;
  /// The stage that takes its elements; kNone for the last.
  uint32_t parent = trace::kNone;
  uint64_t empty = 0;
  uint64_t full = 0;
  /// Sum of all samples.
  uint64_t elements = 0;
  int64_t waitPs = 0;
  /// Mean use of one processor by a worker in percent; none if not sampled.
  std::optional<int64_t> workerPercent;

  /// Mean filling of the queue in millionths; none without samples or capacity.
  std::optional<int64_t> getUsePpm() const;
};

/// The stages of a job in the order of its record.
std::vector<Stage> getStages(const profile::JobRecord &job);

/// The reason why a stage is not faster, as a sentence without a period; "" if
/// there is none.
std::string findObstacle(llvm::ArrayRef<Stage> stages, const Stage &stage);

/// The stage next to the device that holds the others up: its workers are busy,
/// or idle although its own queue does not fill; null if none does.
const Stage *findBottleneck(llvm::ArrayRef<Stage> stages);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_STAGES_H
