//===- Job.h - Contents of recordings of training jobs ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data of one rank of a training job apart from events and measured ops. Times
// are picoseconds relative to the clock of the run, or durations. Members named
// `op`, `type` and the like are indices into JobRecord::names, or kNone.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_JOB_H
#define MLIR_PROF_PROFILE_JOB_H

#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace mlirprof::profile {

/// The points of a step: it begins where the one before ended. The interval is
/// first - begin, forward and backward together are last - first, and the tail
/// is end - last. A step of inference does not have a backward pass, so last is
/// its end.
struct StepPoints {
  int64_t number = 0;
  int64_t beginPs = 0;
  int64_t firstPs = 0;
  int64_t lastPs = 0;
  int64_t endPs = 0;
  /// The ops that mark the points.
  uint32_t firstOp = trace::kNone;
  uint32_t lastOp = trace::kNone;
  uint32_t endOp = trace::kNone;
};

/// A collective operation in a step.
struct Collective {
  int64_t step = 0;
  uint32_t op = trace::kNone;
  /// The stream that ran it, or kNone.
  uint32_t stream = trace::kNone;
  int64_t beginPs = 0;
  int64_t endPs = 0;
};

/// One execution of an op by the processors of a device that run AI CPU ops.
struct AiCpuRun {
  uint32_t op = trace::kNone;
  uint32_t type = trace::kNone;
  int64_t beginPs = 0;
  int64_t endPs = 0;
  /// When it was submitted, scheduled, and given to a thread and returned by
  /// it; 0 if unknown.
  int64_t submitPs = 0;
  int64_t schedulePs = 0;
  int64_t beforeRunPs = 0;
  int64_t afterRunPs = 0;
  /// Durations in whole microseconds, as the device measures them.
  int64_t totalPs = 0;
  int64_t dispatchPs = 0;
  int64_t executionPs = 0;
  int64_t computePs = 0;
  int64_t memcpyPs = 0;
};

/// The unit that runs an op.
enum class Processor : uint8_t {
  Unknown = 0,
  AiCore = 1,
  AiCpu = 2,
  /// The vector unit.
  Aiv = 3,
  Hccl = 4,
  /// The runtime of the device.
  Runtime = 5,
  Gpu = 6,
  Host = 7,
};

struct TensorFacts {
  bool isOutput = false;
  uint32_t index = 0;
  uint32_t format = trace::kNone;
  uint32_t type = trace::kNone;
  std::vector<int64_t> dimensions;
};

/// Facts about an op apart from its times.
struct OpFacts {
  uint32_t op = trace::kNone;
  uint32_t type = trace::kNone;
  /// The graph that contains it.
  uint32_t graph = trace::kNone;
  Processor processor = Processor::Unknown;
  uint32_t blockDim = 0;
  uint32_t stream = trace::kNone;
  std::vector<TensorFacts> tensors;
  /// Floating point operations of the matrix and of the vector unit in
  /// `counted` executions together.
  int64_t cubeFlops = 0;
  int64_t vectorFlops = 0;
  uint64_t counted = 0;
};

/// A kernel that a device ran for an op.
struct KernelFacts {
  uint32_t kernel = trace::kNone;
  /// How it was started ("cuLaunchKernel").
  uint32_t type = trace::kNone;
  uint32_t op = trace::kNone;
  uint32_t stream = trace::kNone;
  /// "256,1,1".
  uint32_t block = trace::kNone;
  uint32_t grid = trace::kNone;
  uint64_t count = 0;
  int64_t totalPs = 0;
};

/// The time that one batch took on its way to the device.
struct BatchCost {
  int64_t batch = 0;
  int64_t pipelinePs = 0;
  int64_t pushPs = 0;
  int64_t totalPs = 0;
};

/// The output queue of a stage of the input pipeline.
struct Queue {
  /// The stage: its number, or kNone, its kind, and the stages that feed it.
  uint32_t id = trace::kNone;
  uint32_t name = trace::kNone;
  uint32_t workers = 0;
  std::vector<uint32_t> children;
  /// Elements that it holds at most; 0 if unknown.
  uint64_t capacity = 0;
  /// Between two samples; 0 if there is a sample for each batch.
  int64_t intervalPs = 0;
  /// Elements in the queue.
  std::vector<uint64_t> sizes;
  /// As many as `sizes`, or none: times of the samples, and waits for an
  /// element. The clock of the times may be another one than the run's.
  std::vector<int64_t> timesPs;
  std::vector<int64_t> waitsPs;
  std::vector<BatchCost> costs;
};

/// Samples of one number about the host: use in percent, or a count.
struct HostSamples {
  /// "device", "process" or "op 3", and "user_utilization".
  uint32_t owner = trace::kNone;
  uint32_t metric = trace::kNone;
  int64_t intervalPs = 0;
  std::vector<int64_t> values;
};

enum class LinkKind : uint8_t {
  Unknown = 0,
  Sdma = 1,
  Rdma = 2,
  /// Waiting for the other rank; without bytes.
  Wait = 3,
};

/// The transfers of a collective in a step over one link, from one rank to
/// another.
struct LinkTransfer {
  int64_t step = 0;
  uint32_t op = trace::kNone;
  uint32_t source = 0;
  uint32_t destination = 0;
  LinkKind kind = LinkKind::Unknown;
  uint64_t count = 0;
  uint64_t bytes = 0;
  int64_t durationPs = 0;
};

/// A tensor of a planned memory: it lives from one node to another, both
/// included, by position in MemoryPlan::nodes.
struct TensorLife {
  uint64_t id = 0;
  uint64_t bytes = 0;
  uint32_t type = trace::kNone;
  uint32_t firstNode = 0;
  uint32_t lastNode = 0;
  /// Why it lives longer than its uses: a name, or kNone.
  uint32_t reason = trace::kNone;

  bool operator==(const TensorLife &other) const {
    return std::tie(id, bytes, type, firstNode, lastNode, reason) ==
           std::tie(other.id, other.bytes, other.type, other.firstNode,
                    other.lastNode, other.reason);
  }
};

/// The memory that a graph's execution takes.
struct MemoryPlan {
  uint32_t graph = 0;
  uint64_t capacityBytes = 0;
  uint64_t staticBytes = 0;
  /// In order of execution.
  std::vector<uint32_t> nodes;
  std::vector<TensorLife> tensors;
  uint32_t firstOp = trace::kNone;
  uint32_t lastOp = trace::kNone;
};

/// The units of a device, and its counter. 0 is unknown.
struct DeviceFacts {
  uint32_t cubeCores = 0;
  uint32_t vectorCores = 0;
  uint64_t cubeHz = 0;
  uint64_t vectorHz = 0;
  /// The counter at the zero of the run's clock, and its frequency.
  uint64_t originTicks = 0;
  uint64_t tickHz = 0;
};

struct JobRecord {
  /// The rank in the job and the number of the device; kNone if unknown.
  uint32_t rank = trace::kNone;
  uint32_t device = trace::kNone;
  DeviceFacts deviceFacts;
  std::vector<std::string> names;
  std::vector<StepPoints> steps;
  std::vector<Collective> collectives;
  std::vector<AiCpuRun> aiCpuRuns;
  std::vector<OpFacts> ops;
  std::vector<KernelFacts> kernels;
  std::vector<Queue> queues;
  std::vector<HostSamples> hostSamples;
  std::vector<LinkTransfer> transfers;
  std::vector<MemoryPlan> memory;

  /// Whether it is of a training job: of other recordings, it has only the
  /// memory and the input pipeline.
  bool isOfTrainingJob() const {
    return rank != trace::kNone || device != trace::kNone || !steps.empty() ||
           !collectives.empty() || !aiCpuRuns.empty() || !ops.empty() ||
           !kernels.empty() || !hostSamples.empty() || !transfers.empty();
  }
  /// The name `index`, or "" for kNone.
  llvm::StringRef getName(uint32_t index) const {
    return index < names.size() ? llvm::StringRef(names[index]) : "";
  }
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_JOB_H
