//===- Stages.cpp - Stages of input pipelines -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Thresholds of MindSpore's analysis of its pipeline: percent of a processor
/// and millionths of a queue.
static constexpr int64_t kBusyPercent = 75;
static constexpr int64_t kIdlePercent = 20;
static constexpr int64_t kHalfPpm = 500000;
static constexpr int64_t kDryPpm = 100000;
static constexpr int64_t kOftenPpm = 600000;

std::optional<int64_t> Stage::getUsePpm() const {
  if (!queue->capacity || queue->sizes.empty())
    return std::nullopt;
  __int128 room = __int128(queue->capacity) * queue->sizes.size();
  return int64_t((__int128(elements) * 1000000 + room / 2) / room);
}

/// Mean percentage that the samples of "user" and "system" use of a stage add
/// up to, for each of its workers.
static std::optional<int64_t> getWorkerPercent(const JobRecord &job,
                                               const Queue &queue) {
  std::string owner = "op " + std::to_string(queue.id);
  for (const HostSamples &samples : job.hostSamples) {
    if (job.getName(samples.owner) != owner || samples.values.empty() ||
        job.getName(samples.metric) != "user_utilization")
      continue;
    __int128 sum = 0;
    for (int64_t value : samples.values)
      sum += value;
    return int64_t(sum / __int128(samples.values.size()) /
                   std::max<uint32_t>(queue.workers, 1));
  }
  return std::nullopt;
}

std::vector<Stage> report::getStages(const JobRecord &job) {
  std::vector<Stage> stages;
  for (const Queue &queue : job.queues) {
    Stage stage;
    stage.queue = &queue;
    for (uint64_t size : queue.sizes) {
      stage.empty += size == 0;
      stage.full += queue.capacity && size >= queue.capacity;
      addSaturating(stage.elements, size);
    }
    for (int64_t waitPs : queue.waitsPs)
      addSaturating(stage.waitPs, waitPs);
    for (const Queue &other : job.queues)
      if (queue.id != kNone && llvm::is_contained(other.children, queue.id))
        stage.parent = other.id;
    if (queue.id != kNone)
      stage.workerPercent = getWorkerPercent(job, queue);
    stages.push_back(stage);
  }
  return stages;
}

/// Mean use of the queues that feed a stage.
static std::optional<int64_t> getInputPpm(llvm::ArrayRef<Stage> stages,
                                          const Stage &stage) {
  int64_t sum = 0, count = 0;
  for (const Stage &other : stages)
    if (llvm::is_contained(stage.queue->children, other.queue->id))
      if (std::optional<int64_t> use = other.getUsePpm()) {
        sum += *use;
        ++count;
      }
  return count ? std::optional<int64_t>(sum / count) : std::nullopt;
}

std::string report::findObstacle(llvm::ArrayRef<Stage> stages,
                                 const Stage &stage) {
  std::optional<int64_t> use = stage.getUsePpm();
  std::optional<int64_t> input = getInputPpm(stages, stage);
  if (stage.workerPercent && *stage.workerPercent > kBusyPercent)
    return "its workers are busy: more of them help";
  if (use && stage.queue->id != kNone && stage.queue->children.empty() &&
      *use < kHalfPpm)
    return "it reads too slowly: more workers or a faster store help";
  if (use && input && *input - *use > kHalfPpm)
    return "it is slower than the stages that feed it";
  // The queue itself, or what feeds the stage that hands over to the device.
  auto getEmptyPpm = [](const Stage &of) {
    return toPpm(int64_t(of.empty), int64_t(of.queue->sizes.size()));
  };
  if (stage.queue->id == kNone && getEmptyPpm(stage) > kOftenPpm)
    return "it is often empty: the host does not keep up with the device";
  if (stage.workerPercent && *stage.workerPercent < kIdlePercent &&
      stage.queue->workers > 1)
    return "its workers are idle: fewer of them do";
  return "";
}

/// Number of stages between a stage and the device.
static size_t getDistance(llvm::ArrayRef<Stage> stages, const Stage &stage) {
  size_t distance = 0;
  uint32_t parent = stage.parent;
  // A damaged record may have a cycle.
  while (parent != kNone && distance <= stages.size()) {
    auto it = llvm::find_if(
        stages, [&](const Stage &other) { return other.queue->id == parent; });
    if (it == stages.end())
      break;
    parent = it->parent;
    ++distance;
  }
  return distance;
}

const Stage *report::findBottleneck(llvm::ArrayRef<Stage> stages) {
  const Stage *nearest = nullptr;
  for (const Stage &stage : stages) {
    if (!stage.workerPercent)
      continue;
    std::optional<int64_t> use = stage.getUsePpm();
    std::optional<int64_t> input = getInputPpm(stages, stage);
    bool isStarved = *stage.workerPercent < kIdlePercent && input &&
                     (*input < kDryPpm || (use && *use - *input > kHalfPpm));
    if ((*stage.workerPercent > kBusyPercent || isStarved) &&
        (!nearest ||
         getDistance(stages, stage) < getDistance(stages, *nearest)))
      nearest = &stage;
  }
  return nearest;
}
