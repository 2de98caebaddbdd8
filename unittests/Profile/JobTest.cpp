//===- JobTest.cpp - Records of training jobs in files --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestJobs.h"
#include "TestProfiles.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "gtest/gtest.h"

#include <functional>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

TEST(Job, KeepsEveryField) {
  std::string bytes = toBytes(makeJobProfile(makeJob()));
  llvm::Expected<Profile> again = readProfile(bytes, "again");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(toBytes(*again), bytes);
  const JobRecord &job = *again->runs[0].job;
  EXPECT_EQ(job.rank, 3u);
  EXPECT_EQ(job.device, 0u);
  EXPECT_EQ(job.deviceFacts.originTicks, 4380684429499u);
  EXPECT_EQ(job.steps[0].beginPs, -5);
  EXPECT_EQ(job.getName(job.steps[0].lastOp), "MatMul");
  EXPECT_EQ(job.aiCpuRuns[0].memcpyPs, 9);
  EXPECT_EQ(job.ops[0].processor, Processor::Aiv);
  EXPECT_EQ(job.ops[0].tensors[0].dimensions[2], -1);
  EXPECT_EQ(job.transfers[0].kind, LinkKind::Rdma);
  EXPECT_EQ(job.memory[0].tensors[0].lastNode, 1u);
}

TEST(Job, KeepsEveryFieldInJson) {
  Profile profile = makeJobProfile(makeJob());
  std::string json = toJson(profile);
  llvm::Expected<Profile> again = readProfileJson(json, "again");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(toBytes(*again), toBytes(profile));
}

TEST(Job, StaysWithItsRunInAMerge) {
  Profile first = makeJobProfile(makeJob()), second = makeJobProfile({});
  second.runs[0].hash = std::string(32, 'b');
  llvm::Expected<Profile> merged = mergeProfiles({&second, &first});
  ASSERT_TRUE(bool(merged)) << llvm::toString(merged.takeError());
  ASSERT_EQ(merged->runs.size(), 2u);
  EXPECT_EQ(merged->runs[0].job->rank, 3u);
  EXPECT_EQ(merged->runs[1].job->rank, kNone);
}

/// Files with impossible records are refused.
TEST(Job, RefusesImpossibleRecords) {
  std::function<void(JobRecord &)> faults[] = {
      [](JobRecord &job) { job.steps[0].firstOp = 5; },
      [](JobRecord &job) { job.steps[0].endPs = -6; },
      [](JobRecord &job) { job.collectives[0].endPs = -8; },
      [](JobRecord &job) { job.aiCpuRuns[0].totalPs = -1; },
      [](JobRecord &job) { job.ops[0].tensors[0].format = 9; },
      [](JobRecord &job) { job.kernels[0].totalPs = -1; },
      [](JobRecord &job) { job.queues[0].timesPs.push_back(1); },
      [](JobRecord &job) { job.hostSamples[0].owner = 5; },
      [](JobRecord &job) { job.transfers[0].durationPs = -1; },
      [](JobRecord &job) { job.memory[0].nodes[0] = 5; },
      [](JobRecord &job) { job.memory[0].tensors[0].lastNode = 2; },
  };
  for (const auto &fault : faults) {
    JobRecord job = makeJob();
    fault(job);
    llvm::Expected<Profile> read =
        readProfile(toBytes(makeJobProfile(job)), "file");
    ASSERT_FALSE(bool(read)) << &fault - faults;
    EXPECT_NE(llvm::toString(read.takeError()).find("a job has"),
              std::string::npos);
  }
}

} // namespace
