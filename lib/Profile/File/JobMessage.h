//===- JobMessage.h - File form of the record of a job ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_JOBMESSAGE_H
#define MLIR_PROF_LIB_PROFILE_FILE_JOBMESSAGE_H

#include "mlir-prof/Profile/Job.h"
#include "mlir-prof/Profile/Profile.h"

namespace mlirprof::profile::schema {

/// A job's record and the run that it belongs to.
struct JobMessage {
  uint32_t run = 0;
  JobRecord job;
};

/// A description of a wrong index or an impossible value in `job`, or "".
std::string findJobFault(const JobRecord &job);

/// Gives each run its record, after checks. Returns a description of the
/// problem, or "".
std::string takeJobs(std::vector<JobMessage> &messages, Profile &profile);

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_JOBMESSAGE_H
