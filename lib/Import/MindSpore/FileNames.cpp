//===- FileNames.cpp - Names of MindSpore's files -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using llvm::StringRef;

/// Removes "_N" or ".N" with digits from the end of `name`.
static bool consumeNumber(StringRef &name, char separator, uint64_t &number) {
  size_t digits = name.size();
  while (digits && llvm::isDigit(name[digits - 1]))
    --digits;
  if (digits == 0 || name[digits - 1] != separator ||
      name.drop_front(digits).getAsInteger(10, number))
    return false;
  name = name.take_front(digits - 1);
  return true;
}

namespace {
struct NameRule {
  /// Before the number of the device, and after it.
  llvm::StringLiteral begin;
  llvm::StringLiteral end;
  FileKind kind;
};
} // namespace

static FileKind getRawKind(StringRef name, bool &isGe) {
  if (name.starts_with("hwts."))
    return FileKind::Hwts;
  if (name.starts_with("training_trace."))
    return FileKind::TrainingTrace;
  if (name.starts_with("ts_track."))
    return FileKind::TsTrack;
  if (name.starts_with("aicore."))
    return FileKind::Pmu;
  if (name.starts_with("DATA_PREPROCESS."))
    return name.ends_with("AICPUMI") ? FileKind::AiCpuWaits
           : name.ends_with("AICPU") ? FileKind::AiCpu
                                     : FileKind::None;
  if (!name.starts_with("Framework."))
    return FileKind::None;
  isGe = name.starts_with("Framework.host.") && !name.contains(".vm");
  static constexpr NameRule kRules[] = {
      {"task_desc_info", "", FileKind::TaskDescription},
      {"graph_desc_info", "", FileKind::GraphDescription},
      {"tensor_data_info", "", FileKind::TensorData},
      {"hash_dic", "", FileKind::HashDictionary},
      {"step_info", "", FileKind::StepInfo},
      {"point", "", FileKind::Points}};
  for (const NameRule &rule : kRules)
    if (name.ends_with(rule.begin))
      return rule.kind;
  return FileKind::None;
}

/// "hwts.data.0.slice_12": kind, device, slice.
static bool classifyRaw(StringRef name, FoundFile &file) {
  uint64_t device;
  if (!consumeNumber(name, '_', file.slice) || !name.consume_back(".slice") ||
      !consumeNumber(name, '.', device) || device > UINT32_MAX - 1)
    return false;
  file.device = uint32_t(device);
  file.kind = getRawKind(name, file.isGe);
  return file.kind != FileKind::None;
}

/// "host_start.log.0": kind, device.
static bool classifyBeside(StringRef name, FoundFile &file) {
  static constexpr NameRule kRules[] = {
      {"host_start.log.", "", FileKind::HostStart},
      {"dev_start.log.", "", FileKind::DeviceStart},
      {"info.json.", "", FileKind::DeviceInfo}};
  for (const NameRule &rule : kRules) {
    StringRef rest = name;
    if (rest.consume_front(rule.begin) && !rest.getAsInteger(10, file.device)) {
      file.kind = rule.kind;
      return true;
    }
  }
  return false;
}

/// Files with the number of the device within their names; those with longer
/// names first.
static bool classifyNumbered(StringRef name, FoundFile &file) {
  static constexpr NameRule kRules[] = {
      {"step_trace_profiling_", ".txt", FileKind::StepFile},
      {"gpu_op_execute_timestamp_", ".txt", FileKind::OpTimestamps},
      {"cpu_op_execute_timestamp_", ".txt", FileKind::OpTimestamps},
      {"op_execute_timestamp_", ".txt", FileKind::OpTimestamps},
      {"activity_execute_timestamp_", ".txt", FileKind::ActivityTimestamps},
      {"start_time_", ".txt", FileKind::StartTime},
      {"gpu_op_type_info_", ".csv", FileKind::GpuOpTypes},
      {"gpu_op_detail_info_", ".csv", FileKind::GpuOpDetails},
      {"gpu_activity_data_", ".csv", FileKind::GpuActivities},
      {"cpu_op_type_info_", ".csv", FileKind::CpuOpTypes},
      {"cpu_op_detail_info_", ".csv", FileKind::CpuOpDetails},
      {"pipeline_profiling_", ".json", FileKind::Pipeline},
      {"device_queue_profiling_", ".txt", FileKind::DeviceQueue},
      {"dataset_iterator_profiling_", ".txt", FileKind::DeviceQueue},
      {"minddata_cpu_utilization_", ".json", FileKind::CpuUtilization},
      {"memory_usage_", ".pb", FileKind::Memory},
      {"output_format_data_hwts_", ".txt", FileKind::HwtsText},
      {"output_timeline_data_", ".txt", FileKind::Timeline},
      {"output_op_compute_time_", ".txt", FileKind::OpComputeTime},
      {"output_data_preprocess_aicpu_", ".txt", FileKind::AiCpuText},
      {"minddata_aicpu_", ".txt", FileKind::AiCpuWaitsText},
      {"framework_raw_", ".csv", FileKind::FrameworkTable},
      {"aicore_intermediate_", "_detail.csv", FileKind::AiCoreDetail},
      {"aicore_intermediate_", "_type.csv", FileKind::AiCoreType},
      {"aicpu_intermediate_", ".csv", FileKind::AiCpuTable},
      {"step_trace_raw_", "_detail_time.csv", FileKind::StepTable},
      {"step_trace_point_info_", ".json", FileKind::PointInfo},
      {"hccl_raw_", ".csv", FileKind::HcclTable},
      {"minddata_pipeline_raw_", ".csv", FileKind::PipelineTable},
      {"flops_", ".txt", FileKind::FlopsText},
      {"profiler_info_", ".json", FileKind::ProfilerInfo}};
  for (const NameRule &rule : kRules) {
    StringRef rest = name;
    if (rest.consume_front(rule.begin) && rest.consume_back(rule.end) &&
        !rest.getAsInteger(10, file.device)) {
      file.kind = rule.kind;
      return true;
    }
  }
  return false;
}

FoundFile mindspore::classifyFile(StringRef name, StringRef folder,
                                  StringRef grandparent) {
  FoundFile file;
  for (StringRef end : {".done", ".zip", ".join"})
    if (name.ends_with(end))
      return file;
  if (classifyRaw(name, file) || classifyBeside(name, file) ||
      classifyNumbered(name, file))
    return file;
  // hccl_info_N/allReduce_1_1_0/iter4.trace
  file = FoundFile();
  StringRef rest = name;
  if (rest.consume_front("iter") && rest.consume_back(".trace") &&
      !rest.getAsInteger(10, file.slice) &&
      grandparent.starts_with("hccl_info")) {
    uint64_t device;
    if (consumeNumber(grandparent, '_', device) && device < UINT32_MAX)
      file.device = uint32_t(device);
    file.kind = FileKind::HcclTrace;
    return file;
  }
  return FoundFile();
}
