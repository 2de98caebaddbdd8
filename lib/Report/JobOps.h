//===- JobOps.h - Measured ops of training jobs --------------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_JOBOPS_H
#define MLIR_PROF_LIB_REPORT_JOBOPS_H

#include "mlir-prof/Profile/Job.h"
#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Report/Report.h"

namespace mlirprof::report {

/// A run of a rank of a job.
struct JobRun {
  /// Index into Profile::runs.
  uint32_t number = 0;
  const profile::Run *run = nullptr;
  const profile::JobRecord *job = nullptr;

  /// The rank; where the recording does not say it, the device, else the run.
  int64_t getRank() const;
};

/// The runs that have a record of a job.
std::vector<JobRun> getJobRuns(const profile::Profile &profile);

/// The columns "device" and "run", the last of the tables of jobs. Text shows
/// the run if there are several.
void addJobColumns(std::vector<Column> &columns,
                   const profile::Profile &profile);
void addJobCells(llvm::SmallVectorImpl<Cell> &cells, const JobRun &where);

/// An op that a run measured.
struct JobOp {
  JobRun where;
  const profile::OpKey *key = nullptr;
  const profile::OpSummary *times = nullptr;
  /// Never null in getJobOps().
  const profile::OpFacts *facts = nullptr;

  profile::Processor getProcessor() const { return facts->processor; }
  uint64_t getCount() const { return times->getCount(); }
  int64_t getTotalPs() const {
    return times->getSum(profile::Quantity::Execute);
  }
};

enum class OpSide : uint8_t {
  /// An accelerator with AI Cores, or of an unknown kind.
  AiCore,
  Gpu,
  Host,
};

/// The ops that runs of jobs measured on a side, in the order of runs.
std::vector<JobOp> getJobOps(const profile::Profile &profile, OpSide side);

/// "AI Core", "HCCL"; null if unknown.
Cell getProcessorCell(profile::Processor processor);
/// The last component of a path: "Conv2D-op3".
llvm::StringRef getLastName(llvm::StringRef path);
/// The first component of a path of MindSpore, if that is "Default" or
/// "Gradients"; else null.
Cell getSubgraphCell(llvm::StringRef path);
/// The tensors of an op as a JSON object; "" without any.
std::string describeTensors(const profile::JobRecord &job,
                            const profile::OpFacts &op);

/// part / whole in millionths, rounded half up; 0 without a whole.
int64_t toPpm(int64_t part, int64_t whole);
/// sum / count, rounded half up; null without a count.
Cell getAverage(int64_t sum, uint64_t count);
/// amount / time per second, rounded half up; null without a time.
Cell getRate(int64_t amount, int64_t timePs);

/// Ops added up by type: op_type, total_time_ps, execution_frequency,
/// total_percent_ppm, avg_time_ps, ops (distinct ones), execution_time_ps (per
/// step, null without steps), device, run.
Table makeTypeTable(const profile::Profile &profile, llvm::ArrayRef<JobOp> ops);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_JOBOPS_H
