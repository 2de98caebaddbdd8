//===- JobCheck.cpp - Checking the records of jobs ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JobMessage.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
using namespace mlirprof::trace;

namespace {
/// Collects the first problem.
class JobChecker {
public:
  explicit JobChecker(const JobRecord &job) : job(job) {}

  std::string run();

private:
  void require(bool holds, llvm::StringRef what) {
    if (!holds && problem.empty())
      problem = what.str();
  }
  template <typename... Names>
  void requireNames(Names... names) {
    for (uint32_t name : {names...})
      require(name == kNone || name < job.names.size(),
              "a name that the record lacks");
  }
  template <typename... Times>
  void requireNotNegative(Times... times) {
    for (int64_t time : {times...})
      require(time >= 0, "a negative duration or count");
  }
  void checkSteps();
  void checkOps();
  void checkQueues();
  void checkMemory();

  const JobRecord &job;
  std::string problem;
};
} // namespace

void JobChecker::checkSteps() {
  for (const StepPoints &step : job.steps) {
    requireNames(step.firstOp, step.lastOp, step.endOp);
    int64_t duration;
    require(step.beginPs <= step.endPs &&
                !__builtin_sub_overflow(step.endPs, step.beginPs, &duration),
            "a step that ends before it begins, or is too long");
  }
  for (const Collective &collective : job.collectives) {
    requireNames(collective.op);
    int64_t duration;
    require(collective.beginPs <= collective.endPs &&
                !__builtin_sub_overflow(collective.endPs, collective.beginPs,
                                        &duration),
            "a collective that ends before it begins, or is too long");
  }
  for (const AiCpuRun &run : job.aiCpuRuns) {
    requireNames(run.op, run.type);
    requireNotNegative(run.totalPs, run.dispatchPs, run.executionPs,
                       run.computePs, run.memcpyPs);
  }
}

void JobChecker::checkOps() {
  for (const OpFacts &op : job.ops) {
    requireNames(op.op, op.type, op.graph);
    requireNotNegative(op.cubeFlops, op.vectorFlops);
    for (const TensorFacts &tensor : op.tensors)
      requireNames(tensor.format, tensor.type);
  }
  for (const KernelFacts &kernel : job.kernels) {
    requireNames(kernel.kernel, kernel.type, kernel.op, kernel.block,
                 kernel.grid);
    requireNotNegative(kernel.totalPs);
  }
  for (const LinkTransfer &transfer : job.transfers) {
    requireNames(transfer.op);
    requireNotNegative(transfer.durationPs);
  }
}

void JobChecker::checkQueues() {
  for (const Queue &queue : job.queues) {
    requireNames(queue.name);
    requireNotNegative(queue.intervalPs);
    require(
        (queue.timesPs.empty() || queue.timesPs.size() == queue.sizes.size()) &&
            (queue.waitsPs.empty() ||
             queue.waitsPs.size() == queue.sizes.size()),
        "a queue with columns of different lengths");
  }
  for (const HostSamples &samples : job.hostSamples) {
    requireNames(samples.owner, samples.metric);
    requireNotNegative(samples.intervalPs);
  }
}

void JobChecker::checkMemory() {
  for (const MemoryPlan &plan : job.memory) {
    requireNames(plan.firstOp, plan.lastOp);
    for (uint32_t node : plan.nodes)
      require(node < job.names.size(), "a name that the record lacks");
    for (const TensorLife &tensor : plan.tensors) {
      requireNames(tensor.type, tensor.reason);
      require(tensor.firstNode <= tensor.lastNode &&
                  tensor.lastNode < plan.nodes.size(),
              "a tensor that lives outside of its graph");
    }
  }
}

std::string JobChecker::run() {
  checkSteps();
  checkOps();
  checkQueues();
  checkMemory();
  return std::move(problem);
}

std::string schema::findJobFault(const JobRecord &job) {
  std::string problem = JobChecker(job).run();
  return problem.empty() ? "" : "a job has " + problem;
}

std::string schema::takeJobs(std::vector<JobMessage> &messages,
                             Profile &profile) {
  for (JobMessage &message : messages) {
    if (message.run >= profile.runs.size())
      return "a job belongs to a run that the profile lacks";
    Run &run = profile.runs[message.run];
    if (run.job)
      return "a run has two jobs";
    if (&message != &messages.front() && message.run < (&message)[-1].run)
      return "jobs are out of order";
    std::string problem = findJobFault(message.job);
    if (!problem.empty())
      return problem;
    run.job = std::make_shared<JobRecord>(std::move(message.job));
  }
  messages.clear();
  return "";
}
