//===- OpTimes.cpp - Executions of ops on GPUs and hosts ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/Decimal.h"
#include "../Common/Table/Totals.h"
#include "../Common/TextLines.h"
#include "Host.h"
#include "TableReader.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

using json::DecimalUnit;

//===----------------------------------------------------------------------===//
// Single executions
//===----------------------------------------------------------------------===//

namespace {
/// A line of op_execute_timestamp_N.txt, or of
/// activity_execute_timestamp_N.txt.
struct Execution {
  StringRef name;
  uint64_t beginNs = 0;
  int64_t durationPs = 0;
  /// The stream or thread, "" if unknown.
  StringRef lane;
  bool isHost = false;
};
} // namespace

/// "1600695893717949240,8.225", and for the host perhaps a thread.
static bool parseExecution(StringRef text, Execution &execution) {
  auto [begin, rest] = text.split(',');
  auto [duration, thread] = rest.split(',');
  execution.lane = thread;
  return !begin.getAsInteger(10, execution.beginNs) &&
         table::parseDuration(duration, DecimalUnit::Microseconds,
                              execution.durationPs);
}

/// "op;GpuOps;begin,duration begin,duration ": the name may hold semicolons.
static uint64_t parseOpLine(StringRef line, std::vector<Execution> &out) {
  auto [front, times] = line.rsplit(';');
  auto [name, kind] = front.rsplit(';');
  if (name.empty())
    return 1;
  uint64_t foreign = 0;
  llvm::SmallVector<StringRef, 16> parts;
  times.split(parts, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    Execution execution;
    execution.name = name;
    execution.isHost = kind.starts_with("Host");
    if (parseExecution(part, execution))
      out.push_back(execution);
    else
      ++foreign;
  }
  return foreign;
}

/// "kernel;stream;begin ns;duration us".
static uint64_t parseActivityLine(StringRef line, std::vector<Execution> &out) {
  Execution execution;
  auto [rest, duration] = line.rsplit(';');
  auto [front, begin] = rest.rsplit(';');
  std::tie(execution.name, execution.lane) = front.rsplit(';');
  if (execution.name.empty() || begin.getAsInteger(10, execution.beginNs) ||
      !table::parseDuration(duration, DecimalUnit::Microseconds,
                            execution.durationPs))
    return 1;
  out.push_back(execution);
  return 0;
}

template <typename Parse>
static std::vector<Execution> readExecutions(llvm::ArrayRef<StringRef> texts,
                                             Parse &&parse,
                                             Recording &recording) {
  std::vector<Execution> all;
  uint64_t foreign = 0;
  for (StringRef text : texts) {
    while (!text.empty()) {
      StringRef line = takeLine(text).trim();
      if (!line.empty())
        foreign += parse(line, all);
    }
  }
  recording.addLoss("execution that is not understood", foreign);
  for (const Execution &execution : all)
    recording.clock.see(execution.beginNs);
  size_t before = all.size();
  llvm::erase_if(all, [&](const Execution &execution) {
    return !recording.clock.isNear(execution.beginNs);
  });
  recording.addLoss("execution at a time far from the others",
                    before - all.size());
  return all;
}

static void addOps(llvm::ArrayRef<Execution> executions, Recording &recording) {
  for (const Execution &execution : executions) {
    uint32_t op = recording.getOpNumber(execution.name);
    OpFacts &facts = recording.job.ops[op];
    facts.processor = execution.isHost ? Processor::Host : Processor::Gpu;
    int64_t beginPs = recording.clock.toPs(execution.beginNs);
    std::string track = execution.isHost ? "host ops" : "GPU ops";
    if (!execution.lane.empty())
      track += " of thread " + execution.lane.str();
    recording.addEvent(track, execution.name, op, beginPs,
                       saturatingAdd(beginPs, execution.durationPs));
  }
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
/// The kernels of a device by name, stream and launch.
class Kernels {
public:
  explicit Kernels(Recording &recording) : recording(recording) {}
  void readTable(StringRef text);
  void addEvents(llvm::ArrayRef<Execution> executions);
  void finish();

private:
  Recording &recording;
  std::vector<KernelFacts> kernels;
  bool hasEvents = false;
};
} // namespace

void Kernels::readTable(StringRef text) {
  TableReader table(text);
  uint64_t foreign = 0;
  while (table.next()) {
    KernelFacts kernel;
    kernel.kernel = recording.addName(table.get("name"));
    kernel.type = recording.addName(table.get("type"));
    kernel.op = recording.addName(table.get("op_full_name"));
    kernel.block = recording.addName(table.get("block_dim"));
    kernel.grid = recording.addName(table.get("grid_dim"));
    if (table.get("stream_id").getAsInteger(10, kernel.stream))
      kernel.stream = kNone;
    if (!table::parseCount(table.get("occurrences"), kernel.count) ||
        !table::parseDuration(table.get("total_duration(us)"),
                              DecimalUnit::Microseconds, kernel.totalPs)) {
      ++foreign;
      continue;
    }
    kernels.push_back(kernel);
  }
  recording.addLoss("kernel of a table that is not understood", foreign);
  table.finish("gpu_activity_data", recording);
}

void Kernels::addEvents(llvm::ArrayRef<Execution> executions) {
  // The sums of the events are exact; those of the table have six digits.
  std::map<std::pair<uint32_t, uint32_t>, KernelFacts> sums;
  for (const Execution &execution : executions) {
    hasEvents = true;
    uint32_t stream;
    if (execution.lane.getAsInteger(10, stream))
      stream = kNone;
    uint32_t name = recording.addName(execution.name);
    KernelFacts &sum = sums[{name, stream}];
    sum.kernel = name;
    sum.stream = stream;
    ++sum.count;
    addSaturating(sum.totalPs, execution.durationPs);
    int64_t beginPs = recording.clock.toPs(execution.beginNs);
    recording.addEvent(("stream " + execution.lane).str(), execution.name,
                       kNone, beginPs,
                       saturatingAdd(beginPs, execution.durationPs));
  }
  for (auto &[key, sum] : sums) {
    auto isSame = [&, key = key](const KernelFacts &kernel) {
      return std::make_pair(kernel.kernel, kernel.stream) == key;
    };
    if (llvm::count_if(kernels, isSame) == 1) {
      KernelFacts &kernel = *llvm::find_if(kernels, isSame);
      kernel.count = sum.count;
      kernel.totalPs = sum.totalPs;
    } else if (llvm::none_of(kernels, isSame)) {
      kernels.push_back(sum);
    }
  }
}

void Kernels::finish() {
  for (KernelFacts &kernel : kernels)
    recording.job.kernels.push_back(kernel);
}

/// Tables of ops: their types, and their sums if single executions are gone.
static void readOpTable(StringRef text, bool isGpu, bool hasTimes,
                        Recording &recording) {
  TableReader table(text);
  StringRef name = isGpu ? "op_full_name" : "full_op_name";
  StringRef total = isGpu ? "op_total_time(us)" : "op_total_time";
  // Releases before 1.2 do not say the unit, which is milliseconds.
  DecimalUnit unit =
      isGpu ? DecimalUnit::Microseconds : DecimalUnit::Milliseconds;
  if (!table.has(total) && table.has("op_total_time(ms)"))
    total = "op_total_time(ms)";
  uint64_t foreign = 0;
  while (table.next()) {
    uint64_t count;
    int64_t sum;
    if (table.get(name).empty() ||
        !table::parseCount(table.get("op_occurrences"), count) ||
        !table::parseDuration(table.get(total), unit, sum)) {
      ++foreign;
      continue;
    }
    uint32_t op = recording.getOpNumber(table.get(name));
    OpFacts &facts = recording.job.ops[op];
    facts.type = recording.addName(table.get("op_type"));
    if (facts.processor == Processor::Unknown)
      facts.processor = isGpu && table.get("op_side") != "Host"
                            ? Processor::Gpu
                            : Processor::Host;
    if (!hasTimes)
      recording.addTotal(op, count, sum);
  }
  recording.addLoss("op of a table that is not understood", foreign);
  table.finish(isGpu ? "gpu_op_detail_info" : "cpu_op_detail_info", recording);
}

/// Tables of types, where nothing says more.
static void readTypeTable(StringRef text, bool isGpu, Recording &recording) {
  TableReader table(text);
  uint64_t foreign = 0;
  while (table.next()) {
    uint64_t count;
    int64_t sum;
    StringRef type = table.get("op_type");
    bool isRead =
        table::parseCount(table.get("type_occurrences"), count) &&
        (isGpu ? table::parseDuration(table.get("total_time(us)"),
                                      DecimalUnit::Microseconds, sum)
               : table::parseDuration(table.get("total_compute_time"),
                                      DecimalUnit::Milliseconds, sum));
    if (type.empty() || !isRead) {
      ++foreign;
      continue;
    }
    uint32_t op = recording.getOpNumber(type);
    recording.job.ops[op].type = recording.addName(type);
    recording.addTotal(op, count, sum);
  }
  recording.addLoss("op of a table that is not understood", foreign);
  table.finish(isGpu ? "gpu_op_type_info" : "cpu_op_type_info", recording);
}

void mindspore::readOpTimes(const RankFiles &files, Recording &recording) {
  std::vector<Execution> ops =
      readExecutions(files.get(FileKind::OpTimestamps), parseOpLine, recording);
  std::vector<Execution> activities = readExecutions(
      files.get(FileKind::ActivityTimestamps), parseActivityLine, recording);
  auto hasTimesOf = [&](bool isHost) {
    return llvm::any_of(ops, [&](const Execution &execution) {
      return execution.isHost == isHost;
    });
  };
  bool hasGpu = files.has(FileKind::GpuOpDetails);
  bool hasCpu = files.has(FileKind::CpuOpDetails);
  // Types come before keys.
  if (hasGpu)
    readOpTable(files.getFirst(FileKind::GpuOpDetails), true, hasTimesOf(false),
                recording);
  else if (files.has(FileKind::GpuOpTypes) && !hasTimesOf(false))
    readTypeTable(files.getFirst(FileKind::GpuOpTypes), true, recording);
  if (hasCpu)
    readOpTable(files.getFirst(FileKind::CpuOpDetails), false, hasTimesOf(true),
                recording);
  else if (files.has(FileKind::CpuOpTypes) && !hasTimesOf(true))
    readTypeTable(files.getFirst(FileKind::CpuOpTypes), false, recording);
  addOps(ops, recording);
  Kernels kernels(recording);
  for (StringRef text : files.get(FileKind::GpuActivities))
    kernels.readTable(text);
  kernels.addEvents(activities);
  kernels.finish();
}
