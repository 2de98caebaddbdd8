//===- WhyEmpty.cpp - Explaining an empty report --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/WhyEmpty.h"
#include "JobOps.h"
#include "ScopeMemory.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;

namespace {
/// The data that a report needs, and the explanation if a profile lacks it.
struct Need {
  llvm::StringLiteral report;
  bool (*isThere)(const Profile &profile);
  llvm::StringLiteral reason;
};
} // namespace

static bool hasLoops(const Profile &profile) {
  return llvm::any_of(profile.programs, [](const Program &program) {
    return llvm::any_of(program.nodes, [](const ProgramNode &node) {
      return node.kind == NodeKind::Loop;
    });
  });
}

static bool hasInstructions(const Profile &profile) {
  return llvm::any_of(profile.programs, [](const Program &program) {
    return !program.instructions.empty();
  });
}

static bool hasSamples(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return run.samplePeriodPs > 0; });
}

static bool hasValues(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.values.empty(); });
}

static bool hasSteps(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.steps.empty(); });
}

static bool hasScopes(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return run.scopes != nullptr; });
}

static bool hasEvents(const Profile &profile) {
  return llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.events.empty(); });
}

static bool hasDevices(const Profile &profile) {
  return profile.hasDeviceWork();
}

static bool hasCopies(const Profile &profile) {
  return llvm::any_of(profile.opKeys, [](const OpKey &key) {
    return isCopy(key.work) || key.work == DeviceWork::SetMemory;
  });
}

static constexpr llvm::StringLiteral kNoDevices =
    "The profile does not contain work of devices.";

static bool hasHloModules(const Profile &profile) {
  return !profile.hloModules.empty();
}

/// Whether the record of a job has any of a list.
template <typename T>
static bool hasAny(const Profile &profile, std::vector<T> JobRecord::*list) {
  return llvm::any_of(getJobRuns(profile), [&](const JobRun &where) {
    return !(where.job->*list).empty();
  });
}

static bool hasJob(const Profile &profile) {
  return llvm::any_of(getJobRuns(profile), [](const JobRun &where) {
    return where.job->isOfTrainingJob();
  });
}
static bool hasTasks(const Profile &profile) {
  return !getJobOps(profile, OpSide::AiCore).empty();
}
static bool hasGpuOps(const Profile &profile) {
  return !getJobOps(profile, OpSide::Gpu).empty();
}
static bool hasCpuOps(const Profile &profile) {
  return !getJobOps(profile, OpSide::Host).empty();
}
static bool hasAiCpu(const Profile &profile) {
  return hasAny(profile, &JobRecord::aiCpuRuns);
}
static bool hasKernels(const Profile &profile) {
  return hasAny(profile, &JobRecord::kernels);
}
static bool hasMemory(const Profile &profile) {
  return hasAny(profile, &JobRecord::memory) ||
         llvm::any_of(profile.runs, [](const Run &run) {
           return run.scopes && hasAllocations(*run.scopes);
         });
}
static bool hasQueues(const Profile &profile) {
  return hasAny(profile, &JobRecord::queues);
}
static bool hasHostSamples(const Profile &profile) {
  return hasAny(profile, &JobRecord::hostSamples);
}
static bool hasCollectives(const Profile &profile) {
  return hasAny(profile, &JobRecord::collectives);
}
static bool hasTransfers(const Profile &profile) {
  return hasAny(profile, &JobRecord::transfers);
}

static bool hasFlops(const Profile &profile) {
  return llvm::any_of(profile.runs, [](const Run &run) {
    return llvm::any_of(run.ops, [](const OpSummary &op) {
      return op.find(Quantity::Flops) != nullptr;
    });
  });
}

static bool hasStepsOrPoints(const Profile &profile) {
  return hasSteps(profile) || hasAny(profile, &JobRecord::steps);
}

static constexpr llvm::StringLiteral kNoJob =
    "The profile does not contain a training job: import the folder that "
    "MindSpore's profiler wrote.";
static constexpr llvm::StringLiteral kNoMemory =
    "The profile does not contain memory: of MindSpore's recordings, those "
    "with memory_usage have it, of TensorFlow's those with the events of "
    "allocators, as have Paddle's, and of mlir-prof record those of models "
    "without dynamic sizes "
    "that have the level bufferized.";
static constexpr llvm::StringLiteral kNoFlops =
    "The recording does not count floating point operations: of MindSpore's "
    "recordings, those with aicore.data have them, and of recordings by "
    "mlir-prof --by=roofline.";
static constexpr llvm::StringLiteral kNoAiCpu =
    "The recording does not contain executions by AI CPUs: of MindSpore's "
    "recordings, those with DATA_PREPROCESS have them.";
static constexpr llvm::StringLiteral kNoQueues =
    "The profile does not contain an input pipeline: of MindSpore's "
    "recordings, those with pipeline_profiling or device_queue_profiling have "
    "one.";
static constexpr llvm::StringLiteral kNoTransfers =
    "The profile does not contain transfers between ranks: of MindSpore's "
    "recordings, those with hccl_info or hccl_raw have them.";
static constexpr llvm::StringLiteral kNoGpuOps =
    "The job did not run ops on GPUs.";
static constexpr llvm::StringLiteral kNoCpuOps =
    "The job did not record ops on the host: --by=host-op has those of other "
    "recordings.";

static constexpr Need kNeeds[] = {
    {"aicore_type", hasJob, kNoJob},
    {"aicore_type", hasTasks, "The job did not run tasks on AI Cores."},
    {"aicore_detail", hasJob, kNoJob},
    {"aicore_detail", hasTasks, "The job did not run tasks on AI Cores."},
    {"aicpu_type", hasJob, kNoJob},
    {"aicpu_type", hasAiCpu, kNoAiCpu},
    {"aicpu_op", hasJob, kNoJob},
    {"aicpu_op", hasAiCpu, kNoAiCpu},
    {"aicpu_detail", hasJob, kNoJob},
    {"aicpu_detail", hasAiCpu, kNoAiCpu},
    {"gpu_op_type", hasJob, kNoJob},
    {"gpu_op_type", hasGpuOps, kNoGpuOps},
    {"gpu_op_info", hasJob, kNoJob},
    {"gpu_op_info", hasGpuOps, kNoGpuOps},
    {"gpu_cuda_activity", hasJob, kNoJob},
    {"gpu_cuda_activity", hasKernels,
     "The job did not record kernels: --by=kernel has those of other "
     "recordings."},
    {"cpu_op_type", hasJob, kNoJob},
    {"cpu_op_type", hasCpuOps, kNoCpuOps},
    {"cpu_op_info", hasJob, kNoJob},
    {"cpu_op_info", hasCpuOps, kNoCpuOps},
    {"flops", hasFlops, kNoFlops},
    {"flops-type", hasFlops, kNoFlops},
    {"flops-path", hasFlops, kNoFlops},
    {"memory", hasMemory, kNoMemory},
    {"memory-tensor", hasMemory, kNoMemory},
    {"memory-graph", hasMemory, kNoMemory},
    {"pipeline", hasQueues,
     "The profile does not contain an input pipeline: recordings of "
     "MindSpore with pipeline_profiling or device_queue_profiling have one, "
     "and those of TensorFlow with the events of tf.data's iterators."},
    {"queue", hasQueues, kNoQueues},
    {"batch", hasQueues, kNoQueues},
    {"host-use", hasHostSamples,
     "The profile does not contain samples of the host: of MindSpore's "
     "recordings, those with minddata_cpu_utilization have them."},
    {"collective", hasCollectives,
     "The profile does not contain collectives of steps: of MindSpore's "
     "recordings, those of several ranks mark them among the points of steps."},
    {"communication", hasTransfers, kNoTransfers},
    {"link", hasTransfers, kNoTransfers},
    {"cluster", hasStepsOrPoints, "The profile does not contain steps."},
    {"instance", hasInstances,
     "The program does not have kernels that several dispatches could run: its "
     "ops have their own code."},
    {"loop", hasLoops,
     "The program does not contain loops: your own pipeline keeps a level with "
     "loops by prof-snapshot{level=loops}."},
    {"chain", hasInstructions,
     "The profile does not contain machine code: only samples refer to "
     "instructions (mlir-prof record, or perf with the object that ran)."},
    {"split", hasSamples,
     "Times of loops are split only where instructions were sampled, but this "
     "profile was counted or timed."},
    {"thread", hasSamples,
     "Threads are distinguished only where they were sampled, but this profile "
     "was counted or timed."},
    {"value", hasValues,
     "No values were observed: the program does not have dynamic dimensions, "
     "trip counts or branches, or --no-values turned them off."},
    {"scope", hasScopes,
     "The profile does not contain scopes: import a recording of them, or one "
     "of a framework's profiler that has them."},
    {"step", hasSteps, "The profile does not contain steps."},
    {"step-trace", hasKeptEvents,
     "The profile does not contain single events: import the recording with "
     "--keep-events."},
    {"step-trace", hasSteps,
     "The profile does not contain steps: mark them in the program, or name "
     "the "
     "op that begins one with --first-op."},
    {"kernel", hasDevices, kNoDevices},
    {"device", hasDevices, kNoDevices},
    {"stream", hasDevices, kNoDevices},
    {"wait", hasDevices, kNoDevices},
    {"copy", hasCopies, "The profile does not contain copies by devices."},
    {"event", hasEvents, "The profile does not contain events."},
    {"hlo-module", hasHloModules, "The profile does not contain HLO modules."},
};

static bool hasMeasurements(const Profile &profile) {
  return llvm::any_of(profile.runs, [](const Run &run) {
    return llvm::any_of(
        run.ops, [](const OpSummary &op) { return !op.measurements.empty(); });
  });
}

llvm::StringRef report::findMissing(const Profile &profile,
                                    const ReportKind &kind) {
  for (const Need &need : kNeeds)
    if (need.report == kind.name && !need.isThere(profile))
      return need.reason;
  return "";
}

std::string report::explainEmpty(const ReportInput &input,
                                 const ReportKind &kind, const Report &report,
                                 RowSelection selection) {
  if (!report.view.rows.empty())
    return "";
  if (report.view.matched != 0)
    return "The page is after the last one: " +
           formatCount(report.view.matched, "row") +
           (report.view.matched == 1 ? " matches." : " match.");
  if (report.table.size() != 0)
    return "No row passes the filters, out of " +
           std::to_string(report.table.size()) + ".";
  if (llvm::StringRef missing = findMissing(input.profile, kind);
      !missing.empty())
    return missing.str();
  if (!hasMeasurements(input.profile))
    return "No op was measured: the model ran too briefly to be sampled, or "
           "only its iterations were timed.";
  if (kind.name == "loop")
    return "No measured op is in a loop of this level: --level names another "
           "one, --all shows loops without a time.";
  if (selection == RowSelection::Measured)
    return "Nothing of this kind was measured: --all shows rows without "
           "measurements.";
  return "The profile does not contain data of this kind.";
}
