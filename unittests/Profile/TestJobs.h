//===- TestJobs.h - Records of training jobs for the tests ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_PROFILE_TESTJOBS_H
#define MLIR_PROF_UNITTESTS_PROFILE_TESTJOBS_H

#include "mlir-prof/Profile/Job.h"
#include "mlir-prof/Profile/Profile.h"

namespace mlirprof::test {

/// A record in which every field has a value other than its default.
inline profile::JobRecord makeJob() {
  using namespace profile;
  JobRecord job;
  job.rank = 3;
  job.device = 0;
  job.deviceFacts = {32, 48, 1000000000, 900000000, 4380684429499, 100000000};
  job.names = {"Default/MatMul-op1", "MatMul", "NCHW", "float16", "kernel"};
  job.steps = {{2, -5, 10, 20, 30, 0, 1, 0}};
  job.collectives = {{2, 1, 11, -7, 25}};
  job.aiCpuRuns = {{0, 1, 100, 200, 90, 91, 92, 210, 5, 6, 7, 8, 9}};
  OpFacts op = {0, 1, 2, Processor::Aiv, 8, 5, {}, 8192, 64, 4};
  op.tensors = {{true, 1, 2, 3, {32, 16, -1}}};
  job.ops = {op};
  job.kernels = {{4, 1, 0, 7, 2, 3, 6, 1234}};
  Queue queue = {1, 1, 4, {2, 3}, 16, 10000, {5, 0}, {7, 8}, {1, 2}, {}};
  queue.costs = {{1, 8, 2, 10}};
  job.queues = {queue};
  job.hostSamples = {{2, 3, 10000, {12, -1}}};
  job.transfers = {{2, 0, 0, 1, LinkKind::Rdma, 3, 4096, 777}};
  MemoryPlan plan = {1, 1000, 100, {0, 4}, {}, 0, 1};
  plan.tensors = {{9, 512, 3, 0, 1, 2}};
  job.memory = {plan};
  return job;
}

/// A profile with that record.
inline profile::Profile makeJobProfile(profile::JobRecord job) {
  profile::Profile profile;
  profile::Run run;
  run.hash = std::string(32, 'a');
  run.job = std::make_shared<profile::JobRecord>(std::move(job));
  profile.runs.push_back(std::move(run));
  return profile;
}

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_PROFILE_TESTJOBS_H
