//===- Pipeline.cpp - Samples of the input pipeline -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/TextLines.h"
#include "Host.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static constexpr int64_t kPsPerMs = 1000000000;

static std::optional<llvm::json::Value>
parseJson(StringRef text, StringRef name, Recording &recording) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (parsed && parsed->getAsObject())
    return std::move(*parsed);
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  recording.addLoss((name + " that is not a JSON object").str(), 1);
  return std::nullopt;
}

static std::vector<uint64_t> getSizes(const llvm::json::Array *array) {
  std::vector<uint64_t> sizes;
  if (!array)
    return sizes;
  for (const llvm::json::Value &value : *array)
    if (std::optional<int64_t> size = value.getAsInteger())
      sizes.push_back(uint64_t(std::max<int64_t>(*size, 0)));
  return sizes;
}

static int64_t getInterval(const llvm::json::Object &root) {
  int64_t ms = root.getInteger("sampling_interval").value_or(0);
  return saturatingMul(std::max<int64_t>(ms, 0), kPsPerMs);
}

/// A number of a stage or of workers; kNone if it is not one.
static uint32_t getNumber(const llvm::json::Object &object, StringRef name) {
  int64_t number = object.getInteger(name).value_or(-1);
  return number >= 0 && number < int64_t(kNone) ? uint32_t(number) : kNone;
}

/// pipeline_profiling_N.json: the stages and their queues.
static void readStages(StringRef text, Recording &recording) {
  auto root = parseJson(text, "pipeline_profiling", recording);
  if (!root)
    return;
  const llvm::json::Object &object = *root->getAsObject();
  const llvm::json::Array *stages = object.getArray("op_info");
  for (const llvm::json::Value &value :
       stages ? *stages : llvm::json::Array()) {
    const llvm::json::Object *stage = value.getAsObject();
    if (!stage)
      continue;
    Queue queue;
    queue.id = getNumber(*stage, "op_id");
    queue.name = recording.addName(stage->getString("op_type").value_or(""));
    uint32_t workers = getNumber(*stage, "num_workers");
    queue.workers = workers == kNone ? 0 : workers;
    queue.intervalPs = getInterval(object);
    for (uint64_t child : getSizes(stage->getArray("children")))
      queue.children.push_back(uint32_t(std::min<uint64_t>(child, kNone)));
    const llvm::json::Object *metrics = stage->getObject("metrics");
    // The last stage hands its elements to the device.
    if (const llvm::json::Object *output =
            metrics ? metrics->getObject("output_queue") : nullptr) {
      queue.sizes = getSizes(output->getArray("size"));
      queue.capacity = uint64_t(
          std::max<int64_t>(output->getInteger("length").value_or(0), 0));
    }
    recording.job.queues.push_back(std::move(queue));
  }
}

/// device_queue_profiling_N.txt, dataset_iterator_profiling_N.txt: "type extra
/// batch value timestamp", times in milliseconds.
static void readBatches(StringRef text, StringRef name, Recording &recording) {
  Queue queue;
  queue.name = recording.addName(name);
  std::map<int64_t, BatchCost> costs;
  uint64_t foreign = 0;
  while (!text.empty()) {
    StringRef line = takeLine(text).trim();
    if (line.empty())
      continue;
    llvm::SmallVector<StringRef, 8> parts;
    line.split(parts, ' ', -1, /*KeepEmpty=*/false);
    int64_t type, extra, batch, value, time;
    if (parts.size() != 5 || parts[0].getAsInteger(10, type) ||
        parts[1].getAsInteger(10, extra) || parts[2].getAsInteger(10, batch) ||
        parts[3].getAsInteger(10, value) || parts[4].getAsInteger(10, time) ||
        value < 0 || extra < 0 || (type == 0 && extra > 2) || type < 0 ||
        type > 1) {
      ++foreign;
      continue;
    }
    if (type == 1) {
      queue.capacity = uint64_t(extra);
      queue.sizes.push_back(uint64_t(value));
      queue.timesPs.push_back(saturatingMul(time, kPsPerMs));
      continue;
    }
    BatchCost &cost = costs[batch];
    cost.batch = batch;
    int64_t ps = saturatingMul(value, kPsPerMs);
    (extra == 0   ? cost.pipelinePs
     : extra == 1 ? cost.pushPs
                  : cost.totalPs) = ps;
  }
  for (const auto &entry : costs)
    queue.costs.push_back(entry.second);
  recording.addLoss("sample of a queue that is not understood", foreign);
  recording.job.queues.push_back(std::move(queue));
}

/// Adds the lists of numbers in `metrics`.
static void addSamples(StringRef owner, const llvm::json::Object *metrics,
                       int64_t intervalPs, Recording &recording) {
  if (!metrics)
    return;
  for (const auto &[name, value] : *metrics) {
    const llvm::json::Array *array = value.getAsArray();
    if (!array)
      continue;
    HostSamples samples;
    samples.owner = recording.addName(owner);
    samples.metric = recording.addName(StringRef(name));
    samples.intervalPs = intervalPs;
    for (const llvm::json::Value &sample : *array)
      samples.values.push_back(sample.getAsInteger().value_or(0));
    recording.job.hostSamples.push_back(std::move(samples));
  }
}

/// minddata_cpu_utilization_N.json: use of processors in percent.
static void readProcessors(StringRef text, Recording &recording) {
  auto root = parseJson(text, "minddata_cpu_utilization", recording);
  if (!root)
    return;
  const llvm::json::Object &object = *root->getAsObject();
  int64_t intervalPs = getInterval(object);
  int64_t processors = object.getInteger("cpu_processor_num").value_or(0);
  if (processors > 0)
    recording.addFact("processors of the host", llvm::Twine(processors));
  addSamples("device", object.getObject("device_info"), intervalPs, recording);
  addSamples("process", object.getObject("process_info"), intervalPs,
             recording);
  const llvm::json::Array *stages = object.getArray("op_info");
  for (const llvm::json::Value &value : stages ? *stages : llvm::json::Array())
    if (const llvm::json::Object *stage = value.getAsObject())
      addSamples("op " +
                     std::to_string(stage->getInteger("op_id").value_or(-1)),
                 stage->getObject("metrics"), intervalPs, recording);
}

void mindspore::readPipeline(const RankFiles &files, Recording &recording) {
  for (StringRef text : files.get(FileKind::Pipeline))
    readStages(text, recording);
  for (auto [text, path] : llvm::zip(files.get(FileKind::DeviceQueue),
                                     files.getPaths(FileKind::DeviceQueue)))
    readBatches(text,
                StringRef(path).contains("dataset_iterator")
                    ? "dataset iterator"
                    : "device queue",
                recording);
  for (StringRef text : files.get(FileKind::CpuUtilization))
    readProcessors(text, recording);
}
